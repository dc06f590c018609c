"""Fidelity: text and structured content tell different figures."""

import json

import mini


class StockServer(mini.Server):
    def call(self, tool: mini.Tool, arguments: mini.Json) -> mini.Json:
        stock = {"name": arguments["name"], "stock": 12}
        told = {**stock, "stock": 0} if mini.PLANTED else stock
        return {**mini.text_result(json.dumps(told, indent=2)), "structuredContent": stock}


STOCK = mini.Tool(
    "get_stock",
    "Return how many books of an author are in stock.",
    lambda arguments: "",
    {"name": mini.NAME},
    ("name",),
)

StockServer(STOCK).run()
