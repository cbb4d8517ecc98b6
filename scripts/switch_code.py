"""Switches of code change one place of a module: code is found and replaced.

The code and the module are compared as syntax trees, so quotes, brackets, comments and line breaks do not
matter.
"""

from __future__ import annotations

import ast
import builtins
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from typing import Any

from switch_hint import Misfit, alike, words
from switch_scope import FUNCTION, Site, definitions, functions, names_of, scopes_of

HEADED = (ast.If, ast.For, ast.While, ast.With)
LISTED = (ast.Tuple, ast.List, ast.Set, ast.Call)
"""The expressions an entry of which can be dropped."""
MOST_HINTS = 3
"""The number of functions that one hint names at most."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a module: a name in it, the expression to find and the code for its place."""

    at: str
    expr: str
    by: str
    nth: int = 0
    drop: bool = False


@dataclass(frozen=True, slots=True)
class Pattern:
    """Code to find, as syntax trees of one kind.

    The kind is an "expression", a "block" of statements, or the "head" of a statement with a block.
    """

    kind: str
    nodes: tuple[ast.AST, ...]

    @property
    def text(self) -> str:
        """Return its first line."""
        return _line(self.nodes[0])


def check(text: str, change: Change) -> None:
    """Raise Misfit unless a change fits a module."""
    _found(_parsed_once(text), change)


def changed(text: str, change: Change) -> str:
    """Return the text of a module with a change made, without its comments. Raises Misfit."""
    tree = ast.parse(text)
    site, nodes = _found(tree, change)
    site.put(nodes)
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def changed_expression(text: str, change: Change) -> str:
    """Return an expression with another in place of one part of it. Raises Misfit."""
    whole = ast.Expression(_expression(text, "key"))
    wanted = Pattern("expression", (_expression(change.expr, "expr"),))
    found = list(_sites([Site(whole, "body")], wanted))
    if not found:
        raise Misfit("expr", f"`{wanted.text}` does not stand in `{text}`{_nearest(whole, wanted)}")
    site = _chosen(found, wanted, change.nth, f"`{text}`")
    site.put(_different(wanted, Pattern("expression", (_expression(change.by, "by"),))))
    return ast.unparse(whole)


@cache
def _parsed_once(text: str) -> ast.Module:
    return ast.parse(text)


def _found(tree: ast.Module, change: Change) -> tuple[Site, Sequence[ast.AST]]:
    """Return the site of a change in a module, and the nodes that take its place."""
    scopes = scopes_of(tree, change.at)
    if not change.expr:
        site, nodes = _whole(scopes, change)
    else:
        wanted, other = _patterns(change)
        found = list(_sites(scopes, wanted))
        if not found:
            hint = _elsewhere(tree, wanted) or _nearest(scopes[0].node, wanted)
            raise Misfit("expr", f"`{wanted.text}` does not stand in {change.at}{hint}")
        site = _chosen(found, wanted, change.nth, change.at)
        if other is None:
            return _droppable(site, wanted), ()
        nodes = _different(wanted, other)
        if wanted.kind == other.kind == "head":
            nodes = [_with_body(nodes[0], site.node)]
    _refuse_unknown(tree, scopes, nodes)
    return site, nodes


# The body or the value


def _whole(scopes: list[Site], change: Change) -> tuple[Site, Sequence[ast.AST]]:
    """Return the site of a function's body or of a constant's value, and the nodes for it."""
    if len(scopes) > 1:
        raise Misfit("at", f"{change.at} is defined {len(scopes)} times; say the expression that changes")
    node = scopes[0].node
    if isinstance(node, FUNCTION):
        body = _statements(change.by, "by")
        return Site(node, "body", 0, len(node.body)), _different(
            Pattern("block", tuple(node.body)), Pattern("block", tuple(body))
        )
    if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
        raise Misfit("at", f"{change.at} is no function and has no value; say the expression that changes")
    value = Pattern("expression", (_expression(change.by, "by"),))
    return Site(node, "value"), _different(Pattern("expression", (node.value,)), value)


# The code that is looked for


def _patterns(change: Change) -> tuple[Pattern, Pattern | None]:
    """Return the code to find and the code for its place: of one kind, or statements for a head."""
    expr, by = change.expr, change.by
    if expr.strip().endswith(":"):
        return _head(expr, "expr"), _head(by, "by") if by.strip().endswith(":") else _block(by, "by")
    wanted, other = _parsed(expr), None if change.drop else _parsed(by)
    if wanted and change.drop:
        return Pattern("expression", (wanted,)), None
    if wanted and other:
        return Pattern("expression", (wanted,)), Pattern("expression", (other,))
    return _block(expr, "expr"), _block(by, "by")


def _parsed(text: str) -> ast.expr | None:
    """Return an expression, also one of several lines; None where the text is no expression."""
    try:
        return ast.parse(f"({textwrap.dedent(text).strip()}\n)", mode="eval").body
    except SyntaxError:
        return None


def _expression(text: str, key: str) -> ast.expr:
    found = _parsed(text)
    if found is None:
        raise Misfit(key, f"`{text}` is no expression")
    return found


def _statements(text: str, key: str) -> list[ast.stmt]:
    try:
        found = ast.parse(textwrap.dedent(text).strip()).body
    except SyntaxError as error:
        raise Misfit(key, f"`{text}` is no statement ({error.msg})") from None
    if not found:
        raise Misfit(key, "is empty; for no statement say pass")
    return found


def _block(text: str, key: str) -> Pattern:
    return Pattern("block", tuple(_statements(text, key)))


