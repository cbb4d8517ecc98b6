"""Plays many seeded battles, checks each, and tells what all of them show together.

    python scripts/battles.py --games 60 --workers 2 --out out/battles.jsonl
    python scripts/battles.py --every-faction --referee --out out/factions.jsonl
    python scripts/battles.py --games 20 --referee --assets out/walled --out out/walled.jsonl

`--out` gets one JSON line a battle; run again, it goes on from there. `--sample` plays a few quick ones, as
CI does. Beside the battles asked for, `--shopping` more are played by an autopilot that saves up for one
purchase after another, so that each is met; what still was not bought is saved up for in a few more. With
`--referee` each log is read by the referee too, which measures every path, line of sight and set-up anew; the
file keeps such battles apart from those without. `--every-faction` plays instead one battle of each size
with each faction as the Horde, against the shipped army of the faction after it. `--assets` takes a folder of
assets, as `benchmarks/walled.py` makes one, and plays on those of its layouts that have walls. Exit 1 if a
check fails.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer
from rich.console import Console
from rich.table import Table
from series import play_all, row_of, told
from shopper import Shopper

if TYPE_CHECKING:
    from datasheets.library import Library
    from datasheets.rule import Rule
    from engine.core.game import Game
    from engine.core.play import Agent
    from engine.horde.setup import Options
    from engine.w40k.view import View

FACTIONS = ("death-guard", "tyranids")
SIZES = (1000, 2000)
MOST_ANSWERS = 20_000
"""A battle that is not over by then has stalled."""
ENOUGH = 0.95
"""The share of the free Horde units that must get nearer to their target."""
SAMPLE = 2
MORE = 8
"""How often two battles more are played for each purchase that nobody has bought yet."""
FOR_SEVERAL = ("buy/share-supplies",)
"""What one player alone can never buy."""
ARMY = "space-marines"
"""The faction whose shipped army plays where no other is named."""
DISEMBARKED = 20
"""How many units of the Horde must disembark in the battles of every faction."""
SOME = 8
"""From this many battles on, the players must have won some and lost some."""
MANY = 40
"""From this many battles of the autopilot on, every card and purchase must have come up."""


class Job(NamedTuple):
    """One battle to play."""

    seed: int
    faction: str
    points: int
    agent: str
    referee: bool = False
    army: str = ARMY
    assets: str = ""
    layout: str = ""
    """One of these assets'; where it is empty the seed draws one."""

    @property
    def key(self) -> str:
        """Return the name under which the battle is found again."""
        against = "" if self.army == ARMY else f"/{self.army}"
        on = f"/{self.layout}" if self.layout else ""
        name = f"{self.faction}/{self.points}/{self.seed}/{self.agent}{against}{on}"
        return f"{name}/referee" if self.referee else name


def jobs(games: int, first: int, agent: str, referee: bool = False) -> list[Job]:
    """Return this many battles, each with a seed of its own, the factions and sizes in turn."""
    kinds = [(faction, points) for faction in FACTIONS for points in SIZES]
    return [Job(first + i, *kinds[i % len(kinds)], agent, referee) for i in range(games)]


def jobs_of_factions(library: Library, first: int, agent: str, referee: bool) -> list[Job]:
    """Return a battle of each size with each faction as the Horde, against the next faction."""
    hordes = library.hordes()
    pairs = list(zip(hordes, (*hordes[1:], hordes[0]), strict=True))
    return [
        Job(first + i, faction, points, agent, referee, army)
        for points in SIZES
        for i, (faction, army) in enumerate(pairs)
    ]


def with_walls(wanted: list[Job], assets: Path) -> list[Job]:
    """Return these battles on the layouts of a folder of assets that have walls, in turn."""
    from datasheets.library import Library

    layouts = Library(assets=assets).layouts()
    found = [layout.id for layout in layouts if any(piece.walls for piece in layout.pieces)]
    if not found:
        sys.exit(f"{assets}: no layout has walls; make the folder with benchmarks/walled.py")
    return [job._replace(assets=str(assets), layout=found[i % len(found)]) for i, job in enumerate(wanted)]


def options_of(job: Job, library: Library) -> Options:
    """Return what the battle is made of."""
    from engine.horde.setup import Options

    army = library.army(f"{job.army}-{job.points}")
    deployment = library.layout(job.layout).deployment if job.layout else ""
    return Options(
        (army,), (job.faction,), job.points, seed=job.seed, deployment=deployment, layout=job.layout
    )


