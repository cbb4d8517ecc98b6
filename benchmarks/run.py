"""The command that runs all benchmarks of geometry and tells their figures.

Owns its options, the file from which the slow search goes on, and the table.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from benchmarks.moves import Verdict, found_share, moves, verdict
from benchmarks.paths import paths
from benchmarks.sights import distances, shape_sights, sights
from benchmarks.timing import Figure

BEGIN = "<!-- figures: written by benchmarks/geometry.py --doc -->"
END = "<!-- end of figures -->"
CLOCKS = ("us", "ms")


def verdicts(cases: int, restarts: int, out: Path | None) -> list[Verdict]:
    """Return what came of this many cases; those that the file holds are not searched again."""
    known: dict[tuple[int, int], Verdict] = {}
    if out is not None and out.exists():
        for line in out.read_text().splitlines():
            row = json.loads(line)
            begun = row.pop("restarts")
            known[begun, row["seed"]] = Verdict(**row)
    for seed in range(cases):
        if (restarts, seed) in known:
            continue
        known[restarts, seed] = found = verdict(seed, restarts)
        if out is not None:
            out.parent.mkdir(parents=True, exist_ok=True)
            with out.open("a") as file:
                file.write(json.dumps({"restarts": restarts, **asdict(found)}) + "\n")
    return [known[restarts, seed] for seed in range(cases)]


def told(figure: Figure) -> tuple[str, str, str, str, str]:
    """Return a figure as a row: its name, value and target, whether it is met, and what it is."""
    value = "-" if figure.value is None else f"{figure.value:,.3g} {figure.unit}".strip()
    target = f">= {figure.least:g}" if figure.least is not None else ""
    target = f"<= {figure.most:g}" if figure.most is not None else target
    met = {None: "", True: "yes", False: "NO"}[figure.met]
    return figure.name, value, target, met, figure.told


def table(figures: list[Figure]) -> Table:
    """Return the figures as a table."""
    made = Table(title="Geometry")
    for column in ("figure", "value", "target", "met", "what"):
        made.add_column(column, justify="right" if column in ("value", "target") else "left")
    for figure in figures:
        made.add_row(*told(figure))
    return made


def with_figures(page: str, figures: list[Figure]) -> str:
    """Return a page with these figures between its two marks.

    How long things take on one machine is not given there.
    """
    rows = ["| figure | value | target | met | what |", "|---|---:|---:|---|---|"]
    lasting = [figure for figure in figures if figure.unit not in CLOCKS]
    rows += [f"| {' | '.join((f'`{name}`', *rest))} |" for name, *rest in map(told, lasting)]
    before, _, after = page.partition(BEGIN)
    return f"{before}{BEGIN}\n\n" + "\n".join(rows) + f"\n\n{END}{after.partition(END)[2]}"


def run(
    as_json: Annotated[bool, typer.Option("--json", help="Print each figure by name.")] = False,
    boards: Annotated[int, typer.Option(min=1, help="How many boards.")] = 24,
    cases: Annotated[int, typer.Option(min=0, help="How many moves the slow search is asked for.")] = 60,
    restarts: Annotated[int, typer.Option(min=1, help="How often the slow search begins anew.")] = 200,
    out: Annotated[Path | None, typer.Option(help="Where the search's verdicts are kept.")] = None,
    doc: Annotated[Path | None, typer.Option(help="A page whose table of figures is written anew.")] = None,
) -> None:
    """Measure geometry against the obvious alternatives."""
    if doc is not None and not (doc.is_file() and BEGIN in doc.read_text() and END in doc.read_text()):
        raise typer.BadParameter(f"{doc} is no page with the lines '{BEGIN}' and '{END}'")
    figures, loop = sights(min(boards, 4))
    figures += shape_sights(min(boards, 2))
    figures += [*distances(), *paths(min(boards, 4)), *moves(boards, loop)]
    if cases:
        figures += found_share(verdicts(cases, restarts, out))
    if doc is not None:
        doc.write_text(with_figures(doc.read_text(), figures))
    if as_json:
        print(json.dumps({figure.name: figure.value for figure in figures}, indent=2))
        return
    console = Console() if sys.stdout.isatty() else Console(width=150)
    console.print(table(figures))


def main() -> None:
    """Run the command."""
    typer.run(run)
