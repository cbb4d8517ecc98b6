"""A made-up battle for the viewer's tests: every kind of event, by hand and by a seed.

It is no battle of the engine's: dice and distances are only plausible.
"""

from __future__ import annotations

import gc
import math
import os
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import pygame
import pytest

from engine.core import event as ev
from engine.core.apply import apply
from engine.core.facts import (
    BaseFacts,
    BoardFacts,
    ModelFacts,
    ObjectiveFacts,
    PartFacts,
    PlayerFacts,
    Side,
    TerrainFacts,
    UnitFacts,
    WeaponFacts,
    ZoneFacts,
)
from engine.core.game import Game
from engine.core.request import Because, Candidate
from engine.core.state import State, Unit
from tests.viewer.at_menu import Evening
from tests.viewer.at_window import Open, show
from tests.viewer.command_line import HORDE, Done, Horde
from viewer import cli
from viewer.story.source import Entry, Reason, Recording
from viewer.window.window import Window

Pair = tuple[float, float]


def box(x: float, y: float, wide: float, deep: float) -> tuple[Pair, ...]:
    """Return a rectangle by its lower left corner."""
    return ((x, y), (x + wide, y), (x + wide, y + deep), (x, y + deep))


BOARD = BoardFacts(
    deployment="dawn-of-war",
    layout="horde-dawn-of-war-1",
    terrain=(
        TerrainFacts(id="H1", kind="ruin", footprint=box(38, 14, 5, 10), height=5),
        TerrainFacts(id="H2", kind="ruin", footprint=box(17, 20, 5, 10), height=5),
        TerrainFacts(id="H3", kind="woods", footprint=box(0, 12, 4, 6), height=4),
        TerrainFacts(id="H4", kind="woods", footprint=box(56, 26, 4, 6), height=4),
        TerrainFacts(id="H5", kind="barricade", footprint=box(28.5, 13, 6, 2), height=1),
        TerrainFacts(id="H6", kind="barricade", footprint=box(25.5, 29, 6, 2), height=1),
        TerrainFacts(id="H7", kind="woods", footprint=box(37, 28, 6, 4), height=4),
        TerrainFacts(id="H8", kind="woods", footprint=box(17, 12, 6, 4), height=4),
        TerrainFacts(id="H9", kind="crater", footprint=box(53.5, 13, 6, 4), height=1),
        TerrainFacts(id="H10", kind="barricade", footprint=box(0.5, 29, 6, 2), height=1),
    ),
    zones=(
        ZoneFacts(id="S1", kind="spawn", polygon=box(0, 32, 30, 12), front=(((0, 32), (30, 32)),)),
        ZoneFacts(id="S2", kind="spawn", polygon=box(30, 32, 30, 12), front=(((30, 32), (60, 32)),)),
        ZoneFacts(id="horde", kind="horde", polygon=box(0, 32, 60, 12)),
        ZoneFacts(id="defender", kind="defender", polygon=box(0, 0, 60, 12)),
    ),
    objectives=tuple(
        ObjectiveFacts(id=f"obj{i + 1}", at=at)
        for i, at in enumerate([(30, 22), (10, 22), (50, 22), (30, 6), (30, 38)])
    ),
)
SMALL = BaseFacts(length=32 / 25.4, width=32 / 25.4)
BIG = BaseFacts(shape="oval", length=90 / 25.4, width=52 / 25.4)
TANK = BaseFacts(shape="hull", length=4.7, width=2.9)


