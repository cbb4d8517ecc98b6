"""One-line expressions of rule records: a part of Python, checked and compiled once.

Owns what may be written and how an expression becomes code. What its names mean is a language's.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from itertools import accumulate
from types import CodeType, MappingProxyType
from typing import Any, NamedTuple

import msgspec

from datasheets.errors import HordeError, unknown

NONE: Mapping[str, Any] = MappingProxyType({})
MODEL = "model"
SHEET = "datasheet of the model"
"""What a condition looks at that asks of a model only what stands on its datasheet."""
CONTEXT = "context"
"""The name under which a function that looks into a selector gets the names in sight."""
BUILT_IN = {"abs": abs, "max": max, "min": min}
"""Functions of Python that every expression may call."""
SELECTING = ("some", "none", "count")
"""Functions whose first argument is a selector: "unit where player(unit)"."""
BEARING = ("bearer", "hero")
"""Names of what bears a rule, in units and models."""
_ALLOWED = (
    ast.Expression,
    ast.BoolOp,
    ast.And,
    ast.Or,
    ast.UnaryOp,
    ast.Not,
    ast.USub,
    ast.BinOp,
    ast.Add,
    ast.Sub,
    ast.Mult,
    ast.Div,
    ast.FloorDiv,
    ast.Mod,
    ast.Compare,
    ast.Eq,
    ast.NotEq,
    ast.Lt,
    ast.LtE,
    ast.Gt,
    ast.GtE,
    ast.In,
    ast.NotIn,
    ast.Call,
    ast.Name,
    ast.Load,
    ast.Constant,
    ast.Tuple,
    ast.IfExp,
)
FILTER_WORDS = ("horde", "player", "battle-shocked")


class BadExpression(HordeError):  # noqa: N818 - a fault of text, as BadData is a fault of a file
    """An expression that is not allowed, and why."""


class Expression(msgspec.Struct, frozen=True, eq=False):
    """An expression that has been checked."""

    text: str
    source: str
    """What its tree was read from, of which it may be a part."""
    tree: ast.Expression
    names: frozenset[str] = frozenset()
    """The names that it looks up; `context` where a function of it may look up any."""
    looks: frozenset[str] = frozenset()
    """The things at which it looks: its names, but `SHEET` for a model of which it asks no more."""
    same: tuple[tuple[str, str], ...] = ()
    """Pairs of names that must be one thing, a bearer's last ("attacker == bearer and …")."""
    looking_up: frozenset[str] = frozenset()
    """The functions that it calls which get the names in sight as their last argument."""

    def function(self, functions: dict[str, Any]) -> Callable[[Mapping[str, Any]], Any]:
        """Return it as a function of the names in sight, which calls these functions."""
        made: Callable[[Mapping[str, Any]], Any] = eval(_compiled(self), functions)
        return made


class Selector(msgspec.Struct, frozen=True):
    """Things of one kind for which a condition holds: "unit where horde(unit)"."""

    kind: str
    condition: Expression | None


class VerbCall(msgspec.Struct, frozen=True):
    """A verb with its arguments as expressions."""

    verb: str
    arguments: tuple[Expression, ...]

    def literal(self, place: int) -> object:
        """Return the argument at this place if it is a plain value, None for any other or -1."""
        if not 0 <= place < len(self.arguments):
            return None
        body = self.arguments[place].tree.body
        return body.value if isinstance(body, ast.Constant) else None


class Takes(NamedTuple):
    """The arguments that a function or a verb takes, by their names."""

    needed: tuple[str, ...]
    """Those that must be given."""
    more: tuple[str, ...] = ()
    """Those that may be left out."""
    rest: str = ""
    """The name of any further ones; "" where there may be none."""

    def __str__(self) -> str:
        """Return them as they stand between the parentheses of a call."""
        rest = [f"{self.rest}…"] if self.rest else []
        return ", ".join([*self.needed, *(f"[{each}]" for each in self.more), *rest])

    def takes(self, count: int) -> bool:
        """Return whether this number of arguments may be given."""
        most = len(self.needed) + len(self.more)
        return len(self.needed) <= count and (bool(self.rest) or count <= most)


