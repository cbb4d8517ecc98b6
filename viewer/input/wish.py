"""A typed line as an answer: names and numbers, a wish as a legal move or set-up.

Raises Misread, with what would be understood, where a line means nothing. Whether the answer is legal is the
engine's to say.
"""

from __future__ import annotations

from ai.moving.placement import anywhere, as_many_as_fit
from engine.core.facts import Point
from engine.core.request import (
    AnyAnswer,
    AnyRequest,
    Choose,
    Chosen,
    Move,
    Order,
    Ordered,
    Place,
    Places,
    Said,
    Splits,
    YesNo,
)
from engine.w40k.view import View
from viewer.input.formation import block_round
from viewer.input.gesture import Gesture
from viewer.input.ghost import drawn_move
from viewer.input.move_wish import move_of
from viewer.input.reading import NOTHING, Misread, named, number, picked, point
from viewer.input.weapon_talk import WeaponTalk


def answer_of(view: View, request: AnyRequest, text: str) -> AnyAnswer:
    """Return the answer that a line means."""
    if isinstance(request, Choose):
        return _choice(request, text)
    if isinstance(request, Order):
        return _order(request, text)
    if isinstance(request, YesNo):
        return _yes_or_no(text)
    if isinstance(request, Move):
        gesture = Gesture.read(text)
        return move_of(view, request, text) if gesture is None else drawn_move(view, request, gesture)
    if isinstance(request, Place):
        return _place(view, request, text)
    return WeaponTalk(view, request, Splits()).all_at(text)


# choosing


def _choice(request: Choose, text: str) -> Chosen:
    if request.minimum == 0 and text.lower() in NOTHING:
        return Chosen(ids=())
    return Chosen(ids=picked(request.options, text, several=request.maximum > 1))


def _order(request: Order, text: str) -> Ordered:
    first = picked(request.items, text, several=True)
    return Ordered(ids=(*first, *(item.id for item in request.items if item.id not in first)))


def _yes_or_no(text: str) -> Said:
    word = text.lower()
    if word in ("y", "yes", "n", "no"):
        return Said(yes=word.startswith("y"))
    raise Misread("Answer yes or no.")


# setting up


def _place(view: View, request: Place, text: str) -> Places:
    words = text.split()
    if request.optional and text.lower() in (*NOTHING, "decline"):
        return Places()
    if words[0].lower() != "at" or len(words) < 2:
        decline = ', or "none" to decline' if request.optional else ""
        raise Misread(f'Say "at X Y" or "at NAME"{decline}.')
    where, _, facing = " ".join(words[1:]).partition(" facing ")
    if facing and request.piece is not None:
        spot = point(where)
        if spot is None:
            raise Misread('Say "at X Y facing DEGREES".')
        return Places(poses={-1: (*spot, 0.0, number(facing) % 360.0)})
    spot = point(where) or _spot_of(view, named(view, where))
    poses = block_round(view, request, spot) or anywhere(view, request, spot)
    if poses is None and request.partly:
        poses = as_many_as_fit(view, request)
    if poses is None:
        raise Misread("It does not fit anywhere in the area.")
    return Places(poses=poses)


def _spot_of(view: View, name: str) -> Point:
    if name in view.objectives:
        return view.objectives[name].at
    x, y = view.xy(view.unit(name)).mean(axis=0)
    return float(x), float(y)
