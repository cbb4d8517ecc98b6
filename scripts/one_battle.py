"""Plays one battle and prints its row as JSON, and what numpy uses of the processor.

    python scripts/one_battle.py death-guard 1000 5100 [--ulp]

With `--ulp` the functions that machines compute differently are off by one unit in the last place, those of
`off_by_ulp.py`. `scripts/portable.py` calls this in environments of several kinds.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

import numpy as np
import off_by_ulp


def features() -> dict[str, list[str]]:
    """Return the features of processors for which numpy has code, and those that it uses here."""
    from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

    return {
        "known": list(__cpu_dispatch__),
        "used": [name for name in __cpu_dispatch__ if __cpu_features__[name]],
    }


def main(faction: str, points: str, seed: str, *options: str) -> None:
    """Play the battle and print its row."""
    before = (math.sin(1.0), float(np.arctan2(1.0, 2.0)))
    if "--ulp" in options:
        off_by_ulp.act()
    sys.path.insert(1, str(Path(__file__).parent.parent))
    from battle_bits import Battle, played

    row = played(Battle(faction, int(points), int(seed)))
    acts = before != (math.sin(1.0), float(np.arctan2(1.0, 2.0)))
    print(json.dumps({**row, "numpy": np.__version__, "features": features(), "off": acts}))


if __name__ == "__main__":
    main(*sys.argv[1:])
