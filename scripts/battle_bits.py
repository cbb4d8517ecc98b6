"""Plays whole battles as the core runs here, and compares their logs with other runs.

    python scripts/battle_bits.py --games 20 --factions death-guard,tyranids,orks,chaos-daemons
    HORDE_CORE_PLAIN=1 python scripts/battle_bits.py --games 20 --factions …

Each way has a file of its own in the folder of `--out`, named by how the core runs. A run goes on where an
earlier one in the same way ended. At its end it prints of each way its battles, one hash over them, and their
processor seconds. Exit code 1 where two ways play a battle otherwise.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Annotated, NamedTuple

import typer
from rich.console import Console
from series import Row, play_all, read, row_of, told

from ai.agents import agent
from datasheets.library import Library
from engine.core.play import play
from engine.core.replay import encode
from engine.horde.setup import Options
from engine.systems import new_game
from engine.w40k.view import View
from geometry.core import RUN

FACTIONS = "death-guard,tyranids,orks,chaos-daemons"
FIRST_SEED = 300


class Battle(NamedTuple):
    """A battle of a series."""

    faction: str
    points: int
    seed: int

    @property
    def key(self) -> str:
        """Return the name under which it is found again."""
        return f"{self.faction}/{self.points}/{self.seed}"


def battles(factions: Sequence[str], games: int) -> list[Battle]:
    """Return the battles of each faction, at both sizes in turn."""
    return [
        Battle(faction, (1000, 2000)[game % 2], FIRST_SEED + game)
        for faction in factions
        for game in range(games)
    ]


def played(battle: Battle) -> Row:
    """Return the digest of a battle's log, the number of its lines, and its processor seconds."""
    return row_of(battle, {"key": battle.key}, _shown)


def _shown(battle: Battle) -> Row:
    library = Library()
    army = library.army(f"space-marines-{battle.points}")
    began = time.process_time()
    game = new_game(Options((army,), (battle.faction,), battle.points, seed=battle.seed), library)
    play(game, {"horde": agent("horde"), "p1": agent("steady")}, View)
    took = time.process_time() - began
    digest = sha256(b"\n".join(map(encode, game.lines))).hexdigest()
    return {"digest": digest, "lines": len(game.lines), "processor": round(took, 3)}


def way() -> str:
    """Return how the core runs, as the name of a file: by which compiler, or uncompiled."""
    found = re.search(r"compiled, by (\w+)", RUN.sentence)
    return found.group(1) if found else "uncompiled"


def compared(console: Console, folder: Path, wanted: Sequence[Battle]) -> bool:
    """Tell what each way made of the battles; return whether all ways agree."""
    agree = True
    first: dict[str, tuple[str, str]] = {}
    for file in sorted(folder.glob("*.jsonl")):
        rows = read(file)
        found = [rows[battle.key] for battle in wanted if battle.key in rows]
        whole = sha256("".join(row["digest"] for row in found).encode()).hexdigest()
        took = sum(row["processor"] for row in found)
        console.print(f"{file.stem}: {len(found)} battles, {took:.1f} s, {whole}", highlight=False)
        for row in found:
            other, digest = first.setdefault(row["key"], (file.stem, row["digest"]))
            if digest != row["digest"]:
                agree = False
                console.print(f"  {row['key']} is another battle than by {other}", highlight=False)
    return agree


def main(
    games: Annotated[int, typer.Option(help="Battles of each faction.")] = 20,
    factions: Annotated[str, typer.Option(help="Factions of the Horde.")] = FACTIONS,
    workers: Annotated[int, typer.Option(help="Battles at a time.")] = 2,
    out: Annotated[Path, typer.Option(help="The folder of the results.")] = Path("out/battle_bits"),
) -> None:
    """Play the battles that are missing, and compare all ways."""
    console = Console()
    wanted = battles(factions.split(","), games)
    rows = play_all(played, wanted, workers, out / f"{way()}.jsonl", told(console))
    failed = [row for row in rows if "error" in row]
    for row in failed:
        console.print(f"{row['key']}: {row['error']}", highlight=False)
    if not compared(console, out, wanted) or failed:
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
