"""Equal battles, though functions that differ between machines are off by a unit."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import off_by_ulp
import pytest
from portable import SAMPLE, battles, main, untested
from typer import Exit

COUNT = int(os.environ.get("HORDE_PORTABLE_BATTLES", "2"))
"""The number of battles of the sample that are played, each twice; 6 are all."""
SCRIPTS = Path(off_by_ulp.__file__).parent
BITS = """
import json, math, sys
sys.path.insert(0, sys.argv[1])
import off_by_ulp
if "ulp" in sys.argv:
    off_by_ulp.act()
import numpy as np, shapely
a, b = np.array([0.3, 0.7]), np.array([0.2, 0.9])
found = {
    f"numpy.{name}": (getattr(np, name)(a, b) if name in TWO else getattr(np, name)(a)).tolist()
    for name in "sin cos tan arcsin arccos arctan exp log sinh cbrt hypot arctan2 power dot sum mean".split()
    for TWO in [("hypot", "arctan2", "power", "dot")]
}
names = "sin cos tan asin acos atan exp log sinh tanh".split()
found |= {f"math.{name}": getattr(math, name)(0.3) for name in names}
found |= {
    "math.atan2": math.atan2(1, 3), "math.hypot": math.hypot(1, 3), "math.pow": math.pow(1.1, 2.3),
    "math.dist": math.dist((0, 1), (3, 3)), "sum": sum([0.1, 0.2, 0.4]), "pow": pow(1.1, 2.3),
    "shapely.distance": shapely.distance(shapely.Point(0, 1), shapely.Point(3, 3)),
    "shapely.buffer": list(shapely.Point(1, 2).buffer(1.3).exterior.coords),
    "shapely.area": shapely.Point(1, 2).buffer(1.3).area,
}
print(json.dumps(found))
"""
"""Prints what the functions give, by name."""


def bits(*words: str) -> dict[str, object]:
    """Return what functions give in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", BITS, str(SCRIPTS), *words], capture_output=True, text=True, check=True
    )
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_every_function_gives_other_bits() -> None:
    exact, off = bits(), bits("ulp")
    assert [name for name in exact if exact[name] == off[name]] == []
    for name in exact:
        ours, theirs = np.array(exact[name]), np.array(off[name])
        np.testing.assert_allclose(ours, theirs, rtol=1e-14)


@pytest.mark.parametrize("number", [1.0, 0.1, -3e5, 1e-300])
def test_a_number_is_shifted_by_one_unit(number: float) -> None:
    found = off_by_ulp.shifted(number)
    assert found in (np.nextafter(number, np.inf), np.nextafter(number, -np.inf))
    assert off_by_ulp.shifted(np.array([number])).tolist() == [found]


@pytest.mark.parametrize("number", [0.0, float("inf"), 3, "text", True])
def test_what_is_no_rounded_number_stays(number: object) -> None:
    assert off_by_ulp.shifted(number) == number


def test_the_sample_is_of_both_factions_and_sizes() -> None:
    assert {(each.faction, each.points) for each in SAMPLE} == {
        (faction, points) for faction in ("death-guard", "tyranids") for points in (1000, 2000)
    }
    assert {each.seed for each in SAMPLE} == {5100, 5106, 5110}
    assert set(SAMPLE) <= set(battles(sample=False))
    assert len(battles(sample=False)) == 44


def test_what_changes_nothing_is_not_told_to_be_tested() -> None:
    same = {"features": [{"features": {"used": ["X86_V3"]}}]}
    assert any("not tested here" in each for each in untested(["features"], same))
    assert not untested(["plain", "ulp"], {})


def test_battles_are_the_same_off_by_a_unit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main("", sample=True, count=COUNT, workers=2, out=tmp_path)
    told = capsys.readouterr().out
    assert f"ulp: {COUNT} battles" in told
    rows = [json.loads(line) for line in (tmp_path / "ulp.jsonl").read_text().splitlines()]
    assert all(row["off"] and row["lines"] > 1000 for row in rows)
    (tmp_path / "plain.jsonl").write_text("".join(json.dumps({**row, "digest": "0"}) + "\n" for row in rows))
    with pytest.raises(Exit):
        main("", sample=True, count=COUNT, workers=1, out=tmp_path)
