"""Crash: the only tool ends the process on each good call, and refuses bad ones well."""

import mini


def average(arguments: mini.Json) -> str:
    numbers = [] if mini.PLANTED else [arguments["a"], arguments["b"]]
    return str(sum(numbers) / len(numbers))


AVERAGE = mini.ADD._replace(name="average", description="Return the mean of two numbers.", run=average)

mini.Server(AVERAGE).run()
