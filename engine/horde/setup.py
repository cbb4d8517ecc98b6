"""From options to a battle about to begin: the battlefield, the decks, the mustered armies.

Everything that chance or choice settles before the first step is settled here and kept in the header, so
that a header alone rebuilds the battle.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import msgspec
import shapely
from msgspec.structs import replace

from datasheets.battlefield import Deployment, Layout
from datasheets.dependency import rules_of
from datasheets.errors import BadData, HordeError, unknown
from datasheets.library import Library
from datasheets.roster import check_roster
from datasheets.schema import Roster, RosterUnit
from datasheets.share import MOST_PLAYERS, Transfer, allowances
from engine.core import event as ev
from engine.core.dice import Dice
from engine.core.facts import (
    PLAYERS,
    BoardFacts,
    ObjectiveFacts,
    PlayerFacts,
    Ring,
    TerrainFacts,
    UnitFacts,
    ZoneFacts,
)
from engine.core.header import data_of
from engine.records.rulebook import Rulebook
from engine.w40k.battle import Battle
from engine.w40k.edition import Edition
from engine.w40k.muster import Part, muster, roster_part, split, with_bare_hands
from geometry.shape.constructed import outlines

GAME_SIZES = {1000: 2, 2000: 4}
"""The game sizes in points, and how many spawning zones each has. Rule: ARMY.1, SETUP.3."""
RECOMMENDED = ("dawn-of-war", "hammer-and-anvil")


class Options(msgspec.Struct, frozen=True):
    """What a battle is to be; what is left open is drawn by the seed."""

    armies: tuple[Roster, ...]
    factions: tuple[str, ...]
    points: int = 1000
    ruleset: str = "horde-1.1"
    deployment: str = ""
    layout: str = ""
    rounds: int | None = 5
    """None: until the players have lost. Rule: SETUP.7"""
    seed: int = 0
    rulings: tuple[tuple[str, str], ...] = ()
    shares: tuple[tuple[str, int], ...] = ()
    """The weight of each faction in the draw of a spawn; none: they have one table. Rule: ARMY.6"""
    collection: tuple[tuple[str, int], ...] | None = None
    """The models by datasheet that the Horde has; None: as many as it wants. Rule: SP.R6"""
    handicap: int = 0
    """How many points fewer all armies together have. Rule: ARMY.7"""
    transfers: tuple[Transfer, ...] = ()
    """The points that players give to one another. Rule: ARMY.3"""
    game_master: bool = False
    """Whether the Horde's seat is asked what the rules leave open to it. Rule: ARMY.8"""


def new_battle(options: Options, ruleset: Edition[Battle], library: Library) -> Battle:
    """Return a battle at its first question. Raises HordeError for what cannot be played."""
    return from_header(_origin(options, ruleset, library), ruleset, library)


def header_of(options: Options, ruleset: Edition[Battle], library: Library) -> dict[str, Any]:
    """Return everything that a battle is made from; the seed draws what was left open."""
    origin = _origin(options, ruleset, library)
    return {**origin, "library": data_of(origin, library)}


def _origin(options: Options, ruleset: Edition[Battle], library: Library) -> dict[str, Any]:
    """Return a battle's header, but for the data that it uses."""
    _check(options, ruleset, library)
    chance = Dice(options.seed)
    deployment = options.deployment or RECOMMENDED[chance.index(len(RECOMMENDED), "setup")]
    layouts = library.layout_ids(deployment)
    layout = options.layout or layouts[chance.index(len(layouts), "setup")]
    if library.layout(layout).deployment != deployment:
        raise unknown(layout, layouts, f"layout for {deployment}")
    return {
        "ruleset": options.ruleset,
        "seed": options.seed,
        "setup": {
            "points": options.points,
            "factions": list(options.factions),
            "deployment": deployment,
            "layout": layout,
            "rounds": options.rounds,
            "armies": msgspec.json.decode(msgspec.json.encode(options.armies)),
            **_limits(options),
        },
        "rulings": ruleset.settings.readings(options.rulings),
    }


