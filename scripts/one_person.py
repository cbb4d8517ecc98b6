"""A person at the window that plays plainly: what is seen is clicked or dragged.

Looks at what the window shows (the suggestion on the board, targets and what they are worth, the options)
and gives no answer but by mouse and keys. Units go to markers that nobody else makes for, and shoot and
charge where it is worth most.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import pygame
from hands import Hands, Pixel

from engine.core import event as ev
from engine.core.request import Choose, Chosen, Move, Place, Places, Said, Split, YesNo
from engine.core.state import Unit
from viewer.input.odds import ChargeOdds, Volley
from viewer.window.scene import model_at

if TYPE_CHECKING:
    from viewer.input.answering import Answering
    from viewer.input.offer import Offer
    from viewer.input.open_phase import Poses
    from viewer.input.seat import Seated
    from viewer.input.setting_up import SettingUp
    from viewer.input.shopping import Shopping
    from viewer.window.offer_toast import OfferToast
    from viewer.window.shop_panel import ShopPanel
    from viewer.window.window import Window

    Shown = ShopPanel | OfferToast

LEAST_CHANCE = 0.5
"""The chance from which on a charge is declared."""
LEAST_WOUNDS = 0.15
"""The wounds from which on a shot is worth a click."""
INSET = 4.0
"""How far from the edges of its zone a unit is set up, in inches."""
FAR_STEP = 0.75
MOVES = ("normal", "advance", "fall-back", "charge")


class Deed(NamedTuple):
    """A move, a shot or a charge of a unit, and whether the person's own mouse made it."""

    round: int
    unit: str
    kind: str
    own: bool


