"""A person's rules about what is asked: by kind when it is put, and from which worth on.

Owns the file of them in the user's data folder, its reading and its writing. What a kind is stands in
`viewer.input.stops`.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import msgspec

from datasheets.errors import BadData, HordeError, unknown
from datasheets.outside import LARGEST_TEXT, bounded, read_bytes
from viewer.input.stops import ASKINGS, NAMED, OFFER, Asking, Kind

VARIABLE = "HORDE_SETTINGS"
"""The environment variable that names the file of settings; an empty value is none."""
FILE = "settings.json"
"""The file in the user's data folder where the variable is not set."""
SECTION = "questions"
"""The part of the file that holds these rules; other parts are left as they are."""
EVERY = "all"
"""The word for all kinds together."""
MOST = 100.0
"""The largest threshold."""


class Setting(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is set for a kind: when it is put, and the threshold; None where it is as by default."""

    asking: Asking | None = None
    threshold: float | None = None


class Rules(msgspec.Struct, frozen=True):
    """The rules in force: what is set by kind, all else being as by default."""

    settings: dict[str, Setting] = {}

    def asking(self, kind: Kind) -> Asking:
        """Return when a kind of question is put."""
        return self._of(kind).asking or kind.asking

    def threshold(self, kind: Kind) -> float:
        """Return from which worth on an offer matters, in its prices."""
        found = self._of(kind).threshold
        return found if found is not None else kind.threshold or 0.0

    def _of(self, kind: Kind) -> Setting:
        return self.settings.get(kind.name, Setting())

    def changed(self, name: str, words: list[str]) -> Rules:
        """Return the rules after a change that a person typed: a kind, then its rule or threshold.

        Raises HordeError for what is unknown or out of bounds.
        """
        kinds = kinds_named(name)
        if not words or len(words) > 2:
            raise HordeError(f"Say what '{name}' is to be: {', '.join(ASKINGS)}, or a threshold such as 1.5.")
        settings = dict(self.settings)
        for word in words:
            for kind in kinds:
                settings[kind.name] = _with(
                    settings.get(kind.name, Setting()), kind, word, alone=len(kinds) == 1
                )
        return Rules(settings)


def kinds_named(name: str) -> list[Kind]:
    """Return the kinds that a word means: one, all offers, or all. Raises HordeError."""
    if name == EVERY:
        return list(NAMED.values())
    if name == OFFER:
        return [kind for kind in NAMED.values() if kind.declines]
    if name not in NAMED:
        raise unknown(name, (*NAMED, OFFER, EVERY), "kind of question")
    return [NAMED[name]]


def _with(setting: Setting, kind: Kind, word: str, *, alone: bool) -> Setting:
    """Return a setting with a rule or threshold in place of its own."""
    if word in ASKINGS:
        if word == "matters" and kind.weigh is None:
            if not alone:
                return setting
            raise HordeError(f"'{kind.name}' is put always or never: nothing is weighed in it.")
        return msgspec.structs.replace(setting, asking=word)
    try:
        number = float(word)
    except ValueError:
        raise HordeError(
            f"'{word}' is no rule; say {', '.join(ASKINGS)}, or a threshold such as 1.5."
        ) from None
    if not 0 <= number <= MOST:
        raise HordeError(f"{word} is no threshold; give a number from 0 to {MOST:g}.")
    if kind.threshold is None:
        if not alone:
            return setting
        raise HordeError(f"'{kind.name}' has no threshold; say {', '.join(ASKINGS)}.")
    return msgspec.structs.replace(setting, threshold=number)


# the file


def settings_path() -> Path | None:
    """Return the file of settings, there or not; None where the environment says none."""
    named = os.environ.get(VARIABLE)
    if named is not None:
        return Path(named) if named else None
    # Seldom needed: only where a person is asked.
    from platformdirs import user_data_path

    return user_data_path("horde") / FILE


def load_rules() -> Rules:
    """Return the rules of the user's file, the default ones without one. Raises BadData."""
    path = settings_path()
    try:
        settings = msgspec.convert(load_section(SECTION), dict[str, Setting])
    except msgspec.ValidationError as fault:
        raise BadData(str(path), SECTION, f"is at fault ({fault}); mend it or remove the file") from None
    for name, setting in settings.items():
        if name not in NAMED:
            raise BadData(
                str(path), f"{SECTION}.{name}", "is no kind of question (horde settings lists them)"
            )
        _check(path, NAMED[name], setting)
    return Rules(settings)


def load_section(section: str) -> Any:
    """Return what the user's file says in one part, nothing without a file. Raises BadData."""
    path = settings_path()
    return {} if path is None or not path.is_file() else _read(path).get(section, {})


def _check(path: Path | None, kind: Kind, setting: Setting) -> None:
    """Raise BadData for a setting that could not be typed."""
    words = [word for word in (setting.asking, setting.threshold) if word is not None]
    try:
        for word in words:
            _with(Setting(), kind, str(word), alone=True)
    except HordeError as fault:
        raise BadData(str(path), f"{SECTION}.{kind.name}", f"is at fault: {fault}") from None


def keep_rules(rules: Rules) -> Path:
    """Write the rules into the user's file, beside what else it holds. Raises HordeError."""
    return keep_section(SECTION, rules.settings)


def keep_section(section: str, value: object) -> Path:
    """Write one part of the user's file, and leave the others as they are. Raises HordeError."""
    path = settings_path()
    if path is None:
        raise HordeError(f"There is no file for settings; name one by {VARIABLE}, or unset it.")
    whole = _read(path) if path.is_file() else {}
    whole[section] = msgspec.to_builtins(value)
    body = msgspec.json.format(msgspec.json.encode(whole), indent=1) + b"\n"
    beside = path.with_name(f"{path.name}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_bytes(body)
        beside.replace(path)
    except OSError as fault:
        raise HordeError(f"{path}: the settings cannot be written there ({fault.strerror}).") from None
    return path


def _read(path: Path) -> dict[str, Any]:
    """Return what a file of settings says. Raises BadData where it is no such file."""
    try:
        data = bounded(msgspec.json.decode(read_bytes(path, LARGEST_TEXT)), str(path))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise BadData(str(path), "", "is no file of settings; remove it, and the default ones hold") from None
    if not isinstance(data, dict):
        raise BadData(str(path), "", "is no file of settings; remove it, and the default ones hold")
    return data
