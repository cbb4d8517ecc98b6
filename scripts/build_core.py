"""Compile the core, `geometry/core`, in place: each module by one call of a C compiler.

`scripts/build_hook.py` does so when the project is installed; run this after a change of the core. What was
compiled once is kept in `build/core`, with the C code, and used again where sources and compiler are equal.

HORDE_CC chooses the compiler: a name or path, `zig` for that of the package ziglang, `none` for none. Where
HORDE_CC is not set, the first of cc, gcc and clang that works is taken, or zig where there is none of them.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
CORE = ROOT / "geometry" / "core"
sys.path.insert(0, str(ROOT))
with warnings.catch_warnings():
    # That the compiled core is out of date is what this script mends.
    warnings.simplefilter("ignore")
    from geometry.core import ENDING, FOLDER, RECORD, Record, in_words, sources, sources_digest

KEPT = ROOT / "build" / "core"
CYTHON = "cython>=3.1,<4"
ZIG = "ziglang>=0.13,<1"
NAMES = ("cc", "gcc", "clang")
SHARED = "_cyutility"
"""The module with the code that Cython would else write into each module anew."""
DIRECTIVES = "boundscheck=False,wraparound=False,initializedcheck=False,cdivision=True"
PLACE = re.compile(r"\S+:\d+:\d+: ")
"""How a line begins in which a compiler names the place of an error."""
FLAGS = (
    "-O2",
    "-fPIC",
    "-shared",
    "-fwrapv",
    "-DNDEBUG",
    # A product and a sum in one rounding would be other bits than Python's.
    "-ffp-contract=off",
    "-fno-fast-math",
    "-w",
)


class NotCompiledError(Exception):
    """Nothing was compiled; the text is a clause that says why."""


class Compiler(NamedTuple):
    """A C compiler: how it is called and what it calls itself."""

    call: tuple[str, ...]
    title: str


def build(folder: Path) -> Record:
    """Compile the core into a folder; write and return the record, with the reason of a failure.

    Modules that are there already are replaced one by one: a program that runs keeps those that it loaded.
    """
    digest = sources_digest(CORE)
    try:
        compiler, made = _first_that_works(compilers(os.environ))
        record = Record(digest, compiler.title, "")
    except NotCompiledError as why:
        made, record = {}, Record(digest, "", str(why))
    except OSError as fault:
        made, record = {}, Record(digest, "", f"a file could not be written ({fault})")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # Without its record, a folder that is half filled is not taken.
        (folder / RECORD).unlink(missing_ok=True)
        _fill(folder, made)
        _write(folder / RECORD, json.dumps(record._asdict()).encode())
    except OSError as fault:
        record = record._replace(failure=f"{folder} could not be written ({fault})")
    return record


def reason_against(environ: Mapping[str, str]) -> str:
    """Return why no compiler is to be tried at all, as a clause; else empty."""
    if environ.get("HORDE_CC") == "none":
        return "it was installed with HORDE_CC=none"
    if os.name == "nt":
        return "it is not yet compiled on Windows"
    if not (Path(sysconfig.get_path("include")) / "Python.h").exists():
        return "Python's own headers are missing (Python.h)"
    return ""


def requirements(environ: Mapping[str, str]) -> list[str]:
    """Return what a build needs: Cython, and zig where there is no compiler.

    Zig is not asked for where pip finds no ziglang: the installation would fail, and it need not.
    """
    if reason_against(environ):
        return []
    chosen = environ.get("HORDE_CC", "")
    if chosen not in ("", "zig") or (not chosen and _on_path(NAMES, environ)):
        return [CYTHON]
    return [CYTHON, ZIG] if _is_to_be_had("ziglang") else [CYTHON]


def compilers(environ: Mapping[str, str]) -> Iterator[Compiler]:
    """Yield the compilers to be tried, in order; raise NotCompiledError where there is none."""
    against = reason_against(environ)
    if against:
        raise NotCompiledError(against)
    chosen = environ.get("HORDE_CC", "")
    calls: list[tuple[str, ...]] = [(path,) for path in _on_path([chosen] if chosen else NAMES, environ)]
    if chosen in ("", "zig") and not calls and importlib.util.find_spec("ziglang"):
        # Without a processor named, zig compiles for the one it runs on, and a wheel would run there alone.
        calls = [(sys.executable, "-m", "ziglang", "cc", "-mcpu=baseline")]
    if not calls:
        raise NotCompiledError(f"there is no C compiler {chosen}".rstrip())
    yield from (Compiler(call, _title(call)) for call in calls)


def _on_path(names: Iterable[str], environ: Mapping[str, str]) -> list[str]:
    """Return the paths of the programs of these names that there are."""
    found = filter(None, (shutil.which(name, path=environ.get("PATH", "")) for name in names))
    return list({os.path.realpath(path): path for path in reversed(list(found))}.values())[::-1]


def _title(call: Sequence[str]) -> str:
    """Return a compiler's name and version."""
    is_zig = "ziglang" in call
    words = [*call[:3], "version"] if is_zig else [*call, "--version"]
    try:
        told = _run(words).stdout.strip().split("\n")[0]
    except OSError:
        told = ""
    return f"zig {told}" if is_zig else told or call[0]