class OnePerson:
    """A person that plays p1's side of a battle."""

    def __init__(self, window: Window, seat: Seated) -> None:
        """Sit down at the window."""
        self.window, self.seat, self.hands = window, seat, Hands(window)
        self.deeds: list[Deed] = []
        self._own: dict[str, str] = {}
        """By unit, what the person's mouse has just let it do."""
        self._seen = 0
        self._phase: tuple[int, str] = (0, "")
        self._passed: set[str] = set()
        """The units that are left as they are in this phase."""
        self._markers: dict[str, str] = {}
        """By marker, the unit that makes for it in this turn."""

    def play(self, until_round: int = 0) -> None:
        """Play until the battle is over, or until a round begins."""
        while self.hands.wait():
            self._note()
            asked = self._asked()
            if until_round and asked.view.round >= until_round:
                return
            moment = asked.view.round, asked.view.phase
            if moment != self._phase:
                self._phase, self._passed = moment, set()
                if asked.view.phase == "movement":
                    self._markers.clear()
            self._own.clear()
            self._act(asked)
        self._note()

    def _asked(self) -> Answering:
        asked = self.window.player.asked
        assert asked is not None
        return asked

    # what came of it

    def _note(self) -> None:
        """Note the moves, shots and charges of the person's units since the last time."""
        events = self.seat.game.events
        for event in events[self._seen :]:
            if isinstance(event, ev.Moved) and self._is_mine(event.unit) and event.kind_of_move in MOVES:
                self._deed(event.unit, "charge" if event.kind_of_move == "charge" else "move")
            elif isinstance(event, ev.Targeted) and self._is_mine(event.unit) and not event.melee:
                self._deed(event.unit, "shot")
        self._seen = len(events)

    def _deed(self, unit: str, kind: str) -> None:
        self.deeds.append(Deed(self.seat.game.state.round, unit, kind, self._own.get(unit) == kind))

    def _is_mine(self, unit: str) -> bool:
        return self.seat.game.state.position.units[unit].side == "players"

    # what is asked

    def _act(self, asked: Answering) -> None:
        request = asked.request
        if asked.open is not None:
            self._in_open_phase(asked)
        elif asked.shop is not None:
            self._buy(asked, asked.shop)
        elif asked.offer is not None:
            self._take_offer(asked, asked.offer)
        elif asked.set_up is not None:
            self._begin(asked, asked.set_up)
        elif isinstance(request, Place):
            self._set_up(asked, request)
        elif isinstance(request, Split):
            self._attack(asked, request)
        elif isinstance(request, Choose):
            self._choose(asked)
        elif isinstance(request, YesNo):
            yes = isinstance(asked.advice, Said) and asked.advice.yes
            self._press("yes" if yes else "no", request.decision)
        elif isinstance(request, Move):
            self.hands.key("g" if asked.shortcut("g") is not None else "return", request.decision)
        else:
            self.hands.key("return", request.decision)

    def _choose(self, asked: Answering) -> None:
        """Click the options that are suggested, or none."""
        ids = asked.advice.ids if isinstance(asked.advice, Chosen) else ()
        places = [i for i, option in enumerate(asked.options) if option.id in ids]
        if not places:
            self._press("none", asked.request.decision)
        for place in places:
            self._click_row(place, asked.request.decision)
        if asked.several and places:
            self.hands.key("return", asked.request.decision)

    def _click_row(self, place: int, what: str) -> None:
        """Click an option, after a turn of the wheel where it is out of sight."""
        panel = self.window.panel
        for turns in (*[-3] * 12, *[3] * 24):
            found = next((box for box, at in panel.rows if at == place and box.h >= 12), None)
            if found is not None:
                self.hands.click(found.center, what)
                return
            self.hands.wheel(turns, panel.rect.center)
        raise RuntimeError(f"Option {place + 1} cannot be reached by the wheel.")

    def _press(self, line: str, what: str) -> None:
        """Click a button by its line."""
        box = next(box for box, of in self.window.panel.buttons if of == line)
        self.hands.click(box.center, what)

    # screens of their own

    def _press_on(self, part: Shown, line: str, what: str) -> None:
        """Click a button or a row of a screen by its name."""
        box = next(box for box, of in part.buttons if of == line)
        self.hands.click(box.center, what)

    def _buy(self, asked: Answering, shop: Shopping) -> None:
        """Click what is suggested and the button that buys; or the one that buys nothing."""
        screen = self.window.screens.shop
        rows = [ware.id for ware in shop.shelf.rows]
        if shop.suggested not in rows:
            self._press_on(screen, "done", "purchase")
            return
        place = rows.index(shop.suggested)
        if shop.row != place:
            box = next(box for box, of in screen.rows if of == place)
            self.hands.click(box.center, "purchase")
        self._press_on(screen, "buy", "purchase")

    def _take_offer(self, asked: Answering, offer: Offer) -> None:
        """Use an offer as it is suggested, on the unit that is; or keep the CP."""
        advice, screen = asked.advice, self.window.screens.toast
        ids = advice.ids if isinstance(advice, Chosen) else ()
        is_used = bool(ids) or (isinstance(advice, Said) and advice.yes)
        options = [option.id for option in offer.options]
        if ids and ids[0] in options and len(options) > 1 and ids[0] != offer.unit:
            self._press_on(screen, f"row:{options.index(ids[0])}", "stratagem")
        self._press_on(screen, "use" if is_used else "keep", "stratagem")

    def _begin(self, asked: Answering, up: SettingUp) -> None:
        """Set a unit up by a click near a marker, or keep it in reserves where that is suggested."""
        if up.is_to_reserve:
            self.hands.key("r", "set-up")
            return
        self.hands.click(self._within(self._near_a_marker(asked)), "set-up")
        if self.window.player.asked is asked:
            self.hands.key("return", "set-up")

    def _near_a_marker(self, asked: Answering) -> tuple[float, float]:
        """Return the place of the set-up's zone next to a marker, another one for each unit."""
        view = asked.view
        zone = next(each for each in view.zones.values() if each.kind == "defender")
        xs, ys = zip(*zone.polygon, strict=True)
        markers = sorted(marker.at for marker in view.objectives.values())
        x, y = markers[len(view.units("players")) % len(markers)]
        low, high = (min(xs) + INSET, min(ys) + INSET), (max(xs) - INSET, max(ys) - INSET)
        return min(max(x, low[0]), high[0]), min(max(y, low[1]), high[1])

    # an open phase

    def _in_open_phase(self, asked: Answering) -> None:
        phase = asked.open
        assert phase is not None
        left = [unit for unit in phase.ready if unit not in self._passed]
        if not left:
            self._end(asked)
            return
        unit = phase.unit if phase.unit in left else left[0]
        if unit != phase.unit:
            self._turn_to(unit)
        if asked.view.phase == "movement":
            self._move(asked, asked.view.unit(unit))
        else:
            self._strike(asked, unit)

    def _end(self, asked: Answering) -> None:
        """End the phase; where units have not acted the first press only warns."""
        has_end = asked.shortcut("end") is not None
        for _ in range(2):
            self.hands.key("end" if has_end else "return", "end the phase")
            if self.window.player.asked is not asked:
                return

    def _turn_to(self, unit: str) -> None:
        """Choose a ready unit: by Tab where it is the next, else by a click on it."""
        phase = self._asked().open
        assert phase is not None
        if phase.after(1) == unit:
            self.hands.key("tab", "choose")
            return
        at = self._pixel_of(unit)
        if at is not None:
            self.hands.click(at, "choose")

    def _move(self, asked: Answering, unit: Unit) -> None:
        """Drag a unit to the place that the person wants; where nothing comes of it, leave it."""
        goal, start = self._goal(asked, unit), self._pixel_of(unit.id)
        self._passed.add(unit.id)
        if goal is None or start is None:
            return
        self._own[unit.id] = "move"
        self.hands.drag(start, self._within(goal), "move")

    def _goal(self, asked: Answering, unit: Unit) -> tuple[float, float] | None:
        """Return where a unit is to go: a marker for itself, else to the suggestion; None to stay."""
        view = asked.view
        x, y = (float(each) for each in view.xy(unit).mean(axis=0))
        taken = {name for name, other in self._markers.items() if other != unit.id}
        near = sorted(
            (math.dist(marker.at, (x, y)), name, marker)
            for name, marker in view.objectives.items()
            if name not in taken
        )
        if view.is_engaged(unit):
            return None
        if near:
            far, name, marker = near[0]
            self._markers[name] = unit.id
            return None if far < FAR_STEP + view.parameters.objective_range else marker.at
        shown = list(self._suggested(asked).values())
        if not shown:
            return None
        return sum(each[0] for each in shown) / len(shown), sum(each[1] for each in shown) / len(shown)

    def _suggested(self, asked: Answering) -> Poses:
        """Return where the suggestion is drawn: a person looks until it is there."""
        found = asked.suggested()
        while asked.open is not None and asked.open.is_late:
            self.hands.frame()
            found = asked.suggested()
        return found

    def _strike(self, asked: Answering, unit: str) -> None:
        """Click the best target of a unit, as the list of targets has it."""
        phase = asked.open
        assert phase is not None
        self._passed.add(unit)
        target = self._best(asked, phase.targets)
        if target:
            self._aim(asked, unit, target)

    def _best(self, asked: Answering, targets: tuple[str, ...]) -> str:
        """Return the target that is worth most by the card under the mouse; "" for none."""
        found = (0.0, "")
        for target in targets:
            at = self._pixel_of(target)
            if at is None:
                continue
            self.hands.hover(at)
            odds = asked.odds(target)
            worth = 0.0
            if isinstance(odds, Volley):
                worth = odds.wounds if odds.wounds >= LEAST_WOUNDS else 0.0
            elif isinstance(odds, ChargeOdds):
                worth = odds.chance if odds.chance >= LEAST_CHANCE else 0.0
            found = max(found, (worth, target))
        return found[1]

    def _aim(self, asked: Answering, unit: str, target: str) -> None:
        at = self._pixel_of(target)
        if at is not None:
            self._own[unit] = {"charge": "charge", "fight": "strike"}.get(asked.view.phase, "shot")
            self.hands.click(at, self._own[unit])

    # other questions

    def _attack(self, asked: Answering, request: Split) -> None:
        """Click the best target of a unit that shoots or strikes out of turn."""
        targets = tuple(dict.fromkeys(target for line in request.lines for target in line.targets))
        target = self._best(asked, targets)
        at = self._pixel_of(target) if target else None
        if at is None:
            self.hands.key("g", request.decision)
            return
        self._own[request.unit] = "strike" if request.melee else "shot"
        self.hands.click(at, self._own[request.unit])

    def _set_up(self, asked: Answering, request: Place) -> None:
        """Drag what is to be set up to where it is suggested; Enter where that cannot be."""
        poses = asked.advice.poses if isinstance(asked.advice, Places) else {}
        if not poses:
            self.hands.key("return", request.kind)
            return
        x = sum(pose[0] for pose in poses.values()) / len(poses)
        y = sum(pose[1] for pose in poses.values()) / len(poses)
        at = self._within((x, y))
        self.hands.drag((at[0] - 12, at[1]), at, request.kind)
        if self.window.player.asked is asked:
            self.hands.key("return", request.kind)

    # places on the screen

    def _pixel_of(self, unit: str) -> Pixel | None:
        """Return a pixel of the board where the mouse would be on a unit; None where it is nowhere."""
        window, position = self.window, self.window.playback.state.position
        if unit not in position.units:
            return None
        for row in position.units[unit].rows:
            x, y = window.camera.to_screen(*position.table.xy[row].tolist())
            at = round(x), round(y)
            model = model_at(window.camera, window.playback, at)
            if model is not None and model.unit == unit and self._is_free(at):
                return at
        return None

    def _is_free(self, at: Pixel) -> bool:
        return self.window.camera.contains(*at) and not self.window.panel.hides(at)

    def _within(self, at: tuple[float, float]) -> Pixel:
        """Return the pixel of a place, moved into the board's part of the window."""
        x, y = self.window.camera.to_screen(*at)
        left, top, wide, high = self.window.camera.viewport
        box = pygame.Rect(left, top, wide, high).inflate(-16, -16)
        return round(min(max(x, box.left), box.right)), round(min(max(y, box.top), box.bottom))