def _limits(options: Options) -> dict[str, Any]:
    """Return the Horde's shares and collection, the handicap, … where a battle has any."""
    limits: dict[str, Any] = {"shares": dict(options.shares)} if options.shares else {}
    if options.collection is not None:
        limits["collection"] = dict(sorted(options.collection))
    if options.handicap:
        limits["handicap"] = options.handicap
    if options.transfers:
        limits["transfers"] = [list(each) for each in options.transfers]
    if options.game_master:
        limits["game_master"] = True
    return limits


def _check(options: Options, ruleset: Edition[Battle], library: Library) -> None:
    if options.points not in GAME_SIZES:
        sizes = " or ".join(str(size) for size in GAME_SIZES)
        raise HordeError(f"{options.points} points is no game size; choose {sizes}.")
    if options.rounds is not None and options.rounds < 1:
        raise HordeError(
            f"{options.rounds} rounds is no length of a battle; choose 1 or more, or 'infinite'."
        )
    if not 1 <= len(options.armies) <= MOST_PLAYERS:
        raise HordeError(f"{len(options.armies)} armies cannot play; field one to eight.")
    for faction in options.factions:
        library.spawn_table(faction)
    _check_limits(options, library)
    ruleset.settings.readings(options.rulings)
    allowed = allowances(options.points, len(options.armies), options.handicap, options.transfers)
    for army, points in zip(options.armies, allowed, strict=True):
        faults = check_roster(army, library, points)
        if faults:
            more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
            raise BadData(f"army '{army.name}'", "", faults[0].rstrip(".") + more)


def _check_limits(options: Options, library: Library) -> None:
    """Refuse a share of no faction, and a collection without a model that spawns.

    Rule: ARMY.6, SP.R6
    """
    for faction, weight in options.shares:
        if faction not in options.factions:
            raise unknown(faction, options.factions, "faction of the Horde")
        if weight < 1:
            raise HordeError(f"{weight} is no share of {faction}; give a whole number from 1 on.")
    tables = {sheet for each in options.factions for sheet in library.spawn_table(each).datasheets}
    owned = options.collection
    if owned is not None and not any(models and sheet in tables for sheet, models in owned):
        names = " or ".join(options.factions)
        raise HordeError(f"The collection has no model that spawns for {names}; add some to it.")


def from_header(header: dict[str, Any], ruleset: Edition[Battle], library: Library) -> Battle:
    """Return the battle of a header at its first question."""
    ruleset, rulebook = rulebook_of(header, ruleset, library)
    setup = header["setup"]
    armies = msgspec.convert(setup["armies"], tuple[Roster, ...])
    factions = tuple(setup["factions"])
    deployment = library.deployment(setup["deployment"])
    layout = library.layout(setup["layout"])
    named = Counter(army.name for army in armies)
    players = tuple(
        PlayerFacts(
            id=f"p{i}",
            name=army.name if named[army.name] == 1 else f"{army.name} (p{i})",
            faction=army.faction,
            detachment=army.detachment,
            rules=rulebook.of_army(army.faction, army.detachment),
            cp=ruleset.parameters.starting_cp,
        )
        for i, army in enumerate(armies, start=1)
    )
    event = ev.Setup(
        ruleset=ruleset.id,
        board=board_of(deployment, layout, GAME_SIZES[setup["points"]]),
        players=players,
        decks=shuffled_decks(rulebook, header["seed"]),
        rounds=setup["rounds"],
        factions=factions,
        shares=setup.get("shares", {}),
        collection=setup.get("collection"),
        game_master=setup.get("game_master", False),
        rules=rulebook.standing,
    )
    return Battle(
        ruleset,
        library,
        header["seed"],
        event,
        rulebook=rulebook,
        mustered=tuple(
            with_bare_hands(facts, header.get("rulings", {}).get("fight.bare_hands", "none"))
            for facts in _muster(library, rulebook, armies)
        ),
        rulings=dict(header.get("rulings", {})),
        origin=header,
    )


def rulebook_of(
    header: dict[str, Any], ruleset: Edition[Battle], library: Library
) -> tuple[Edition[Battle], Rulebook]:
    """Return the ruleset under the rulings of a battle, and the battle's rule records.

    The rulings set the parameters.
    """
    ruleset = replace(ruleset, parameters=ruleset.parameters.under(header.get("rulings", {})))
    hordes = tuple(header["setup"]["factions"])
    armies = msgspec.convert(header["setup"].get("armies", ()), tuple[Roster, ...])
    rules = rules_of(library, hordes, armies)
    return ruleset, Rulebook.load(library, ruleset.language, hordes, rules=rules)


