"""The report of a fault: a file that holds what mending it needs, and no more.

Owns how a fault is written down without the user's paths, and the file. What is put into it is said by the
window that met the fault.
"""

from __future__ import annotations

import re
import sysconfig
import traceback
import zipfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from viewer.input.user_folder import FAULTS, next_file, user_folder

STEM, SUFFIX = "horde-fault", ".zip"
TRACEBACK = "traceback.txt"
LONGEST_WORDS = 2_000
"""The most letters of what a fault says of itself."""
ROOT = Path(__file__).resolve().parent.parent.parent
"""The folder in which the program lies."""
_CODE = sorted({ROOT, *map(Path, sysconfig.get_paths().values())}, key=lambda each: -len(each.parts))
"""The folders in which code lies, those within others first."""
Part = Callable[[], bytes]
_PATH = re.compile(r"(?<![\w.:/])(?:[A-Za-z]:)?(?:[\\/][^\s\\/'\"<>|:]+){2,}[\\/]?")
_FIXED_TIME = (1980, 1, 1, 0, 0, 0)


def place_of(file: str) -> str:
    """Return a file of code as reports name it: from the program's or the library's folder on."""
    path = Path(file)
    for folder in _CODE:
        with suppress(ValueError):
            return path.relative_to(folder).as_posix()
    return path.name


def without_paths(words: str) -> str:
    """Return words with the last part alone of each path in them."""
    return _PATH.sub(lambda found: re.split(r"[\\/]", found[0].rstrip("\\/"))[-1], words)


def traceback_words(fault: BaseException) -> str:
    """Return where a fault arose, and from which it came, without paths of the user."""
    told = []
    for each in _chain(fault):
        lines = [
            f"  {place_of(frame.filename)}:{frame.lineno} in {frame.name}\n"
            for frame in traceback.extract_tb(each.__traceback__)
        ]
        words = without_paths(str(each))[:LONGEST_WORDS]
        told.append("".join(lines) + f"{type(each).__module__}.{type(each).__qualname__}: {words}\n")
    return "\nand then\n\n".join(told)


def _chain(fault: BaseException) -> list[BaseException]:
    """Return the faults that led to a fault, the first one first."""
    found: list[BaseException] = []
    each: BaseException | None = fault
    while each is not None and each not in found:
        found.insert(0, each)
        each = each.__cause__ or (None if each.__suppress_context__ else each.__context__)
    return found


def signature(fault: BaseException) -> tuple[str, str, int]:
    """Return what two faults have in common that are one: their kind, and where they arose."""
    frames = traceback.extract_tb(fault.__traceback__)
    last = frames[-1] if frames else None
    where = (place_of(last.filename), last.lineno or 0) if last is not None else ("", 0)
    return type(fault).__qualname__, *where


def write_bundle(fault: BaseException, parts: Mapping[str, Part]) -> Path:
    """Write a report of a fault, and return its file. Raises OSError without room for one.

    A part that cannot be made says so in its place.
    """
    path = next_file(user_folder(FAULTS), STEM, SUFFIX)
    with zipfile.ZipFile(path, "x", zipfile.ZIP_DEFLATED) as bundle:
        _add(bundle, TRACEBACK, traceback_words(fault).encode())
        for name, part in parts.items():
            try:
                _add(bundle, name, part())
            except Exception as other:
                _add(bundle, f"{name}.missing.txt", traceback_words(other).encode())
    return path


def _add(bundle: zipfile.ZipFile, name: str, body: bytes) -> None:
    about = zipfile.ZipInfo(name, _FIXED_TIME)
    about.compress_type = zipfile.ZIP_DEFLATED
    bundle.writestr(about, body)
