"""The data files of a library: where each lies, what it says, and its digest.

A file is called by its folder and its own name ("factions/tyranids.toml"), wherever that folder lies. What
the files say becomes records in `library`. The digests of packaged files are committed: the program trusts
them and reads no file for its digest.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import msgspec
import tomli

from datasheets.errors import BadData
from datasheets.parsing import parsed

COMMITTED = "digests.json"
"""The file of the digests of packaged files, in `assets`; `scripts/digests.py` writes it."""


class DataFiles:
    """Data files in folders; of the packaged folders, the committed digests are trusted."""

    def __init__(self, folders: Mapping[str, Traversable], packaged: Collection[str]) -> None:
        """Take the folders by name, and the names of those that are packaged."""
        self._folders = folders
        self._packaged = frozenset(packaged)

    def all(self) -> tuple[str, ...]:
        """Return the names of all files, folder by folder, each with the folders inside it."""
        folders = (each for folder in self._folders for each in (folder, *self.within(folder)))
        return tuple(name for folder in folders for name in self.of(folder, (".json", ".toml")))

    def within(self, folder: str) -> tuple[str, ...]:
        """Return the names of the folders inside a folder ("factions/tyranids"), in order."""
        path = self.path(folder)
        found = sorted(each.name for each in path.iterdir() if each.is_dir()) if path.is_dir() else []
        return tuple(f"{folder}/{name}" for name in found)

    def of(self, folder: str, suffix: str | tuple[str, ...]) -> tuple[str, ...]:
        """Return the names of a folder's files with this suffix, in order.

        There are none where there is no folder.
        """
        path = self.path(folder)
        found = sorted(each.name for each in path.iterdir()) if path.is_dir() else []
        return tuple(f"{folder}/{name}" for name in found if name.endswith(suffix))

    def path(self, name: str) -> Traversable:
        """Return the place of a file or folder, whether or not it is there."""
        folder = self._folder(name)
        below = name.removeprefix(folder).strip("/")
        return self._folders[folder].joinpath(*below.split("/")) if below else self._folders[folder]

    def _folder(self, name: str) -> str:
        """Return the folder of the library in which a file or folder lies, however deep."""
        return next(each for each in self._folders if f"{name}/".startswith(f"{each}/"))

    def __contains__(self, name: str) -> bool:
        """Return whether there is a file of this name."""
        return self.path(name).is_file()

    def read(self, name: str) -> dict[str, Any]:
        """Return what a JSON or TOML file says, shared by all: change nothing in it. Raises BadData."""
        path = self.path(name)
        text = path.read_text(encoding="utf-8")
        try:
            return parsed(text) if name.endswith(".toml") else _parsed_json(text)
        except (tomli.TOMLDecodeError, msgspec.DecodeError) as error:
            raise BadData(path.name, "", f"cannot be read ({error})") from None

    def digests(self, names: Iterable[str]) -> dict[str, str]:
        """Return the digests of those of these files that there are, in order of name."""
        return {name: self._digest(name) for name in sorted(set(names)) if name in self}

    def _digest(self, name: str) -> str:
        known = committed().get(name) if self._folder(name) in self._packaged else None
        return known or digest(self.read(name))


def stem(name: str) -> str:
    """Return the name of a file without its folder and its suffix."""
    return name.rpartition("/")[2].rpartition(".")[0]


def digest(data: Any) -> str:
    """Return the SHA-256 of plain data, equal on every machine and for every layout of its file."""
    # Few ask for it, and what it needs takes long to be brought in.
    from hashlib import sha256

    return sha256(msgspec.json.encode(data, order="sorted")).hexdigest()


@cache
def committed() -> dict[str, str]:
    """Return the digests of packaged files that are committed, by name."""
    path = files("assets").joinpath(COMMITTED)
    return msgspec.json.decode(path.read_bytes(), type=dict[str, str]) if path.is_file() else {}


@lru_cache(maxsize=64)
def _parsed_json(text: str) -> dict[str, Any]:
    """Return what a JSON text says, read once for the records of a library and for its digest."""
    return dict(msgspec.json.decode(text))