def player(job: Job, library: Library) -> Agent[View]:
    """Return the agent that plays the player's seat."""
    from ai.agents import agent

    if job.agent == Shopper.name:
        known = [rule.id for rule in met_alone(library, "buy")]
        first = job.seed % len(known)
        return Shopper([*known[first:], *known[:first]])
    return agent(job.agent)


def never_bought(rows: list[dict[str, Any]], library: Library) -> list[str]:
    """Return the purchases that a single player can make and that nobody has made."""
    bought = {name for row in rows if "error" not in row for name in row["bought"]}
    return [rule.id for rule in met_alone(library, "buy") if rule.id not in bought]


def jobs_for(never: list[str], after: int, first: int, library: Library) -> list[Job]:
    """Return two more battles of the shopper for each of these purchases.

    Their seeds are those after the first `after` ones, counted from `first`.
    """
    known = [rule.id for rule in met_alone(library, "buy")]
    return [
        job
        for job in jobs(after + 2 * len(known), first, Shopper.name)[after:]
        if known[job.seed % len(known)] in never
    ]


def met_alone(library: Library, kind: str) -> list[Rule]:
    """Return the modelled rules of a deck, or the purchases, that a single player can meet."""
    return [
        rule
        for rule in library.rules()
        if rule.tags[:1] == (kind,)
        and rule.status != "unmodelled"
        and "Multiplayer" not in rule.tags
        and rule.id not in FOR_SEVERAL
    ]


def played(job: Job) -> dict[str, Any]:
    """Return what one battle shows; one that fails to be played says so under "error"."""
    return row_of(job, {"key": job.key, **job._asdict()}, _shown)


def _shown(job: Job) -> dict[str, Any]:
    from ai.agents import agent
    from datasheets.library import Library
    from engine.audit.inspection import inspect
    from engine.audit.progress import headway
    from engine.core.apply import digest, fold
    from engine.core.event import Disembarked
    from engine.core.facts import HORDE
    from engine.core.play import play
    from engine.core.replay import encode
    from engine.systems import new_game
    from engine.w40k.view import View
    from viewer.story.report import report

    library = Library(assets=Path(job.assets)) if job.assets else Library()
    game = new_game(options_of(job, library), library)
    play(
        game,
        {"horde": agent("horde"), "p1": player(job, library)},
        View,
        until=lambda game: len(game.answers) >= MOST_ANSWERS,
    )
    found = inspect(game.events, game.ruleset.parameters)
    ways = headway(game.lines, game.ruleset, game.rulebook)
    return {
        **(_refereed(game) if job.referee else {}),
        "stalled": game.pending is not None,
        "winners": game.state.winners,
        "reason": game.state.over,
        "rounds": game.state.round,
        "answers": len(game.answers),
        "broken_off": report(game.lines).broken_off,
        "events": len(game.events),
        "faults": [f"event {fault.n}: {fault.check}: {fault.text}" for fault in found.faults],
        "missing": found.missing(),
        "headway": Counter(way.outcome for way in ways),
        "behind": [
            f"{way.outcome}: round {way.round}, answer {way.n}, {way.unit} to {way.target}, "
            f"{way.before:.3f} to {way.after:.3f}: {way.why}"
            for way in ways
            if way.outcome in ("explained", "unexplained")
        ],
        "revealed": found.revealed,
        "bought": found.bought,
        "causes": found.causes,
        "disembarked": sum(
            isinstance(event, Disembarked) and event.unit.startswith(f"{HORDE}/") for event in game.events
        ),
        "folds": digest(fold(game.events)) == digest(game.state),
        "log": sha256(b"".join(map(encode, game.lines))).hexdigest(),
    }


def _refereed(game: Game) -> dict[str, Any]:
    from engine.audit.referee.reading import read as reading_of

    began = time.perf_counter()
    reading = reading_of(game.lines, game.ruleset, game.rulebook, game.rulings)
    return {
        "disagreements": [str(each) for each in reading.disagreements],
        "measured": reading.checked,
        "referee_seconds": round(time.perf_counter() - began, 2),
    }


def play_on(
    rows: list[dict[str, Any]],
    wanted: list[Job],
    begun: tuple[int, int],
    workers: int,
    out: Path,
    console: Console,
) -> list[dict[str, Any]]:
    """Play more battles for the purchases that nobody has made yet; return all rows.

    This is repeated `MORE` times at most. `begun` is how many battles for purchases were played, and the
    first seed.
    """
    from datasheets.library import Library

    library, (after, first) = Library(), begun
    for _ in range(MORE):
        never = never_bought(rows, library)
        if not never:
            break
        console.print(f"not bought yet: {', '.join(never)}", highlight=False)
        wanted = [*wanted, *jobs_for(never, after, first, library)]
        after += 2 * len(met_alone(library, "buy"))
        rows = play_all(played, wanted, workers, out, told(console))
    return rows