class Grammar:
    """What may be written: the names of functions, variables, things to select and verbs."""

    def __init__(
        self,
        functions: Iterable[str],
        variables: Iterable[str] = (),
        kinds: Iterable[str] = (),
        verbs: Iterable[str] = (),
        more: tuple[type[ast.AST], ...] = (),
        *,
        looking_up: Mapping[str, tuple[str, ...]] = NONE,
        filtering: Mapping[str, int] = NONE,
        of_sheet: Iterable[str] = (),
        taking: Mapping[str, Takes] = NONE,
    ) -> None:
        """Know these names, and no others; `more` are forms of Python allowed beside the usual ones.

        `looking_up` are the functions that look up names in sight by themselves, with these names;
        `filtering` are those with a filter ("horde and FLY"), with the place of that argument; `of_sheet`
        those that ask of a model only what its datasheet says; `taking` the arguments of functions and verbs
        by name, of which a call may have no others.
        """
        self.taking = taking
        self.looking_up = looking_up
        self.filtering = filtering
        self.of_sheet = frozenset(of_sheet)
        self.allowed = frozenset((*_ALLOWED, *more))
        self.functions = frozenset(functions)
        self.variables = frozenset(variables)
        self.kinds = tuple(kinds)
        self.verbs = frozenset(verbs)
        self._made: dict[tuple[str, frozenset[str]], Expression] = {}
        """What is ready, by its text and its own names: half of what the rules say is said twice."""

    def expression(self, text: str, own: Iterable[str] = ()) -> Expression:
        """Return a compiled expression; `own` are names of its rule's picks. Raises BadExpression."""
        names = frozenset(own)
        if (text, names) in self._made:
            return self._made[text, names]
        try:
            tree = ast.parse(text.strip(), mode="eval")
        except SyntaxError as error:
            hint = "; compare with ==" if re.search(r"[^=!<>]=[^=]", text) else ""
            raise BadExpression(f"'{text}' is no expression ({error.msg}{hint})") from None
        except (RecursionError, MemoryError):
            raise BadExpression(f"'{text[:20]}…' is nested too deeply to be read") from None
        return self._ready(tree, text, text.strip(), names)

    def selector(self, text: str, own: Iterable[str] = ()) -> Selector:
        """Return a compiled selector. Raises BadExpression."""
        kind, _, condition = text.partition(" where ")
        kind = kind.strip()
        if kind not in self.kinds:
            raise BadExpression(f"'{text}' selects no known thing; begin with {', '.join(self.kinds)}")
        if not condition.strip():
            return Selector(kind, None)
        return Selector(kind, self.expression(condition, own))

    def verb(self, text: str, own: Iterable[str] = ()) -> VerbCall:
        """Return a compiled verb. Raises BadExpression."""
        try:
            call = ast.parse(text.strip(), mode="eval").body
        except SyntaxError as error:
            raise BadExpression(f"'{text}' is no verb ({error.msg})") from None
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.keywords:
            raise BadExpression(f"'{text}' is no verb; write name(argument, …)")
        if call.func.id not in self.verbs:
            raise BadExpression(str(unknown(call.func.id, self.verbs, "verb")).rstrip("."))
        self._check_count(call, call.func.id)
        known = frozenset(own)
        return VerbCall(
            call.func.id,
            tuple(self._ready(ast.Expression(a), _written(a), text.strip(), known) for a in call.args),
        )

    def _ready(self, tree: ast.Expression, text: str, source: str, own: frozenset[str]) -> Expression:
        """Return the expression of a tree, checked and compiled."""
        if (text, own) not in self._made:
            nodes = _nodes(tree)
            self._check(nodes, text, own)
            names = {node.id for node in nodes if isinstance(node, ast.Name)} - self.functions
            looked = {
                called: self._looked_up(called)
                for node in nodes
                if isinstance(node, ast.Call) and self._looked_up(called := _called(node))
            }
            seen = frozenset(names.union(*looked.values()))
            looks = self._looks(nodes, seen, frozenset().union(*looked.values()))
            self._made[text, own] = Expression(
                text, source, tree, seen, looks, _same(tree.body), frozenset(looked)
            )
        return self._made[text, own]

    def _looks(self, nodes: list[ast.AST], seen: frozenset[str], looked: frozenset[str]) -> frozenset[str]:
        """Return the things at which an expression of these nodes looks that looks up these names."""
        calls = [node for node in nodes if isinstance(node, ast.Call) and _called(node) in self.of_sheet]
        by_sheet = sum(
            isinstance(each, ast.Name) and each.id == MODEL for call in calls for each in call.args
        )
        every = sum(isinstance(node, ast.Name) and node.id == MODEL for node in nodes)
        if not by_sheet or by_sheet < every or MODEL in looked:
            return seen
        return seen - {MODEL} | {SHEET}

    def _looked_up(self, function: str) -> tuple[str, ...]:
        """Return the names that a function looks up by itself; `context` where they may be any."""
        return self.looking_up.get(function, (CONTEXT,) if function in SELECTING else ())

    def _check(self, nodes: list[ast.AST], text: str, own: frozenset[str]) -> None:
        """Refuse what the nodes of a tree may not say."""
        for node in nodes:
            if type(node) not in self.allowed:
                raise BadExpression(f"'{text}' uses {type(node).__name__.lower()}, which is not allowed")
            if isinstance(node, ast.Call):
                self._check_call(node, text, own)
            elif isinstance(node, ast.Name):
                self._check_name(node.id, own)

    def _check_name(self, name: str, own: frozenset[str]) -> None:
        if name not in self.functions and name not in self.variables and name not in own:
            known = {*self.functions, *self.variables, *own}
            raise BadExpression(str(unknown(name, known, "name")).rstrip("."))

    def _check_call(self, node: ast.Call, text: str, own: frozenset[str]) -> None:
        if not isinstance(node.func, ast.Name) or node.keywords:
            raise BadExpression(f"'{text}' calls what is no function of the vocabulary")
        name = node.func.id
        if name not in self.functions:
            raise BadExpression(str(unknown(name, self.functions, "function")).rstrip("."))
        self._check_count(node, name)
        if name in SELECTING:
            self.selector(_text_argument(node, 0, text), own)
        if name in self.filtering:
            terms(_text_argument(node, self.filtering[name], text))

    def _check_count(self, call: ast.Call, name: str) -> None:
        """Refuse a call with more or fewer arguments than its function or verb takes."""
        takes, count = self.taking.get(name), len(call.args)
        if takes is not None and not takes.takes(count):
            given = f"{count} is given" if count == 1 else f"{count} are given"
            raise BadExpression(f"{ast.unparse(call)} has other arguments than {name}({takes}): {given}")