class Log:
    """A battle being written: each event is applied, so that the next can build on it."""

    def __init__(self, seed: int = 1) -> None:
        self.state = State()
        self.entries: list[Entry] = []
        self.chance = random.Random(seed)
        self.answers = 0
        self.n = 0

    def tell(self, event: ev.Event) -> None:
        """Write an event."""
        event.n, event.round, event.turn, event.phase = (
            self.n,
            self.state.round,
            self.state.turn,
            self.state.phase,
        )
        self.n += 1
        apply(self.state, event)
        self.entries.append(event)

    def why(self, unit: str, decision: str, *because: Because) -> None:
        """Write the reasons of a Horde decision."""
        self.entries.append(Reason(self.answers, "horde", unit, decision, because))
        self.answers += 1

    def unit(
        self, id_: str, name: str, side: Side, models: int, at: Pair, wounds: int = 1, base: BaseFacts = SMALL
    ) -> None:
        """Set up a new unit in rows of five round a place."""
        first = len(self.state.position.models)
        gun = WeaponFacts(
            name="Boltgun", item="boltgun", range=24, attacks="2", skill=3, ap=-1, keywords=("heavy",)
        )
        blade = WeaponFacts(name="Close combat weapon", attacks="3", skill=3)
        facts = UnitFacts(
            id=id_,
            name=name,
            side=side,
            player="horde" if side == "horde" else "p1",
            parts=(
                PartFacts(
                    datasheet=f"x/{id_}",
                    name=name,
                    keywords=frozenset({"INFANTRY", "BATTLELINE"}),
                    abilities=("feel no pain 5+",),
                    starting_models=models,
                    points=90,
                    unmodelled=("Curse of the Walking Pox",),
                ),
            ),
            models=tuple(
                ModelFacts(
                    row=first + i,
                    name=f"{name} champion" if i == 0 and models > 1 else name,
                    base=base,
                    height=2.0,
                    characteristics={"M": 6, "T": 5, "Sv": 3, "W": wounds, "Ld": 6, "OC": 2, "Inv": 5},
                    weapons=(0, 1),
                )
                for i in range(models)
            ),
            weapons=(gun, blade),
            bracket=2 if side == "horde" else 0,
        )
        gap = base.length + 0.25
        down = 270.0 if side == "horde" else 90.0
        poses = {
            first + i: (at[0] + (i % 5 - min(models - 1, 4) / 2) * gap, at[1] + (i // 5) * gap, 0.0, down)
            for i in range(models)
        }
        self.tell(ev.Placed(unit=id_, poses=poses, facts=facts))

    def centre(self, unit: Unit) -> Pair:
        """Return the middle of a unit."""
        xy = self.state.position.table.xy[list(unit.rows)].mean(axis=0)
        return float(xy[0]), float(xy[1])

    def nearest(self, unit: Unit) -> Unit | None:
        """Return the closest enemy."""
        enemies = [u for u in self.state.position.on_table() if u.side != unit.side and u.rows]
        return min(enemies, key=lambda u: math.dist(self.centre(u), self.centre(unit)), default=None)

    def advance(self, unit: Unit, kind: str, inches: float) -> None:
        """Move a unit toward its closest enemy, the leading model round an arc."""
        target = self.nearest(unit)
        if target is None:
            return
        here, there = self.centre(unit), self.centre(target)
        gap = math.dist(here, there)
        far = max(min(inches, gap - 3.0), 0.0)
        dx, dy = (there[0] - here[0]) / gap * far, (there[1] - here[1]) / gap * far
        if unit.side == "horde":
            others = [u.id for u in self.state.position.on_table("players") if u is not target]
            self.why(
                unit.id,
                kind,
                Because(
                    clause="AI.MOVE.1",
                    reason="the closest visible enemy",
                    target=target.id,
                    candidates=(
                        Candidate(id=target.id, distance=gap),
                        *(Candidate(id=o, distance=gap + 3, failed="not-visible") for o in others[:2]),
                    ),
                    lines=((here, there),),
                ),
            )
        facing = math.degrees(math.atan2(dy, dx))
        poses, paths = {}, {}
        for i, row in enumerate(unit.rows):
            x, y = map(float, self.state.position.table.xy[row])
            end = (min(max(x + dx, 1.0), 59.0), min(max(y + dy, 1.0), 43.0))
            middle = ((x + end[0]) / 2, (y + end[1]) / 2)
            arc = (*end, *middle, 1.0)
            paths[row] = (arc,) if i == 0 and kind == "charge" else (middle, end)
            poses[row] = (*end, 0.0, facing)
        self.tell(ev.Moved(unit=unit.id, kind_of_move=kind, poses=poses, paths=paths))

    def attack(self, unit: Unit, *, melee: bool) -> None:
        """Let a unit attack its closest enemy."""
        target = self.nearest(unit)
        if target is None or not unit.rows:
            return
        if unit.side == "horde":
            because = Because(clause="AI.SHOOT.1", reason="the closest legal target", target=target.id)
            self.why(unit.id, "fight" if melee else "shoot", because)
        shots = tuple(ev.Shot(model=row, weapon=int(melee), target=target.id) for row in unit.rows)
        self.tell(ev.Targeted(unit=unit.id, shots=shots, melee=melee))
        attacks = 2 * len(unit.rows)
        hits = sum(self.chance.random() < 0.6 for _ in range(attacks))
        wounds = sum(self.chance.random() < 0.5 for _ in range(hits))
        unsaved = sum(self.chance.random() < 0.4 for _ in range(wounds))
        die = tuple(self.chance.randint(1, 6) for _ in range(attacks))
        self.tell(ev.Rolled(roll="hit", dice=die, total=hits, stream="dice", draws=self.n, unit=unit.id))
        self.tell(
            ev.Attacked(
                unit=unit.id,
                target=target.id,
                weapon=unit.weapon(int(melee)).name,
                models=unit.rows,
                attacks=attacks,
                hits=hits,
                critical_hits=hits // 4,
                wounds=wounds,
                critical_wounds=0,
                unsaved=unsaved,
            )
        )
        for _ in range(unsaved):
            self.hurt(target, unit.id)

    def hurt(self, target: Unit, by: str) -> None:
        """Take a wound off a unit, and the model and the unit with its last."""
        if not target.rows:
            return
        row = target.rows[-1]
        left = self.state.position.models[row].wounds - 1
        self.tell(ev.Damaged(unit=target.id, model=row, amount=1, wounds=left, by=by))
        if left == 0:
            self.tell(ev.Destroyed(unit=target.id, model=row, by=by))
            if not target.rows:
                self.tell(ev.UnitDestroyed(unit=target.id, by=by))

    def phase(self, name: str, cursor: int) -> None:
        """Begin a phase."""
        self.tell(ev.PhaseBegan(name=name, step=name, cursor=cursor))

    def turn(self, side: Side) -> None:
        """Play a side's turn."""
        self.tell(ev.TurnBegan(whose=side))
        for cursor, (phase, kind) in enumerate(
            [("command", ""), ("movement", "normal"), ("shooting", ""), ("charge", "charge"), ("fight", "")]
        ):
            self.phase(phase, cursor)
            for unit in self.state.position.on_table(side):
                if kind == "normal" or (kind == "charge" and self.chance.random() < 0.4):
                    if kind == "charge":
                        self.tell(
                            ev.Rolled(
                                roll="charge",
                                dice=(3, 5),
                                total=8,
                                stream="dice",
                                draws=self.n,
                                unit=unit.id,
                                need=7,
                            )
                        )
                    self.advance(unit, kind, 6.0 if kind == "normal" else 7.5)
                elif phase == "shooting" or (phase == "fight" and self.chance.random() < 0.4):
                    self.attack(unit, melee=phase == "fight")
            self.tell(ev.PhaseEnded(name=phase, step=phase, cursor=cursor + 1))
        self.tell(ev.TurnEnded(whose=side))


def battle(rounds: int = 3, seed: int = 1) -> list[Entry]:
    """Return the entries of a made-up battle."""
    log = Log(seed)
    deck = ("misery/3-rip-and-tear", "misery/9-relentless", "misery/21-horrors")
    log.tell(
        ev.Setup(
            ruleset="horde-1.1",
            board=BOARD,
            players=(PlayerFacts(id="p1", name="Ultramarines", faction="space-marines", cp=3, sp=2),),
            decks={
                "misery": deck,
                "secondary": ("mission/1-hold-the-line",),
                "secret": ("secret/4-last-stand",),
            },
            factions=("death-guard",),
        )
    )
    log.unit("p1.intercessors", "Intercessor Squad", "players", 10, (22, 8), 2)
    log.unit("p1.hellblasters", "Hellblaster Squad", "players", 5, (38, 8), 2)
    log.unit("p1.dreadnought", "Redemptor Dreadnought", "players", 1, (30, 10), 12, BIG)
    log.unit("p1.rhino", "Rhino", "players", 1, (48, 6), 10, TANK)
    log.tell(ev.Unmodelled(rule="Curse of the Walking Pox", reason="not simulated yet", unit="p1.rhino"))
    log.tell(ev.Unmodelled(rule="Oath of Moment", reason="not simulated yet"))
    log.tell(ev.CardRevealed(deck="secret", card="secret/4-last-stand", player="p1"))
    for number in range(1, rounds + 1):
        _round(log, number, deck[(number - 1) % 3])
    log.tell(ev.BattleEnded(winners=("players",), reason="the last round is over"))
    return log.entries


def _round(log: Log, number: int, card: str) -> None:
    log.tell(ev.RoundBegan(number=number))
    log.phase("spawn", 0)
    log.tell(ev.CardRevealed(deck="misery", card=card))
    if number == 1:
        log.tell(ev.CardRevealed(deck="secondary", card="mission/1-hold-the-line"))
    trail = ev.NumberTrail(number="spawn", base=8, value=8)
    for zone, x in (("S1", 14.0), ("S2", 44.0)):
        id_ = f"poxwalkers-{number}-{zone}"
        log.tell(ev.SpawnRolled(zone=zone, natural=(8,), total=8, bracket=2, trail=trail, entry="Poxwalkers"))
        log.unit(
            id_,
            "Poxwalkers" if zone == "S1" else "Plague Marines",
            "horde",
            10 if zone == "S1" else 7,
            (x, 34),
            2,
        )
    if number == 2:
        log.unit("crawler", "Plagueburst Crawler", "horde", 1, (30, 41), 12, TANK)
        log.tell(ev.Shocked(unit="p1.intercessors"))
        log.tell(ev.Gained(player="p1", what="sp", amount=4, total=6))
        log.tell(ev.Spent(player="p1", what="sp", amount=3, total=3))
        log.tell(ev.Purchased(player="p1", rule="purchase/2-minefield", price=3))
        log.tell(ev.Placed(thing="minefield", marker="m1", owner="p1", at=(33.0, 18.0)))
    log.turn("horde")
    log.turn("players")
    log.tell(ev.Controlled(objective="obj4", by="players", players=("p1",), levels=(0, 12)))
    if number > 1:
        log.tell(ev.Controlled(objective="obj1", by="horde", levels=(14, 4)))
    log.tell(ev.RoundEnded(number=number))
    log.tell(ev.CardDiscarded(deck="misery", card=card))


@pytest.fixture(scope="session")
def entries() -> list[Entry]:
    """Return a made-up battle of three rounds."""
    return battle()


@pytest.fixture
def recording(entries: list[Entry]) -> Recording:
    """Return it as a source."""
    return Recording(entries, "A made-up battle")


@pytest.fixture
def horde(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Horde:
    """Return a function that runs `horde` with these words."""

    def run(*words: str | Path) -> Done:
        monkeypatch.setattr("sys.argv", ["horde", *map(str, words)])
        try:
            cli.main()
            code = 0
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1 if end.code else 0
        captured = capsys.readouterr()
        return Done(code, captured.out, captured.err)

    return run


@pytest.fixture(scope="session")
def replay(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the replay of a short battle."""
    path = tmp_path_factory.mktemp("replay") / "short.replay"
    command = [*HORDE, "battle", "--seed", "7", "--rounds", "1", "--replay", str(path)]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    return path


@pytest.fixture
def opened() -> Iterator[Open]:
    """Return a function that shows a battle in a window, up to its first question."""
    pygame.display.init()
    yield show
    pygame.quit()


@pytest.fixture
def to_scale(opened: Open) -> Open:
    """Return what shows a battle at whole pixels an inch: a drag is as long as it is meant."""

    def show(game: Game) -> Window:
        window = opened(game)
        window.camera.scale, window.camera.centre = 10.0, (30.0, 22.0)
        return window

    return show


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder in which the menu is opened, with settings of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HORDE_SETTINGS", str(tmp_path / "settings.json"))
    monkeypatch.setattr("viewer.commands.shelf.folders", lambda: [Path()])
    return tmp_path


@pytest.fixture
def evening(place: Path) -> Iterator[Evening]:
    """Return a session at its start menu."""
    found = Evening()
    yield found
    found.end()
    pygame.quit()


MOST_GROWTH = 200 * 2**20
"""The bytes by which tests may grow the process before what they left behind is collected."""
_LARGEST = [0]


def _resident() -> int:
    """Return the bytes that the process holds in memory; 0 where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096
    except OSError:
        return 0


@pytest.fixture(autouse=True)
def _collected() -> Iterator[None]:
    """Collect closed windows: few objects, which Python leaves for long, with large pictures."""
    yield
    if _resident() > _LARGEST[0] + MOST_GROWTH:
        gc.collect()
        _LARGEST[0] = _resident()
