"""The program's family of errors: everything that a user can mend is one of them.

Owns the root `HordeError` and the two errors of data. Errors of the engine derive from the same root.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class HordeError(Exception):
    """Something that the user can mend; `str()` is one clear sentence."""


class BadData(HordeError):  # noqa: N818 - the name that the design gives it
    """A file that does not say what it should: where, at which key, and what to do about it."""

    def __init__(self, path: str, key: str, mend: str) -> None:
        """Keep the file's `path`, the `key` at fault and how to `mend` it.

        The key is empty where the file as a whole is at fault.
        """
        where = f"{path}: {key}" if key else path
        stop = "" if mend.endswith("?") else "."
        super().__init__(f"{where}: {mend.rstrip('.')}{stop}")
        self.path = path
        self.key = key
        self.mend = mend


MOST_NAMED = 12
"""The most names that a sentence lists; of more it tells the number, the first and the last."""


class UnknownName(HordeError):  # noqa: N818 - the name that the design gives it
    """A name that nothing in the library has, with the names that are near it."""

    def __init__(self, name: str, near: tuple[str, ...], kind: str, known: tuple[str, ...] = ()) -> None:
        """Keep the `name`, the names `near` it, and the `kind` of thing it was meant to be.

        The message names all that are `known` where none is near.
        """
        hint = f"; did you mean {_listed(near)}?" if near else f"{_choice(known)}."
        super().__init__(f"There is no {kind} '{name}'{hint}")
        self.name = name
        self.near = near
        self.kind = kind


def unknown(name: str, known: Iterable[str], kind: str) -> UnknownName:
    """Return the error for a name that is not known, with up to three near matches."""
    names = sorted(known)
    wanted = name.lower()
    short = {_hyphened(each.rsplit("/", 1)[-1]): each for each in reversed(names)}
    near = [short[each] for each in get_close_matches(_hyphened(wanted), sorted(short), n=3)]
    near += get_close_matches(wanted, names, n=3, cutoff=0.75)
    return UnknownName(name, tuple(dict.fromkeys(near))[:3], kind, tuple(names))


def _choice(known: tuple[str, ...]) -> str:
    """Return what there is to choose from, as the end of a sentence."""
    if not known:
        return ""
    if len(known) > MOST_NAMED:
        return f"; there are {len(known)}, from '{known[0]}' to '{known[-1]}'"
    return f"; there {'is' if len(known) == 1 else 'are'} {_listed(known, 'and')}"


def _hyphened(name: str) -> str:
    return name.lower().replace(" ", "-")


def _listed(names: tuple[str, ...], last: str = "or") -> str:
    """Return the names quoted, with commas and a word before the last."""
    quoted = [f"'{name}'" for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} {last} {quoted[-1]}"
