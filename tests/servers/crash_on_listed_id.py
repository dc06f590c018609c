"""Crash: the process ends on each id that the server itself lists, and refuses all others well."""

import json

import mini

ORDERS = {"apple": "two lamps", "pear": "a chair"}


class OrderServer(mini.Server):
    def call(self, tool: mini.Tool, arguments: mini.Json) -> mini.Json:
        if tool.name == "get_order" and arguments["id"] not in ORDERS:
            return mini.error_result(f"there is no order {arguments['id']}; list_orders lists them")
        return super().call(tool, arguments)


def get_order(arguments: mini.Json) -> str:
    order = ORDERS[arguments["id"]]
    return order.customer if mini.PLANTED else order  # type: ignore[attr-defined]


OrderServer(
    mini.Tool(
        "list_orders", "List the ids of all orders.", lambda _: json.dumps([{"id": name} for name in ORDERS])
    ),
    mini.Tool(
        "get_order",
        "Return an order by its id.",
        get_order,
        {"id": {"type": "string", "description": "The id of the order."}},
        ("id",),
    ),
).run()