def shuffled_decks(rulebook: Rulebook, seed: int) -> dict[str, tuple[str, ...]]:
    """Return the decks in the order in which they will be drawn. Rule: SETUP.6."""
    chance = Dice(seed)
    return {name: chance.shuffled(cards, f"setup/{name}") for name, cards in rulebook.decks.items()}


def _muster(library: Library, rulebook: Rulebook, armies: Sequence[Roster]) -> tuple[UnitFacts, ...]:
    """Return the facts of the players' units, leaders joined with the units that they lead."""
    units: list[UnitFacts] = []
    rows = 0
    for number, army in enumerate(armies, start=1):
        # Transports enter before the units that begin the battle in them.
        for unit in sorted(army.units, key=lambda each: each.embarked_in is not None):
            if unit.attached_to:
                continue
            leaders = [other for other in army.units if other.attached_to == unit.id]
            prefix = f"p{number}/" if len(armies) > 1 else ""
            for name, parts in _parts_of(library, army, unit, leaders).items():
                facts = muster(
                    prefix + name,
                    parts,
                    side=PLAYERS,
                    player=f"p{number}",
                    first_row=rows,
                    rules=rulebook.of_datasheets,
                    embarked_in=prefix + unit.embarked_in if unit.embarked_in else "",
                )
                rows += len(facts.models)
                units.append(facts)
    return tuple(units)


def _parts_of(
    library: Library, army: Roster, unit: RosterUnit, leaders: Sequence[RosterUnit]
) -> dict[str, list[Part]]:
    """Return the parts of a unit, and of the unit that is split off, by their ids."""
    first, other = split(roster_part(library, unit))
    parts = {unit.id: [first, *(roster_part(library, each) for each in leaders)]}
    return parts if other is None else {**parts, _free_id(army, unit.id): [other]}


def _free_id(army: Roster, unit_id: str) -> str:
    """Return an id that no unit of an army has, for what is split off a unit."""
    taken = {each.id for each in army.units}
    return next(name for n in range(2, len(taken) + 3) if (name := f"{unit_id}-{n}") not in taken)


def board_of(deployment: Deployment, layout: Layout, zones: int) -> BoardFacts:
    """Return a deployment's battlefield, with this many spawning zones and a layout's terrain."""
    spawn = tuple(
        ZoneFacts(id=zone.id, kind="spawn", polygon=zone.polygon, front=_segments(zone.front))
        for zone in deployment.spawn_zones[zones]
    )
    return BoardFacts(
        size=deployment.board,
        deployment=deployment.id,
        layout=layout.id,
        defender_edge=deployment.defender_edge,
        horde_edge=deployment.attacker_edge,
        edge_centre=deployment.edge_centre,
        terrain=tuple(
            TerrainFacts(
                id=piece.id,
                kind=piece.kind,
                footprint=piece.polygon,
                height=piece.height,
                walls=piece.walls,
                floors=piece.floors,
            )
            for piece in layout.pieces
        ),
        zones=(
            *spawn,
            ZoneFacts(id="horde", kind="horde", polygon=deployment.attacker),
            ZoneFacts(id="defender", kind="defender", polygon=deployment.defender),
            *_no_mans_land(deployment),
        ),
        objectives=tuple(
            ObjectiveFacts(id=each.id, at=each.at, zone="horde" if each.zone == "attacker" else each.zone)
            for each in deployment.objectives
        ),
    )


def _segments(line: Ring) -> tuple[tuple[tuple[float, float], tuple[float, float]], ...]:
    return tuple(pairwise(line))


def _no_mans_land(deployment: Deployment) -> list[ZoneFacts]:
    width, depth = deployment.board
    left = shapely.box(0, 0, width, depth)
    for zone in (deployment.defender, deployment.attacker):
        left = left.difference(shapely.Polygon(zone))
    pieces = outlines(left)
    return [
        ZoneFacts(
            id="no-mans-land" if len(pieces) == 1 else f"no-mans-land-{i}",
            kind="no-mans-land",
            polygon=piece,
        )
        for i, piece in enumerate(pieces, start=1)
    ]
