"""What kind of value an expression of `that` has, worked out before anything is evaluated.

Owns which expressions say something that can fail, and which cost no more than a moment. What the functions
measure is `engine.scenario.word`'s.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.records.expression import BadExpression

CONDITION = "a condition"
COUNT = "a count"
NUMBER = "a number"
TEXT = "a text"
PLACE = "a place"
THING = "a model or a zone"
THINGS = "a list of names"
NUMBERS = (COUNT, NUMBER)
TRUTHS = (CONDITION, COUNT)
"""What may be asked whether it holds; a count holds where it is not 0."""
RETURNED = {"bool": CONDITION, "int": COUNT, "float": NUMBER, "Some": THING, "ZoneFacts": THING}
"""The kinds of what functions return, by their annotations; any other is a place."""
NUMERIC = ("abs", "min", "max")
LONGEST = 2000
"""The most characters of an expression."""
LARGEST = 1e9
"""The largest number that an expression may say."""
POWERS = (0.5, 2, 3)
MOST_POWERS = 3
"""The most powers within one another, the outermost counted."""


def check_length(text: str) -> None:
    """Refuse an expression that is too long to be read. Raises BadExpression."""
    if len(text) > LONGEST:
        raise BadExpression(f"'{text[:20]}…' has {len(text)} characters; {LONGEST} are the most")


def check_condition(text: str, tree: ast.Expression, functions: Mapping[str, Callable[..., Any]]) -> None:
    """Refuse an expression that is no condition about the battle. Raises BadExpression."""
    kinds = _Kinds(functions)
    try:
        kind = kinds.of(tree.body)
    except RecursionError:
        raise BadExpression(f"'{text[:20]}…' is nested too deeply to be read") from None
    if not kinds.has_asked:
        raise BadExpression(f"'{text}' asks nothing of the battle; write e.g. coherent('unit')")
    if kind not in TRUTHS:
        raise BadExpression(f"'{text}' is {kind}, and no condition; compare it, as in … < 3")


class _Kinds:
    """The kinds of the parts of an expression."""

    def __init__(self, functions: Mapping[str, Callable[..., Any]]) -> None:
        self.functions = functions
        self.has_asked = False
        """Whether a function about the battle was called."""

    def of(self, node: ast.expr) -> str:
        """Return the kind of a part. Raises BadExpression where it has none."""
        return READERS[type(node)](self, node) if type(node) in READERS else self._refused(node)

    def _refused(self, node: ast.expr) -> str:
        raise BadExpression(f"'{ast.unparse(node)}' may not be said here")

    def constant(self, node: ast.Constant) -> str:
        """Return the kind of what is written out."""
        if isinstance(node.value, bool):
            return CONDITION
        if isinstance(node.value, str):
            return TEXT
        if isinstance(node.value, int | float):
            if not abs(node.value) <= LARGEST:
                raise BadExpression(f"a number of an expression may be {LARGEST:,.0f} at the most")
            return NUMBER
        return self._refused(node)

    def name(self, node: ast.Name) -> str:
        """Refuse a function that is not called: it is always there, and so would hold."""
        raise BadExpression(f"'{node.id}' is a function: write {node.id}(…)")

    def call(self, node: ast.Call) -> str:
        """Return the kind of what a function returns."""
        assert isinstance(node.func, ast.Name)
        given = [self.of(each) for each in node.args]
        if node.func.id in NUMERIC:
            for kind in given:
                self._need(node, kind, (*NUMBERS, PLACE))
            return NUMBER
        self.has_asked = True
        returned = self.functions[node.func.id].__annotations__["return"]
        return RETURNED.get(str(returned), PLACE)

    def listed(self, node: ast.List | ast.Tuple) -> str:
        """Return the kind of a list: a place of numbers, or names."""
        kinds = {self.of(each) for each in node.elts}
        if kinds <= set(NUMBERS):
            return PLACE
        if kinds <= {TEXT, THING}:
            return THINGS
        return self._refused(node)

    def arithmetic(self, node: ast.BinOp) -> str:
        """Return that a sum, product or power is a number; nothing else can be reckoned with."""
        for side in (node.left, node.right):
            self._need(node, self.of(side), NUMBERS)
        if isinstance(node.op, ast.Pow):
            _check_power(node)
        return NUMBER

    def unary(self, node: ast.UnaryOp) -> str:
        """Return the kind of a negation."""
        if isinstance(node.op, ast.Not):
            self._need(node, self.of(node.operand), TRUTHS)
            return CONDITION
        self._need(node, self.of(node.operand), NUMBERS)
        return NUMBER

    def joined(self, node: ast.BoolOp) -> str:
        """Return that `and` and `or` join conditions."""
        for each in node.values:
            self._need(node, self.of(each), TRUTHS)
        return CONDITION

    def compared(self, node: ast.Compare) -> str:
        """Return that a comparison is a condition."""
        kinds = [self.of(each) for each in (node.left, *node.comparators)]
        for op, left, right in zip(node.ops, kinds, kinds[1:], strict=False):
            if isinstance(op, ast.In | ast.NotIn):
                self._need(node, right, (PLACE, THINGS))
            elif isinstance(op, ast.Eq | ast.NotEq):
                if left != right and not {left, right} <= {*NUMBERS, CONDITION}:
                    raise BadExpression(f"'{ast.unparse(node)}' compares {left} with {right}")
            else:
                self._need(node, left, NUMBERS)
                self._need(node, right, NUMBERS)
        return CONDITION

    def chosen(self, node: ast.IfExp) -> str:
        """Return the kind of a choice of two, which must be alike."""
        self._need(node, self.of(node.test), TRUTHS)
        kind, other = self.of(node.body), self.of(node.orelse)
        if kind == other:
            return kind
        self._need(node, kind, NUMBERS)
        self._need(node, other, NUMBERS)
        return NUMBER

    def picked(self, node: ast.Subscript) -> str:
        """Return the kind of a part of a place or list."""
        kind = self.of(node.value)
        self._need(node, kind, (PLACE, THINGS))
        self._need(node, self.of(node.slice), NUMBERS)
        return NUMBER if kind == PLACE else TEXT

    @staticmethod
    def _need(node: ast.expr, kind: str, wanted: Sequence[str]) -> None:
        if kind not in wanted:
            meant = " or ".join(dict.fromkeys(wanted))
            raise BadExpression(f"'{ast.unparse(node)}' has {kind} where {meant} belongs")


def _check_power(node: ast.BinOp) -> None:
    """Refuse powers that may grow without end: large ones, and many within one another."""
    if not isinstance(node.right, ast.Constant) or node.right.value not in POWERS:
        raise BadExpression(f"a power may be {', '.join(map(str, POWERS))}")
    within = [part for part in ast.walk(node) if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Pow)]
    if len(within) > MOST_POWERS:
        raise BadExpression(f"an expression may have {MOST_POWERS} powers within one another")


READERS: dict[type[ast.expr], Callable[[_Kinds, Any], str]] = {
    ast.Constant: _Kinds.constant,
    ast.Name: _Kinds.name,
    ast.Call: _Kinds.call,
    ast.List: _Kinds.listed,
    ast.Tuple: _Kinds.listed,
    ast.BinOp: _Kinds.arithmetic,
    ast.UnaryOp: _Kinds.unary,
    ast.BoolOp: _Kinds.joined,
    ast.Compare: _Kinds.compared,
    ast.IfExp: _Kinds.chosen,
    ast.Subscript: _Kinds.picked,
}
