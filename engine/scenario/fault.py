"""The clauses that a refused answer breaks: the book's ids for what legality says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.core.request import AnyAnswer, AnyRequest, Move, Moves, Place, Places, Split
from engine.w40k.battle import Battle
from geometry.measure.region import base_within, grid

CHARGE = ("CORE.CHG.2",)
AIMED = (
    *("CORE.SHOOT.2", "CORE.SHOOT.4", "CORE.SHOOT.6", "CORE.SHOOT.7", "CORE.LOS.1", "CORE.ABL.LONE"),
    "CORE.WPN.PIST",
)
BY_WORDS: tuple[tuple[str, dict[str, tuple[str, ...]]], ...] = (
    (
        "inches long, more than",
        {
            "": ("CORE.MOVE.2",),
            "normal": ("CORE.MOVE.1",),
            "advance": ("CORE.MOVE.6",),
            "fall-back": ("CORE.MOVE.7",),
            "charge": CHARGE,
            "pile-in": ("CORE.FGT.4",),
            "consolidate": ("CORE.FGT.7",),
        },
    ),
    (
        "runs into a model or its engagement range",
        {
            "": ("CORE.MOVE.4",),
            "normal": ("CORE.MOVE.5", "CORE.ER.1"),
            "advance": ("CORE.MOVE.5", "CORE.ER.1"),
            "charge": (*CHARGE, "CORE.CHG.6"),
        },
    ),
    ("runs through a wall", {"": ("CORE.MOVE.8", "CORE.TER.3", "CORE.TER.4", "CORE.TER.6")}),
    ("leaves the board", {"": ("CORE.MOVE.4",)}),
    ("off the board", {"": ("CORE.MOVE.4",)}),
    ("in a wall", {"": ("CORE.MOVE.8", "CORE.TER.3", "CORE.TER.4", "CORE.TER.6")}),
    ("on terrain that carries no model", {"": ("CORE.MOVE.8", "CORE.TER.2", "CORE.TER.3", "CORE.TER.6")}),
    ("not carried at that height", {"": ("CORE.MOVE.8", "CORE.TER.4", "CORE.TER.6")}),
    ("through the air", {"": ("CORE.MOVE.8", "CORE.MOVE.9")}),
    ("without climbing down", {"": ("CORE.MOVE.8",)}),
    ("nothing to climb", {"": ("CORE.MOVE.8",)}),
    ("on another model", {"": ("CORE.MOVE.4",)}),
    ("on a model", {"": ("CORE.MOVE.4",)}),
    (" overlap", {"": ("CORE.MOVE.4",)}),
    (
        "too near",
        {
            "": ("CORE.ER.1",),
            "normal": ("CORE.MOVE.5",),
            "advance": ("CORE.MOVE.5",),
            "fall-back": ("CORE.MOVE.5", "CORE.MOVE.7"),
            "charge": CHARGE,
            "deep-strike": ("CORE.RES.5",),
            "reserves": ("CORE.RES.2",),
            "deploy": ("CORE.RES.8",),
            "disembark": ("CORE.TRN.2",),
            "emergency": ("CORE.TRN.4",),
        },
    ),
    ("must end farther than", {"": ("CORE.RES.7",)}),
    (" flies ", {"": ("CORE.AIR.2",)}),
    (" fly ", {"": ("CORE.AIR.2",)}),
    ("turns by more than", {"": ("CORE.AIR.2",)}),
    ("its flight alone", {"": ("CORE.AIR.2",)}),
    (
        "coheren",
        {
            "": ("CORE.COH.1", "CORE.COH.2", "CORE.COH.3"),
            "charge": CHARGE,
            "pile-in": ("CORE.FGT.4",),
            "consolidate": ("CORE.FGT.7",),
        },
    ),
    (
        "outside the area",
        {
            "": ("CORE.RES.8",),
            "reserves": ("CORE.RES.2",),
            "deep-strike": ("CORE.RES.5",),
            "disembark": ("CORE.TRN.2",),
            "emergency": ("CORE.TRN.4",),
        },
    ),
    ("outside engagement range", {"": ("CORE.MOVE.5", "CORE.MOVE.7", "CORE.ER.1", "CORE.AIR.3")}),
    ("could be set up, too", {"": ("CORE.RES.8",)}),
    ("all of it could be set up", {"": ("CORE.TRN.3",)}),
    ("in base contact", {"": ("CORE.CHG.3",), "pile-in": ("CORE.FGT.4",), "consolidate": ("CORE.FGT.7",)}),
    ("is not within engagement range", {"": (*CHARGE, "CORE.ER.1")}),
    (
        "does not end closer",
        {"": ("CORE.CHG.3",), "pile-in": ("CORE.FGT.4",), "consolidate": ("CORE.FGT.7",)},
    ),
    ("or within range of an objective", {"": ("CORE.FGT.7",)}),
    ("to whom a consolidation goes first", {"": ("CORE.FGT.7",)}),
    ("must end within engagement range of an enemy", {"": ("CORE.FGT.4",)}),
    ("is no legal target", {"": (), "shoot": AIMED, "fight": ("CORE.FGT.6",)}),
    ("may not use its weapon", {"": (), "shoot": ("CORE.SHOOT.1",), "fight": ("CORE.FGT.2", "CORE.FGT.5")}),
    ("together", {"": ("CORE.SHOOT.7",)}),
)
"""What legality says, and the clauses that it means.

