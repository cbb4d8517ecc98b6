"""One unit of a list on its datasheet: models, wargear as a roster counts, what differs.

The lines of a list may have lost their order and their depth: the datasheet tells whether a name is a model.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from datasheets.errors import HordeError
from datasheets.loadout import ModelLoadout, default_loadout, item_names, roster_loadout
from datasheets.rosters.finding import Finding, Subject, quoted
from datasheets.rosters.name_index import enhancement_of, near_among
from datasheets.rosters.raw_list import RawEnhancement, RawEntry, RawUnit
from datasheets.rosters.unit_names import UnitNames
from datasheets.schema import Datasheet

MOST_EACH = 10
"""How many of an item one model is tried with at the most."""
MOST_ROUNDS = 4


class ResolvedUnit:
    """A unit of a list with its datasheet; `models`, `wargear` and `enhancement` are a roster's."""

    def __init__(self, raw: RawUnit, sheet: Datasheet, detachments: Sequence[str]) -> None:
        """Read the lines of the unit on its datasheet; `detachments` are the list's."""
        self.raw = raw
        self.sheet = sheet
        self.findings: list[Finding] = []
        self.enhancement: str | None = None
        self._bonus: int | None = 0
        self._detachments = detachments
        self._names = UnitNames(sheet)
        self._groups: list[tuple[str, int]] = []
        self._listed: Counter[str] = Counter()
        self._unknown: list[RawEntry] = []
        for entry in raw.entries:
            self._take(entry, is_in_model=False)
        for each in raw.enhancements:
            self._enhance(each)
        self.models = self._models()
        self.wargear = self._wargear()
        self._compare_points()
        for entry in self._unknown:
            self._say_unknown(entry)

    @property
    def bonus(self) -> int:
        """Return the points of the unit's enhancement, as far as they are known."""
        return self._bonus or 0

    @property
    def points(self) -> int:
        """Return what the unit costs by the data, without an enhancement."""
        return self.sheet.cost(self.models)

    def _find(self, subject: Subject, text: str, line: int = 0) -> None:
        self.findings.append(Finding(subject, f"{self.sheet.name}: {text}", line or self.raw.line))

    def _take(self, entry: RawEntry, *, is_in_model: bool) -> None:
        """Take a line and what stands below it."""
        item = self._names.item(entry.name)
        if self._is_model(entry, item):
            # Some programs print the names of profiles below a model.
            if not is_in_model:
                self._groups.append((entry.name, entry.count))
            self._take_all(entry.inner, is_in_model=True)
        elif item:
            self._listed[item] += entry.count
            self._take_all(entry.inner, is_in_model=is_in_model)
        elif entry.inner:
            self._take_container(entry, is_in_model)
        elif items := self._names.items(entry.name):
            for each in items:
                self._listed[each] += entry.count
        elif self._is_enhancement(entry):
            self._enhance(RawEnhancement(entry.name, line=entry.line))
        elif not (
            self._names.means_nothing(entry.name) or (is_in_model and self._names.begins_model(entry.name))
        ):
            self._unknown.append(entry)

    def _take_all(self, entries: Iterable[RawEntry], *, is_in_model: bool) -> None:
        for each in entries:
            self._take(each, is_in_model=is_in_model)

    def _take_container(self, entry: RawEntry, is_in_model: bool) -> None:
        """Take what stands below an unknown name: a set of wargear, or models."""
        before = self._listed.total()
        self._take_all(entry.inner, is_in_model=is_in_model)
        if before == self._listed.total():
            self._unknown.append(entry)
        elif not (entry.kind or is_in_model or self._names.items(entry.name)):
            self._groups.append((entry.name, entry.count))
            self._find("models", f"{quoted(entry.name)} is taken for models of it", entry.line)

    def _is_model(self, entry: RawEntry, item: str) -> bool:
        if entry.kind:
            return entry.kind == "model"
        return self._names.is_model(entry.name) and (bool(entry.inner) or not item)

    def _is_enhancement(self, entry: RawEntry) -> bool:
        return not self.enhancement and enhancement_of(entry.name, self._detachments) is not None

    def _enhance(self, said: RawEnhancement) -> None:
        """Take an enhancement, whose points are in those that the list states of the unit."""
        known = enhancement_of(said.name, self._detachments)
        item = self._names.item(said.name)
        if known is None and item:
            self._listed[item] += 1
            return
        if known is None:
            self._find("line", f"the enhancement {quoted(said.name)} is not known", said.line)
        if self.enhancement is None:
            self.enhancement = known[0] if known else said.name
        points = said.points if said.points is not None else known[1] if known else None
        self._bonus = None if points is None or self._bonus is None else self._bonus + points

    def _models(self) -> int:
        """Return the number of models: as stated, as the lines say, or as wargear and points imply."""
        size = self.sheet.unit_size
        grouped = sum(count for _, count in self._groups)
        stated = self.raw.models
        if stated and grouped and grouped != stated:
            self._find("models", f"the list says {_models_of(stated)}, and its lines have {grouped}")
        models = stated or grouped or self._concluded()
        if not size.minimum <= models <= size.maximum:
            span = str(size.minimum) if size.minimum == size.maximum else f"{size.minimum} to {size.maximum}"
            self._find("models", f"the list has {_models_of(models)}, and the datasheet has {span}")
        return models

    def _concluded(self) -> int:
        """Return the number of models of a unit of which only wargear and points are listed."""
        size = self.sheet.unit_size
        sizes = range(size.minimum, size.maximum + 1)
        if len(sizes) == 1:
            return size.minimum
        carried = [
            self._listed[each.item] // each.count
            for kind in self.sheet.models
            if kind.default
            for each in kind.items
        ]
        if max(carried, default=0) in sizes:
            return max(carried)
        if self.raw.points is not None and self._bonus is not None:
            bought = self.raw.points - self._bonus
            fitting = [
                row.models for row in self.sheet.points if row.points == bought and row.models in sizes
            ]
            if fitting:
                return min(fitting)
        self._find("models", f"the list does not say how many models it has; {size.minimum} are taken")
        return size.minimum

    def _wargear(self) -> dict[str, int]:
        """Return the wargear as a roster says it: what the unit has more of than by default.

        What the datasheet does not allow is left out, and found.
        """
        size = self.sheet.unit_size
        models = max(size.minimum, min(size.maximum, self.models))
        try:
            usual = _held(default_loadout(self.sheet, models))
        except HordeError:
            return {}
        asked = {item: count for item, count in self._in_order() if count > usual[item]}
        granted: dict[str, int] = {}
        held = usual
        for _ in range(MOST_ROUNDS):
            granted = self._granted(models, asked)
            held = _held(roster_loadout(self.sheet, models, granted))
            # What some models choose may cost others what they have by default.
            lost = {
                each: count for each, count in self._in_order() if held[each] < count and each not in asked
            }
            if not lost:
                break
            asked |= lost
        for item, count in self._in_order():
            if held[item] < count:
                self._say_short(item, count, held[item])
        return {item: granted[item] for item, _ in self._in_order() if item in granted}

    def _granted(self, models: int, asked: dict[str, int]) -> dict[str, int]:
        """Return as much of the wargear as a unit of this many models may have, in its order."""
        granted: dict[str, int] = {}
        for item, count in asked.items():
            # The most that is legal: that much is, one more is not.
            able, barred = 0, min(count, models * MOST_EACH) + 1
            most = barred - 1
            if _is_legal(self.sheet, models, granted | {item: most}):
                able = most
            while able < most and barred - able > 1:
                middle = (able + barred) // 2
                if _is_legal(self.sheet, models, granted | {item: middle}):
                    able = middle
                else:
                    barred = middle
            if able:
                granted[item] = able
        return granted

    def _in_order(self) -> list[tuple[str, int]]:
        """Return the listed wargear in the order of the datasheet."""
        return [(item, self._listed[item]) for item in item_names(self.sheet) if self._listed[item]]

    def _say_short(self, item: str, count: int, able: int) -> None:
        many = f"{able} of them" if able else "none"
        self._find("wargear", f"the list has {count} {quoted(item)}, and the datasheet allows {many} here")

    def _say_unknown(self, entry: RawEntry) -> None:
        near = near_among(entry.name, item_names(self.sheet))
        hint = f"; did you mean {quoted(near)}?" if near else ""
        self._find("wargear", f"{quoted(entry.name)} is no wargear or model of it{hint}", entry.line)

    def _compare_points(self) -> None:
        """Find where the stated points are not those of the data."""
        if self.raw.points is None or self.raw.points == self.points + (self._bonus or 0):
            return
        bonus = f" and {self._bonus} for its enhancement" if self._bonus else ""
        unsaid = " without its enhancement" if self._bonus is None else ""
        self._find("points", f"the list says {self.raw.points} points, the data {self.points}{bonus}{unsaid}")


def _models_of(count: int) -> str:
    return "1 model" if count == 1 else f"{count} models"


def _held(loadout: Sequence[ModelLoadout]) -> Counter[str]:
    """Return how many of each item a unit has."""
    found: Counter[str] = Counter()
    for row in loadout:
        for each in row.items:
            found[each.item] += row.models * each.count
    return found


def _is_legal(sheet: Datasheet, models: int, wargear: dict[str, int]) -> bool:
    try:
        roster_loadout(sheet, models, wargear)
    except HordeError:
        return False
    return True