def _called(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _same(body: ast.expr) -> tuple[tuple[str, str], ...]:
    """Return the names that must be of one thing for a condition to hold, that of a bearer last."""
    found = []
    for term in body.values if isinstance(body, ast.BoolOp) and isinstance(body.op, ast.And) else [body]:
        if isinstance(term, ast.Compare) and len(term.ops) == 1 and isinstance(term.ops[0], ast.Eq):
            one, other = term.left, term.comparators[0]
            if isinstance(one, ast.Name) and isinstance(other, ast.Name) and other.id in BEARING:
                found.append((one.id, other.id))
    return tuple(found)


@lru_cache(maxsize=4096)
def _compiled(expression: Expression) -> CodeType:
    """Return the code that makes an expression a function of the names in sight.

    It is made when it is first needed. Each name is looked up in those in sight; a function that looks names
    up gets them as its last argument. What is compiled is text: a tree of Python's takes ten times as long.
    """
    source, body = expression.source.encode(), expression.tree.body
    lines = list(accumulate((len(line) for line in source.splitlines(keepends=True)), initial=0))

    def begin(node: ast.expr) -> int:
        return lines[node.lineno - 1] + node.col_offset

    def end(node: ast.expr) -> int:
        return lines[(node.end_lineno or 1) - 1] + (node.end_col_offset or 0)

    cuts = []
    for node in _nodes(body):
        if isinstance(node, ast.Name) and node.id in expression.names:
            cuts.append((begin(node), end(node), b'%b["%b"]' % (CONTEXT.encode(), node.id.encode())))
        elif isinstance(node, ast.Call) and _called(node) in expression.looking_up:
            after = end(node.args[-1]) if node.args else end(node) - 1
            closing = source[after : end(node) - 1].replace(b",", b"")
            parting = b", " if node.args else b""
            cuts.append((after, end(node) - 1, b"%b%b%b" % (closing, parting, CONTEXT.encode())))
    parts, at = [], begin(body)
    for first, last, instead in sorted(cuts):
        parts += [source[at:first], instead]
        at = last
    parts.append(source[at : end(body)])
    return compile(b"lambda %b: (%b)" % (CONTEXT.encode(), b"".join(parts)), "<rule>", "eval")


def _nodes(tree: ast.AST) -> list[ast.AST]:
    """Return the tree's nodes from the root down, as `ast.walk` does at four times the price."""
    found = [tree]
    for node in found:
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, ast.AST):
                found.append(value)
            elif isinstance(value, list):
                found += value
    return found


def _written(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ast.unparse(node)


def _text_argument(node: ast.Call, place: int, text: str) -> str:
    if len(node.args) > place:
        argument = node.args[place]
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
            return argument.value
    raise BadExpression(f"'{text}' needs a text as argument {place + 1}")


@lru_cache(maxsize=512)
def terms(text: str) -> tuple[tuple[bool, str], ...]:
    """Return a filter's words, each with whether it must be so: "horde and not MONSTER".

    Words in capitals are keywords. Raises BadExpression.
    """
    found = []
    for term in text.split(" and "):
        word = term.strip()
        wanted = not word.startswith("not ")
        word = word.removeprefix("not ").strip()
        if word not in FILTER_WORDS and (not word or word != word.upper()):
            raise BadExpression(f"'{word}' is no filter; write {', '.join(FILTER_WORDS)} or a KEYWORD")
        found.append((wanted, word))
    return tuple(found)