class Check(NamedTuple):
    """One thing that all battles together must show."""

    name: str
    holds: bool
    told: str


def checks(rows: list[dict[str, Any]], agent: str, every_faction: bool = False) -> list[Check]:
    """Return what must hold of the battles, and whether it does.

    A battle of `every_faction` each is too few to ask what a faction does or what is bought in them.
    """
    whole = [row for row in rows if "error" not in row]
    steady = [row for row in whole if row["agent"] != Shopper.name]
    found = [
        _none("no battle raises", rows, lambda row: row.get("error", "").strip().splitlines()[-1:]),
        _none("no battle stalls", whole, lambda row: ["stalled"] if row["stalled"] else []),
        *(
            _none(told, whole, lambda row, check=check: [f for f in row["faults"] if f": {check}: " in f])
            for check, told in (
                ("overlap", "no base overlaps another"),
                ("board", "no base leaves the board"),
                ("coherency", "no unit ends a turn out of coherency"),
                ("dice", "no die is rolled again twice"),
            )
        ),
        _none("folding the log gives the state", whole, lambda row: [] if row["folds"] else ["differs"]),
        _none(
            "what gets no nearer says why",
            whole,
            lambda row: [b for b in row["behind"] if b.startswith("unexplained")],
        ),
        _share_nearer(whole),
        _broken_off(whole),
    ]
    if any("measured" in row for row in whole):
        found.append(_refereed_rows(whole))
    if every_faction:
        return [*found, horde_disembarks(rows)]
    if agent != "fuzz":
        found += [
            _none("both sides move, shoot, charge and fight", steady, lambda row: row["missing"]),
            *_over_all(whole, steady),
        ]
    return found


def horde_disembarks(rows: list[dict[str, Any]]) -> Check:
    """Return whether the Horde disembarks often enough over all battles."""
    count = sum(row["disembarked"] for row in rows if "error" not in row)
    return Check(f"the Horde disembarks at least {DISEMBARKED} times", count >= DISEMBARKED, f"{count} times")


def _none(name: str, rows: list[dict[str, Any]], faults: Any) -> Check:
    bad = [(row["key"], fault) for row in rows for fault in faults(row)]
    battles = len({key for key, _ in bad})
    told = "; ".join(f"{key}: {fault}" for key, fault in bad[:4])
    more = f" … {len(bad)} in {battles} battles" if len(bad) > 4 else ""
    return Check(name, not bad, told + more if bad else f"{len(rows)} battles")


def _refereed_rows(rows: list[dict[str, Any]]) -> Check:
    found = _none("the referee agrees", rows, lambda row: row.get("disagreements", []))
    measured: Counter[str] = Counter()
    for row in rows:
        measured.update(row.get("measured", {}))
    told = ", ".join(f"{count} {what}" for what, count in sorted(measured.items()))
    return found._replace(told=f"{found.told}; measured anew: {told}")


def _share_nearer(rows: list[dict[str, Any]]) -> Check:
    total: Counter[str] = Counter()
    for row in rows:
        total.update(row["headway"])
    free = sum(total[outcome] for outcome in ("nearer", "explained", "unexplained"))
    share = total["nearer"] / free if free else 0.0
    told = ", ".join(f"{count} {outcome}" for outcome, count in sorted(total.items()))
    return Check(f"{ENOUGH:.0%} of free Horde units get nearer", share >= ENOUGH, f"{share:.1%} ({told})")


def _broken_off(rows: list[dict[str, Any]]) -> Check:
    """Return how many searches ended with their budget.

    The check never fails: the log has to flag such searches, and they are no fault.
    """
    count, answers = (sum(row.get(key, 0) for row in rows) for key in ("broken_off", "answers"))
    return Check("searches that are broken off are flagged", True, f"{count} of {answers} answers")