Those under "" are always meant, the others in a move, a set-up or attacks of that kind.
"""
BEYOND = (("runs through a wall", "leaves the board"), ("in a wall", "off the board"))
"""What legality says of the walls beyond a board that was moved, and what that means."""
NEVER_ASKED: dict[str, tuple[str, ...]] = {
    "charge": ("CORE.CHG.1", "CORE.CHG.2", "CORE.CHG.5"),
    "shoot": ("CORE.SHOOT.1", *AIMED),
    "fight": ("CORE.FGT.2", "CORE.FGT.5"),
    "embark": ("CORE.TRN.1",),
    "disembark": ("CORE.TRN.2",),
    "pile-in": ("CORE.FGT.2", "CORE.FGT.4"),
    "consolidate": ("CORE.FGT.2", "CORE.FGT.7"),
    "action": ("ACTION.1", "CORE.ACT.1"),
    "scout": ("CORE.RES.7",),
}
"""Why a unit may never have been asked for what its scripted answer does."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A scripted answer that was refused: whose, for what faults, and which clauses they break."""

    who: str
    faults: tuple[str, ...]
    clauses: tuple[str, ...]


def refusal(game: Battle, who: str, request: AnyRequest, answer: AnyAnswer, faults: Sequence[str]) -> Refusal:
    """Return the refusal of an answer to this request."""
    if _leaves_board(game, answer):
        faults = [each.replace(*BEYOND[0]).replace(*BEYOND[1]) for each in faults]
    clauses: list[str] = []
    kind = _kind(request)
    for fault in faults:
        clauses += _clauses(fault, kind) or [request.rule]
        if "not among the options" in fault:
            clauses += NEVER_ASKED.get(request.decision, ())
            if request.decision == "purchase":
                clauses += _barring(game, who, request.seats[0])
    return Refusal(who, tuple(faults), tuple(dict.fromkeys(clauses)))


def _kind(request: AnyRequest) -> str:
    """Return the kind of move, set-up or attacks that is asked for, "" for a choice."""
    if isinstance(request, Move | Place):
        return request.kind
    return ("fight" if request.melee else "shoot") if isinstance(request, Split) else ""


def _leaves_board(game: Battle, answer: AnyAnswer) -> bool:
    """Return whether a base ends over the edge of a moved board.

    On a shifted board a wall stands for the edge.
    """
    table, board = game.state.position.table, game.state.position.board
    if isinstance(answer, Moves):
        poses = {row: table.after(row, legs) for row, legs in answer.paths.items()}
    elif isinstance(answer, Places):
        poses = {row: pose for row, pose in answer.poses.items() if row >= 0}
    else:
        return False
    if board.corner == (0.0, 0.0) or not poses:
        return False
    ends = np.array(list(poses.values()))
    bases = table.outlines(list(poses), ends[:, :2], ends[:, 3])
    return not base_within(grid(board.bounds, 1, 1)[0], bases).all()


def _clauses(fault: str, kind: str) -> list[str]:
    for said, clauses in BY_WORDS:
        if said in fault:
            return [*clauses[""], *clauses.get(kind, ())]
    return []


def never_offered(game: Battle, purchase: str, seat: str) -> Refusal:
    """Return the refusal of a purchase for which its player was never asked."""
    clauses = ("SP.4", *_barring(game, purchase, seat))
    return Refusal(purchase, (f"nothing ever offered '{purchase}'",), clauses)


def _barring(game: Battle, purchase: str, seat: str) -> list[str]:
    """Return the clause of a purchase, and those of the rules that forbid it."""
    if purchase not in game.rulebook:
        return []
    rule = game.rulebook.rule(purchase)
    names = {"purchase": rule, "player": seat}
    verdicts = game.query.in_force.questions.get("buy", ())
    forbid = [
        active.rule.clause
        for verdict, active in verdicts
        if not verdict.yes and game.query.holds(verdict.condition, names, active)
    ]
    return [rule.clause, *forbid]


def never_asked(who: str, decision: str) -> Refusal:
    """Return the refusal of an answer for which the unit was never asked."""
    clauses = NEVER_ASKED.get(decision, ("CORE.MOVE.1", "CORE.MOVE.11"))
    asked = f"'{who}' was never asked for its '{decision}'" if decision else f"nothing ever asked for '{who}'"
    return Refusal(who, (asked,), clauses)