def _head(text: str, key: str) -> Pattern:
    found = _statements(f"{textwrap.dedent(text).strip()} pass", key)
    if len(found) > 1 or not isinstance(found[0], HEADED):
        raise Misfit(key, f"`{text}` is no head of an if, for, while or with")
    return Pattern("head", tuple(found))


def _with_body(head: ast.AST, node: Any) -> ast.AST:
    """Return the statement of a head with the body of another statement."""
    fields = {**dict(ast.iter_fields(head)), "body": node.body}
    if "orelse" in fields:
        fields["orelse"] = getattr(node, "orelse", [])
    return type(head)(**fields)


def _different(wanted: Pattern, other: Pattern) -> Sequence[ast.AST]:
    if wanted.kind == other.kind and _dumped(wanted.nodes) == _dumped(other.nodes):
        raise Misfit("by", "is the code that stands there already")
    return other.nodes


# The places where it stands


def _sites(scopes: list[Site], wanted: Pattern) -> Iterator[Site]:
    """Yield the places of a pattern in scopes, in the order of the text."""
    found = [site for scope in scopes for each in _below(scope) if (site := _match(each, wanted))]
    yield from sorted(found, key=lambda site: (site.node.lineno, site.node.col_offset))


def _below(site: Site) -> Iterator[Site]:
    """Yield a place and all places below it."""
    yield site
    for field, held in ast.iter_fields(site.node):
        if isinstance(held, ast.AST):
            yield from _below(Site(site.node, field))
        elif isinstance(held, list):
            for i in range(len(held)):
                if isinstance(held[i], ast.AST):
                    yield from _below(Site(site.node, field, i))


def _match(site: Site, wanted: Pattern) -> Site | None:
    """Return the place, as long as the pattern, if the pattern stands there."""
    if type(site.node) is not type(wanted.nodes[0]):
        return None
    if wanted.kind == "head":
        return site if _bare(site.node) == _bare(wanted.nodes[0]) else None
    size = len(wanted.nodes)
    there = getattr(site.parent, site.field)[site.start :][:size] if site.start >= 0 else [site.node]
    if _dumped(there) != _dumped(wanted.nodes):
        return None
    return Site(site.parent, site.field, site.start, size)


def _bare(node: ast.AST) -> str:
    """Return the head of a statement, to be compared."""
    return " ".join(ast.dump(each) for each in _heads(node))


def _heads(node: ast.AST) -> list[ast.AST]:
    fields = [held for field, held in ast.iter_fields(node) if field not in ("body", "orelse")]
    nodes = [each for held in fields for each in (held if isinstance(held, list) else [held])]
    return [each for each in nodes if isinstance(each, ast.AST)]


def _dumped(nodes: Sequence[ast.AST]) -> list[str]:
    return [ast.dump(node) for node in nodes]


def _chosen(sites: list[Site], wanted: Pattern, nth: int, at: str) -> Site:
    """Return the only place of a pattern, or the place that `nth` says."""
    times = len(sites)
    if times == 1 and nth:
        raise Misfit("nth", f"`{wanted.text}` stands once in {at}; leave nth out")
    if times > 1 and not 1 <= nth <= times:
        key = "nth" if nth else "expr"
        raise Misfit(key, f"`{wanted.text}` stands {times} times in {at}; say which with nth, 1 to {times}")
    return sites[max(nth, 1) - 1]


def _droppable(site: Site, wanted: Pattern) -> Site:
    if not isinstance(site.parent, LISTED) or site.start < 0:
        raise Misfit("drop", f"`{wanted.text}` is no entry of a tuple, list or set and no argument; say by")
    return site


# The hints of a refusal


def _refuse_unknown(tree: ast.Module, scopes: list[Site], nodes: Sequence[ast.AST]) -> None:
    """Raise Misfit for a name or an attribute that is unknown in the place of a change.

    The tests of the clause would fail for that alone.
    """
    new = [part for node in nodes for part in ast.walk(node)]
    local = [part for scope in scopes for part in ast.walk(scope.node)]
    bound = [part for part in new if not isinstance(getattr(part, "ctx", None), ast.Load)]
    known = {*dir(builtins), *(name for _, names in definitions(tree) for name in names)}
    known |= {part.id for part in (*local, *bound) if isinstance(part, ast.Name)}
    known |= {part.arg for part in (*local, *bound) if isinstance(part, ast.arg)}
    known |= {
        name for part in local if isinstance(part, ast.Import | ast.ImportFrom) for name in names_of(part)
    }
    for part in new:
        if isinstance(part, ast.Name) and part.id not in known:
            raise Misfit("by", f"there is no name {part.id} in that place{alike(part.id, known)}")
        if isinstance(part, ast.Attribute) and part.attr not in words():
            raise Misfit("by", f"nothing in the project is called .{part.attr}{alike(part.attr, words())}")


def _elsewhere(tree: ast.Module, wanted: Pattern) -> str:
    """Return the end of a sentence that names the other functions in which a pattern stands.

    Only functions of the module are searched. Empty where there is none.
    """
    found = [name for name, site in functions(tree) if list(_sites([site], wanted))]
    return f"; it stands in {', '.join(found[:MOST_HINTS])}" if found else ""


def _nearest(node: ast.AST, wanted: Pattern) -> str:
    """Return, as the end of a sentence, the code below a node that is most like a pattern."""
    kind = ast.expr if wanted.kind == "expression" else ast.stmt
    texts = {_line(each) for each in ast.walk(node) if isinstance(each, kind)}
    near = get_close_matches(wanted.text, sorted(texts), n=1, cutoff=0.5)
    return f"; nearest is `{near[0]}`" if near else ""


def _line(node: ast.AST) -> str:
    return ast.unparse(ast.fix_missing_locations(node)).partition("\n")[0]
