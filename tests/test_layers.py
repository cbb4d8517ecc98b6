"""The house's layers: their order, what a headless battle loads, and how long a file may be.

Imports of every kind count: at the top, for the type checker alone, in a function, for effect.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from itertools import permutations
from pathlib import Path

import networkx as nx
import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("geometry", "datasheets", "engine", "ai", "factions", "viewer", "assets")
ORDER = (
    "assets",
    "geometry/tolerance",
    "geometry/core",
    "geometry/portable",
    "geometry/shape",
    "geometry/measure",
    "geometry/sight",
    "geometry/path",
    "geometry/single",
    "geometry/group",
    "datasheets",
    "engine/core",
    "engine/table",
    "engine/records",
    "engine/w40k",
    "engine/horde",
    "engine/systems",
    "engine/audit",
    "engine/scenario",
    "ai/reasons",
    "ai/reckoning",
    "ai/muster",
    "ai/moving",
    "ai/horde",
    "ai/autopilot",
    "ai/fuzz",
    "ai/agents",
    "factions",
    "viewer/shadowing",
    "viewer/story",
    "viewer/input",
    "viewer/terminal",
    "viewer/window",
    "viewer/menu",
    "viewer/commands",
    "viewer/cli",
)
"""The packages, lowest first: each may import itself and those before it."""
IN_W40K = ("ground", "activation", "attack", "phase", "legality", "words", "verbs")
"""The folders of engine/w40k, lowest first.

The files of engine/w40k itself have no place in this order; they only must not lie in a cycle.
"""
APART = (
    ("engine/firefight", "engine/w40k"),
    ("engine/firefight", "engine/horde"),
    ("geometry/sight", "geometry/path"),
    ("engine/records", "engine/table"),
    ("engine/audit", "engine/scenario"),
    ("datasheets", "geometry"),
    ("factions", "ai"),
)
"""Packages of which neither imports the other."""
PURE = ("geometry", "engine", "ai")
CHANCE_AND_TIME = {"random", "secrets", "time", "datetime"}
LONGEST = 500


def modules(*packages: str) -> list[Path]:
    """Return the modules of these packages, in order."""
    return [path for package in packages for path in sorted((ROOT / package).rglob("*.py"))]


@lru_cache(maxsize=2048)
def tree(path: Path) -> ast.Module:
    """Return a module's syntax tree."""
    return ast.parse(path.read_text())


def imported(path: Path) -> Iterator[str]:
    """Yield the name of every module that a file imports, at its top or in a function."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def top(name: str) -> str:
    return name.split(".")[0]


def name_of(path: Path) -> str:
    """Return a module's name; a package's own file is the package."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def within(name: str, package: str) -> bool:
    """Return whether a module is one of a package, or is it."""
    return f"{name.replace('.', '/')}/".startswith(f"{package}/")


def rank(name: str, order: tuple[str, ...] = ORDER) -> int | None:
    """Return the place of a module's package in an order; None where none is its."""
    return next((place for place, package in enumerate(order) if within(name, package)), None)


def targets(node: ast.AST, names: frozenset[str], package: str) -> Iterator[str]:
    """Yield those of the modules `names` that a statement imports, each from where it lies.

    `package` is where the statement stands, for imports that are relative.
    """
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if alias.name in names)
    elif isinstance(node, ast.ImportFrom):
        parts = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
        source = ".".join([*parts, *([node.module] if node.module else [])])
        for alias in node.names:
            full = f"{source}.{alias.name}"
            if full in names or source in names:
                yield full if full in names else source


def arrows_of(files: dict[str, ast.Module], packages: frozenset[str] = frozenset()) -> nx.DiGraph:
    """Return the graph of the modules, an edge from each to every one that it imports.

    `packages` are those of the names that are packages.
    """
    graph = nx.DiGraph()
    graph.add_nodes_from(files)
    names = frozenset(files)
    for name, module in files.items():
        package = name if name in packages else name.rpartition(".")[0]
        for node in ast.walk(module):
            graph.add_edges_from((name, to) for to in targets(node, names, package))
    return graph


@lru_cache(maxsize=1)
def arrows() -> nx.DiGraph:
    """Return the graph of this project's modules."""
    paths = modules(*PACKAGES)
    own = frozenset(name_of(path) for path in paths if path.name == "__init__.py")
    return arrows_of({name_of(path): tree(path) for path in paths}, own)


def upward(graph: nx.DiGraph) -> set[str]:
    """Return the imports that run up between packages, or between the folders of engine/w40k."""
    folders = tuple(f"engine/w40k/{folder}" for folder in IN_W40K)
    found = set()
    for here, there in graph.edges:
        for order in (ORDER, folders):
            low, high = rank(here, order), rank(there, order)
            if low is not None and high is not None and high > low:
                found.add(f"{here} imports {there}")
    return found