def _over_all(rows: list[dict[str, Any]], steady: list[dict[str, Any]]) -> list[Check]:
    """Return what only many battles show: wins and losses, and every card and purchase met."""
    wins = sum(bool(row["winners"]) for row in steady)
    if len(steady) < SOME:
        return []
    found = [Check("players win some and lose some", 0 < wins < len(steady), f"{wins} of {len(steady)} won")]
    if len(steady) < MANY:
        return found
    from datasheets.library import Library

    library = Library()
    met = {name for row in rows for name in (*row["revealed"], *row["bought"])}
    causes = {cause for row in rows for cause in row["causes"]}
    for kind in ("misery", "secondary", "secret", "buy"):
        known = met_alone(library, kind)
        never = [rule.id for rule in known if rule.id not in met]
        found.append(Check(f"every {kind} rule is met", not never, ", ".join(never) or f"all {len(known)}"))
        # What only changes numbers or permissions leaves no event of its own; a secret may stay hidden.
        acting = [rule for rule in known if (rule.when or rule.instead) and kind != "secret"]
        idle = [rule.id for rule in acting if rule.clause not in causes]
        if acting:
            found.append(Check(f"every {kind} rule acts", not idle, ", ".join(idle) or f"all {len(acting)}"))
    return found


def table(rows: list[dict[str, Any]]) -> Table:
    """Return the battles as a table, a line for each faction and size."""
    made = Table(title="Battles", show_lines=False)
    for column in (
        "battles of",
        "played",
        "won",
        "rounds",
        "answers",
        "events",
        "seconds",
        "nearer",
        "seeds",
    ):
        made.add_column(column, justify="left" if column == "battles of" else "right")
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        against = "" if row.get("army", ARMY) == ARMY else f" against {row['army']}"
        groups.setdefault(f"{row['faction']} {row['points']}{against}, {row['agent']}", []).append(row)
    for name, group in groups.items():
        whole = [row for row in group if "error" not in row]
        ways: Counter[str] = Counter()
        for row in whole:
            ways.update(row["headway"])
        free = ways["nearer"] + ways["explained"] + ways["unexplained"]
        seeds = [row["seed"] for row in group]
        made.add_row(
            name,
            str(len(group)),
            str(sum(bool(row["winners"]) for row in whole)),
            *(_mean(row[key] for row in whole) for key in ("rounds", "answers", "events", "seconds")),
            f"{ways['nearer'] / free:.1%}" if free else "-",
            f"{min(seeds)} to {max(seeds)}",
        )
    return made


def _mean(values: Iterable[float]) -> str:
    found = list(values)
    return f"{sum(found) / len(found):.1f}" if found else "-"


def main(
    games: Annotated[int, typer.Option(min=1, help="How many battles.")] = 60,
    workers: Annotated[int, typer.Option(min=1, help="How many processes.")] = 2,
    out: Annotated[Path, typer.Option(help="Where the rows go; what it holds is not played again.")] = Path(
        "out/battles.jsonl"
    ),
    first: Annotated[int, typer.Option(help="The first seed.")] = 1,
    agent: Annotated[str, typer.Option(help="Who plays the players: steady or fuzz.")] = "steady",
    shopping: Annotated[int, typer.Option(min=0, help="How many battles more for the purchases.")] = 84,
    sample: Annotated[bool, typer.Option("--sample", help=f"Play only {SAMPLE} battles.")] = False,
    referee: Annotated[bool, typer.Option("--referee", help="Have the referee read each log.")] = False,
    every_faction: Annotated[
        bool, typer.Option("--every-faction", help="Play each faction once as the Horde, at each size.")
    ] = False,
    assets: Annotated[
        Path | None, typer.Option(help="A folder of assets, on whose layouts with walls battles are played.")
    ] = None,
) -> None:
    """Play battles, check them and print what they show."""
    console = Console() if sys.stdout.isatty() else Console(width=120)
    wanted = jobs(SAMPLE if sample else games, first, agent, referee)
    if every_faction:
        from datasheets.library import Library

        wanted = jobs_of_factions(Library(), first, agent, referee)
    is_series = not sample and not every_faction and assets is None and games >= MANY
    shops = shopping > 0 and is_series and agent != "fuzz"
    if shops:
        wanted += jobs(shopping, first, Shopper.name, referee)
    if assets is not None:
        wanted = with_walls(wanted, assets)
    rows = play_all(played, wanted, workers, out, told(console))
    if shops:
        rows = play_on(rows, wanted, (shopping, first), workers, out, console)
    console.print(table(rows))
    found = checks(rows, agent, every_faction)
    for check in found:
        console.print(
            f"{'holds' if check.holds else 'FAILS'}  {check.name}: {check.told}", markup=False, soft_wrap=True
        )
    sys.exit(0 if all(check.holds for check in found) else 1)


if __name__ == "__main__":
    typer.run(main)
