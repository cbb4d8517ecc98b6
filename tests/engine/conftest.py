"""Small battles for tests: a few units on a bare board, some steps, and given answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from msgspec import structs

from datasheets.library import Library
from engine.audit.referee.reading import Reading, read
from engine.core import event as ev
from engine.core.facts import BaseFacts, BoardFacts, ObjectiveFacts, TerrainFacts, WeaponFacts, ZoneFacts
from engine.core.game import Game
from engine.core.request import Choose, Chosen, Order, Ordered, Steps
from engine.core.ruleset import Step
from engine.horde.ruleset_1_1 import HORDE_1_1
from engine.scenario.situation import Stand, situation
from engine.w40k.parameters import Parameters

LIBRARY = Library()
GUN = WeaponFacts(name="gun", range=24.0, attacks="1", skill=3, strength=4, ap=0, damage="1")
BLADE = WeaponFacts(name="blade", attacks="2", skill=3, strength=4, ap=-1, damage="1")
ZONES = (
    ZoneFacts(id="s1", kind="spawn", polygon=((0.0, 34.0), (30.0, 34.0), (30.0, 44.0), (0.0, 44.0))),
    ZoneFacts(id="s2", kind="spawn", polygon=((30.0, 34.0), (60.0, 34.0), (60.0, 44.0), (30.0, 44.0))),
    ZoneFacts(id="horde", kind="horde", polygon=((0.0, 34.0), (60.0, 34.0), (60.0, 44.0), (0.0, 44.0))),
    ZoneFacts(id="defender", kind="defender", polygon=((0.0, 0.0), (60.0, 0.0), (60.0, 10.0), (0.0, 10.0))),
    ZoneFacts(
        id="no-mans-land", kind="no-mans-land", polygon=((0.0, 10.0), (60.0, 10.0), (60.0, 34.0), (0.0, 34.0))
    ),
)
OBJECTIVES = (
    ObjectiveFacts(id="home", at=(30.0, 5.0), zone="defender"),
    ObjectiveFacts(id="west", at=(10.0, 22.0)),
    ObjectiveFacts(id="centre", at=(30.0, 22.0)),
    ObjectiveFacts(id="east", at=(50.0, 22.0)),
    ObjectiveFacts(id="far", at=(30.0, 39.0), zone="horde"),
)
RUIN = TerrainFacts(
    id="ruin", kind="ruin", footprint=((18.0, 16.0), (24.0, 16.0), (24.0, 20.0), (18.0, 20.0)), height=5.0
)
BOARD = BoardFacts(zones=ZONES, objectives=OBJECTIVES, terrain=(RUIN,))


def marines(name: str = "marines", at: Sequence[tuple[float, float]] = ((30.0, 8.0),), **more: Any) -> Stand:
    """Return a unit of players' Space Marines, armed with a gun and a blade."""
    return Stand(
        name, "players", at, **{"keywords": ("INFANTRY", "ADEPTUS ASTARTES"), "weapons": (GUN, BLADE), **more}
    )


def foes(name: str = "foes", at: Sequence[tuple[float, float]] = ((30.0, 30.0),), **more: Any) -> Stand:
    """Return a unit of the Horde's Death Guard, armed with a gun and a blade."""
    return Stand(
        name, "horde", at, **{"keywords": ("INFANTRY", "DEATH GUARD"), "weapons": (GUN, BLADE), **more}
    )


def nothing(game: Game) -> Steps[bool]:
    """Do nothing, in a step that a test needs for its phase."""
    return False
    yield


Answers = Callable[[Game], Any]


def play(
    stands: Sequence[Stand],
    *steps: Step,
    answers: dict[str, Any] | None = None,
    order: Callable[[tuple[str, ...]], tuple[str, ...]] = tuple,
    **more: Any,
) -> Game:
    """Return a battle after these steps.

    `answers` gives, by decision, an answer, an id, ids, or a function of the game that returns one of these.
    Orders of models are answered as they are asked, or as `order` makes of them.
    """
    game = situation(
        stands,
        steps or (Step("idle", "idle", nothing),),
        HORDE_1_1,
        **{"board": BOARD, "library": LIBRARY, **more},
    )
    given = answers or {}
    while game.pending is not None:
        request = game.pending
        if isinstance(request, Order):
            game.submit(Ordered(ids=order(tuple(item.id for item in request.items))))
            continue
        answer = given[request.decision]
        if callable(answer):
            answer = answer(game)
        if isinstance(request, Choose) and isinstance(answer, str | tuple):
            answer = Chosen(ids=(answer,) if isinstance(answer, str) else answer)
        game.submit(answer, request.seats[0])
    return game


@pytest.fixture(name="play", scope="session")
def _play() -> Callable[..., Game]:
    return play


@pytest.fixture(name="marines", scope="session")
def _marines() -> Callable[..., Stand]:
    return marines


@pytest.fixture(name="foes", scope="session")
def _foes() -> Callable[..., Stand]:
    return foes


@pytest.fixture(scope="session")
def board() -> BoardFacts:
    """Return the board of these battles: two spawning zones, five markers, one ruin."""
    return BOARD


@pytest.fixture(scope="session")
def idle() -> Callable[..., Steps[bool]]:
    """Return a step that does nothing."""
    return nothing


@pytest.fixture(scope="session")
def judged() -> Callable[..., Reading]:
    """Return a function that reads a table with these units and then these events."""

    def reading(
        stands: Sequence[Stand],
        *more: ev.Event,
        bases: dict[str, BaseFacts] | None = None,
        parameters: Parameters | None = None,
        **given: Any,
    ) -> Reading:
        game = play(stands, **given)
        opening = [event for event in game.events if not isinstance(event, ev.BattleEnded)]
        opening = [based(event, bases or {}) for event in opening]
        numbered = [structs.replace(event, n=100 + i) for i, event in enumerate(more)]
        ruleset = structs.replace(HORDE_1_1, parameters=parameters or HORDE_1_1.parameters)
        return read([*opening, *numbered], ruleset, game.rulebook)

    return reading


def based(event: ev.Event, bases: dict[str, BaseFacts]) -> ev.Event:
    """Return the event, but that a unit that enters with it has this base."""
    if not isinstance(event, ev.Placed) or event.facts is None or event.unit not in bases:
        return event
    models = tuple(structs.replace(model, base=bases[event.unit]) for model in event.facts.models)
    return structs.replace(event, facts=structs.replace(event.facts, models=models))