def _is_to_be_had(package: str) -> bool:
    """Return whether pip finds a wheel of a package; True where there is no pip to ask."""
    ask = ["index", "versions", package, "--only-binary=:all:", "--retries", "1"]
    # Isolated from the folder in which pip collects what a build needs: pip itself is not there.
    answer = _run([sys.executable, "-I", "-m", "pip", *ask])
    return answer.returncode == 0 or "No module named pip" in answer.stderr


def _first_that_works(tried: Iterator[Compiler]) -> tuple[Compiler, dict[str, Path]]:
    """Return the first compiler that compiles all modules, and the files of the modules by name."""
    faults = []
    for compiler in tried:
        try:
            return compiler, _compiled(compiler)
        except NotCompiledError as fault:
            faults.append(str(fault))
    raise NotCompiledError(faults[0])


def _compiled(compiler: Compiler) -> dict[str, Path]:
    """Return the compiled files of all modules by name; each loads."""
    names = [SHARED, *(path.stem for path in sources(CORE) if path.suffix == ".py")]
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        made = dict(zip(names, pool.map(lambda name: _module(name, compiler), names), strict=True))
    _check_loads(made)
    return made


def _module(name: str, compiler: Compiler) -> Path:
    """Return the compiled file of a module, kept from before or made."""
    folder = KEPT / f"{name}-{_key(name, compiler)}"
    made, c = folder / f"{name}.so", folder / f"{name}.c"
    if made.exists():
        return made
    folder.mkdir(parents=True, exist_ok=True)
    unfinished = folder / f"{name}.{os.getpid()}.so"
    include = sysconfig.get_path("include")
    mac = ["-undefined", "dynamic_lookup"] if sys.platform == "darwin" else []
    _succeed([sys.executable, "-m", "cython", *_to_c(name, c)])
    _succeed([*compiler.call, *FLAGS, *mac, f"-I{include}", str(c), "-lm", "-o", str(unfinished)])
    unfinished.replace(made)
    return made


def _to_c(name: str, c: Path) -> list[str]:
    """Return the words after `cython` that write a module as C."""
    if name == SHARED:
        return [f"--generate-shared={c}"]
    source = (CORE / f"{name}.py").relative_to(ROOT)
    module = [f"--module-name=geometry.core.{name}", f"--shared=geometry.core.{SHARED}"]
    return ["-3", *module, "-X", DIRECTIVES, str(source), "-o", str(c)]


def _key(name: str, compiler: Compiler) -> str:
    """Return a digest of all that a compiled module is made of."""
    parts: list[object] = [version("cython"), compiler, FLAGS, DIRECTIVES, ENDING]
    if name != SHARED:
        # A declaration of one module may shape another.
        parts += [(CORE / f"{name}.py").read_bytes()]
        parts += [path.read_bytes() for path in sources(CORE) if path.suffix == ".pxd"]
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def _succeed(words: Sequence[str]) -> None:
    """Run a program; raise NotCompiledError with its first line of an error where it fails."""
    done = _run(words)
    if done.returncode:
        sys.stderr.write(done.stdout + done.stderr)
        lines = [line.strip() for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        named = [line for line in lines if PLACE.match(line)] or [line for line in lines if "rror" in line]
        told = next(iter(named or lines), "no word")
        program = "Cython" if "cython" in words else "zig" if "ziglang" in words else words[0]
        raise NotCompiledError(f"{program} failed ({told})")


def _run(words: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run a program at the top of the project, in English; zig's cache is in `build`."""
    environ = {"ZIG_GLOBAL_CACHE_DIR": str(KEPT / "zig"), **os.environ, "LC_ALL": "C"}
    return subprocess.run(words, cwd=ROOT, env=environ, capture_output=True, text=True, errors="replace")


def _check_loads(made: Mapping[str, Path]) -> None:
    """Raise NotCompiledError where the compiled modules cannot be imported."""
    with TemporaryDirectory() as folder:
        _fill(Path(folder), made)
        lines = ["import sys", f"sys.path.insert(0, {str(ROOT)!r})", "import geometry.core"]
        lines += [f"geometry.core.__path__.insert(0, {folder!r})"]
        lines += [f"import geometry.core.{name}" for name in made]
        done = _run([sys.executable, "-W", "ignore", "-c", "\n".join(lines)])
    if done.returncode:
        told = done.stderr.strip().splitlines()
        raise NotCompiledError(f"what was compiled does not load ({told[-1] if told else 'no word'})")


def _fill(folder: Path, made: Mapping[str, Path]) -> None:
    """Put compiled modules into a folder, by the names that Python imports, and no others."""
    names = {f"{name}{ENDING}": path for name, path in made.items()}
    for old in folder.glob(f"*{ENDING}"):
        if old.name not in names:
            old.unlink()
    for name, path in names.items():
        _write(folder / name, path.read_bytes())


def _write(path: Path, content: bytes) -> None:
    """Write a file as a whole: whoever has the old one open keeps it."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}")
    unfinished.write_bytes(content)
    unfinished.replace(path)


def main() -> None:
    """Compile the core in place, say how it runs, and fail where it was not compiled."""
    record = build(CORE / FOLDER)
    sys.stdout.write(f"{in_words(record)}\n")
    sys.exit(1 if record.failure else 0)


if __name__ == "__main__":
    main()
