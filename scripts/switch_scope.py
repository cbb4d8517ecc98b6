"""The functions, classes and constants of a module, and the places in its syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from switch_hint import ROOT, Misfit, alike, standing

FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)
IMPORT = (ast.Import, ast.ImportFrom)


@dataclass(frozen=True, slots=True)
class Site:
    """A place in a syntax tree: one field of a node, or some entries of a list field.

    The entries are `size` from `start`; a negative `start` stands for the whole field.
    """

    parent: ast.AST
    field: str
    start: int = -1
    size: int = 1

    @property
    def node(self) -> Any:
        """Return the first node in this place."""
        held = getattr(self.parent, self.field)
        return held if self.start < 0 else held[self.start]

    def put(self, nodes: Sequence[ast.AST]) -> None:
        """Put other nodes in this place."""
        if self.start < 0:
            setattr(self.parent, self.field, nodes[0])
        else:
            getattr(self.parent, self.field)[self.start : self.start + self.size] = nodes


def path_of(at: str) -> str:
    """Return the path of the module of a named place, relative to the project's folder.

    A place is named as in "engine.core.dice:Dice.roll". Raises Misfit.
    """
    module, _, name = at.partition(":")
    if not module or not name:
        raise Misfit("at", "say a module and a name in it, as in engine.core.dice:Dice.roll")
    stem = module.replace(".", "/")
    for path in (f"{stem}.py", f"{stem}/__init__.py"):
        if (ROOT / path).is_file():
            return path
    raise Misfit("at", f"there is no module {module}{standing(name.partition('.')[0], module)}")


def scopes_of(tree: ast.Module, at: str) -> list[Site]:
    """Return the definitions of a name; a property may have two."""
    module, _, name = at.partition(":")
    scopes: list[ast.AST] = [tree]
    for part in name.split("."):
        found = [site for scope in scopes for site, names in definitions(scope) if part in names]
        # A name that is only imported is defined elsewhere.
        found = [site for site in found if not isinstance(site.node, IMPORT)]
        scopes = [site.node for site in found]
        if not found:
            hint = _own(tree, name) or standing(part, module) or _like_own(tree, name)
            raise Misfit("at", f"there is no {name} in {module}{hint}")
    return found


def definitions(scope: ast.AST) -> Iterator[tuple[Site, list[str]]]:
    """Yield each statement of a scope, also in branches, and the names that it defines."""
    for field in ("body", "orelse", "finalbody", "handlers"):
        held = getattr(scope, field, ())
        for i, node in enumerate(held if isinstance(held, list) else ()):
            yield Site(scope, field, i), names_of(node)
            if not isinstance(node, (*FUNCTION, ast.ClassDef)):
                yield from definitions(node)


def names_of(node: ast.AST) -> list[str]:
    """Return the names that a statement defines."""
    if isinstance(node, (*FUNCTION, ast.ClassDef)):
        return [node.name]
    if isinstance(node, IMPORT):
        return [each.asname or each.name.partition(".")[0] for each in node.names]
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return [part.id for each in targets if each for part in ast.walk(each) if isinstance(part, ast.Name)]


def functions(scope: ast.AST, above: str = "") -> Iterator[tuple[str, Site]]:
    """Yield the qualified name and the place of each function below a scope."""
    for site, names in definitions(scope):
        if isinstance(site.node, ast.ClassDef):
            yield from functions(site.node, f"{above}{site.node.name}.")
        elif isinstance(site.node, FUNCTION):
            yield f"{above}{names[0]}", site


def _own(tree: ast.Module, name: str) -> str:
    """Return, as the end of a sentence, the function of the module with the last part of a name."""
    last = name.rpartition(".")[2]
    found = [each for each, _ in functions(tree) if each.rpartition(".")[2] == last]
    return f"; did you mean {found[0]}?" if found else ""


def _like_own(tree: ast.Module, name: str) -> str:
    """Return, as the end of a sentence, the name in the module that is most like a name."""
    own = {each for each, _ in functions(tree)} | {each for _, names in definitions(tree) for each in names}
    return alike(name, own)