def crossing(graph: nx.DiGraph) -> set[str]:
    """Return the imports between packages that stand apart."""
    return {
        f"{here} imports {there} of a package apart"
        for here, there in graph.edges
        for pair in APART
        for one, other in permutations(pair)
        if within(here, one) and within(there, other)
    }


def knotted(graph: nx.DiGraph) -> set[str]:
    """Return the modules that lie in a cycle of imports."""
    knots = [knot for knot in nx.strongly_connected_components(graph) if len(knot) > 1]
    return {f"{name} lies in a cycle" for knot in knots for name in knot}


def homeless() -> set[str]:
    """Return the modules that no line of ORDER holds; an empty package file needs none."""
    return {
        f"{name_of(path)} has no line in ORDER"
        for path in modules(*PACKAGES)
        if rank(name_of(path)) is None and (path.name != "__init__.py" or tree(path).body)
    }


def twice() -> set[str]:
    """Return the file names and the public class names that stand twice in one package."""
    files, classes = defaultdict(list), defaultdict(list)
    for path in modules(*PACKAGES):
        place, name = rank(name_of(path)), name_of(path)
        if path.name != "__init__.py":
            files[place, path.name].append(name)
        for node in tree(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                classes[place, node.name].append(name)
    same_file = {f"{' and '.join(own)} have one file name" for own in files.values() if len(own) > 1}
    return same_file | {
        f"{' and '.join(own)} both have a class {name}" for (_, name), own in classes.items() if len(own) > 1
    }


def same_names(module: ast.Module) -> set[str]:
    """Return the names that a module imports from two modules of this project."""
    source: dict[str, set[str]] = defaultdict(set)
    for node in ast.walk(module):
        if isinstance(node, ast.ImportFrom) and node.module and top(node.module) in PACKAGES:
            for alias in node.names:
                source[alias.name].add(node.module)
    return {name for name, modules_ in source.items() if len(modules_) > 1}


def two_of_one_name() -> set[str]:
    """Return the modules that import two things of one name."""
    return {
        f"{name_of(path)} imports two of the name {name}"
        for path in modules(*PACKAGES)
        for name in same_names(tree(path))
    }


def test_nothing_imports_upward() -> None:
    assert not sorted(upward(arrows()))


def test_packages_that_stand_apart_do_not_import_each_other() -> None:
    assert not sorted(crossing(arrows()))


def test_no_module_lies_in_a_cycle() -> None:
    assert not sorted(knotted(arrows()))


def test_every_module_belongs_to_a_line_of_the_order() -> None:
    assert not sorted(homeless())


def test_no_name_stands_twice_in_a_package() -> None:
    assert not sorted(twice())


def test_no_module_imports_two_of_one_name() -> None:
    assert not sorted(two_of_one_name())


def graph_of(**sources: str) -> nx.DiGraph:
    """Return the graph of modules with these texts; "__" stands for "." in their names."""
    return arrows_of({name.replace("__", "."): ast.parse(text) for name, text in sources.items()})


@pytest.mark.parametrize(
    "text",
    [
        "from engine.table.index import Index",
        "from engine.table import index",
        "import engine.table.index",
        "import engine.table.index as them  # for effect",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from engine.table.index import Index",
        "def late():\n    from engine.table.index import Index",
        "class Late:\n    def late(self):\n        import engine.table.index",
        "from ..table import index",
        "from ..table.index import Index",
    ],
)
def test_imports_of_every_kind_count(text: str) -> None:
    graph = graph_of(engine__core__here=text, engine__table__index="from engine.core import here")
    assert upward(graph) == {"engine.core.here imports engine.table.index"}
    assert knotted(graph) == {"engine.core.here lies in a cycle", "engine.table.index lies in a cycle"}


def test_the_folders_of_w40k_have_an_order_of_their_own() -> None:
    graph = graph_of(
        engine__w40k__ground__a="from engine.w40k.phase.b import f",
        engine__w40k__phase__b="import engine.w40k.ground.a\nfrom engine.w40k.battle import Battle",
        engine__w40k__battle="from engine.w40k.phase.b import f",
    )
    assert upward(graph) == {"engine.w40k.ground.a imports engine.w40k.phase.b"}
    assert len(knotted(graph)) == 3


def test_packages_apart_are_told_from_those_that_are_not() -> None:
    graph = graph_of(
        geometry__sight__a="", geometry__path__b="import geometry.sight.a", ai__c="import geometry.path.b"
    )
    assert crossing(graph) == {"geometry.path.b imports geometry.sight.a of a package apart"}


def test_a_name_from_two_modules_is_found_behind_an_alias() -> None:
    text = "from engine.core.event import Trail\nfrom geometry.path.trail import Trail as Way"
    assert same_names(ast.parse(text)) == {"Trail"}
    assert not same_names(ast.parse("from math import dist\nfrom numpy import dist"))


def test_only_the_viewer_draws() -> None:
    others = [package for package in PACKAGES if package != "viewer"]
    assert not [p for p in modules(*others) if any(top(name) == "pygame" for name in imported(p))]


def test_the_rules_know_neither_chance_nor_time() -> None:
    found = {
        str(path.relative_to(ROOT)): used
        for path in modules(*PURE)
        if (used := {top(name) for name in imported(path)} & CHANCE_AND_TIME)
    }
    assert found == {"engine/core/dice.py": {"random"}}


def test_no_file_is_too_long() -> None:
    scripts = [*(ROOT / "scripts").rglob("*.py"), *(ROOT / "tests").rglob("*.py")]
    long = {p: n for p in [*modules(*PACKAGES), *scripts] if (n := len(p.read_text().splitlines())) > LONGEST}
    assert not long


HEADLESS = """
import sys
from viewer import cli
sys.argv = ["horde", "battle", "--seed", "7", "--rounds", "1"]
try:
    cli.main()
except SystemExit as end:
    assert not end.code, end.code
drawn = sorted(name for name in sys.modules if name.split(".")[0] == "pygame")
sys.exit(f"a headless battle loaded {drawn}" if drawn else 0)
"""


def test_a_headless_battle_loads_no_pygame() -> None:
    done = subprocess.run([sys.executable, "-c", HEADLESS], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "The battle is over" in done.stdout


LEGALITY = "engine/w40k/legality"
STEPS = ("engine/w40k/attack", "engine/w40k/phase", "engine/w40k/activation", "engine/horde/steps")
CORE_SEARCHES = (
    "tangents",
    "targets",
    "frontier",
    "search",
    "distance_map",
    "spot_pool",
    "room_search",
    "unit_setup",
    "unit_plan",
)
NO_SEARCH = {
    "groups": ((LEGALITY, *STEPS), ("geometry/group",)),
    "searches": ((LEGALITY, *STEPS), tuple(f"geometry/core/{name}.py" for name in CORE_SEARCHES)),
    "paths": ((LEGALITY,), ("geometry/path/planner.py", "geometry/path/climbing.py")),
}
"""The places that each bar starts from, and the places that imports may not lead to.

A place is a folder or a file. The check of what is legal asks no search, and shares no code with one but
the distances of points and lines from shapes.
"""


def files_of(place: str) -> set[str]:
    """Return the names of the modules in a folder, or that of one file; there must be some."""
    path = ROOT / place
    found = sorted(path.rglob("*.py")) if path.is_dir() else [path]
    assert found, f"{place} has no modules"
    assert all(each.exists() for each in found), f"{place} does not exist"
    return {module_name(each) for each in found}


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imports_of(path: Path) -> Iterator[str]:
    """Yield the names of the modules that an absolute import anywhere in a file may mean.

    `from a import b` gives `a` and `a.b`.
    """
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def ways_to_reach(starts: set[str], barred: set[str]) -> list[str]:
    """Return a chain of imports to each barred module that some modules reach.

    A chain is text, the barred module first, and ends with a module that the search starts from.
    """
    graph = {module_name(path): set(imports_of(path)) for path in modules(*PACKAGES)}
    before: dict[str, str] = dict.fromkeys(sorted(starts), "")
    queue = list(before)
    for name in queue:
        new = sorted((graph[name] & graph.keys()) - before.keys())
        before |= dict.fromkeys(new, name)
        queue += new
    chains = []
    for name in sorted(barred & before.keys()):
        chain = [name]
        while before[chain[-1]]:
            chain.append(before[chain[-1]])
        chains.append(" <- ".join(chain))
    return chains


@pytest.mark.parametrize("what", NO_SEARCH)
def test_what_is_legal_reaches_no_planner(what: str) -> None:
    starts, barred = (set().union(*map(files_of, places)) for places in NO_SEARCH[what])
    assert not ways_to_reach(starts, barred)


def test_a_planner_that_is_reached_is_found_with_its_chain() -> None:
    assert ways_to_reach({"ai.moving.closing_in"}, {"geometry.group.party"})
    assert not ways_to_reach({"geometry.single.free_space"}, files_of("geometry/path/planner.py"))
    with pytest.raises(AssertionError, match="does not exist"):
        files_of("geometry/path/no_such_module.py")
