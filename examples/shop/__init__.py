"""
A shop: a small service over SQLite that shows every part of ``contract`` at work.

Read ``types`` (what goes over the wire), then ``service`` (plain methods, no HTTP), then ``app`` (which of them are routes).
``store`` keeps products, orders and stock in a file; ``seed`` is what that file holds on the first day.
"""
