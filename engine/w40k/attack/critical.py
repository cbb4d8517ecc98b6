"""Attacks that scored a critical hit or wound, apart from the others of their volley.

Where no rule asks for it a volley stays whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.w40k.attack.hit import Hits
from engine.w40k.attack.volley import Volley, tells_apart
from engine.w40k.attack.wound import Wounds

if TYPE_CHECKING:
    from engine.w40k.battle import Battle


def by_hit(battle: Battle, volley: Volley, hits: Hits) -> list[tuple[Volley, Hits]]:
    """Return hits with their attacks, critical ones apart where a rule looks at that.

    Further hits of Sustained Hits are none of them. Rule: CORE.WPN.CRIT, CORE.WPN.SUST
    """
    if not hits.critical or not tells_apart(battle, "critical_hit"):
        return [(volley, hits)]
    plain = Hits(hits.count - hits.critical, trail=hits.trail)
    sharp = replace(hits, count=hits.critical)
    return [*([(volley, plain)] if plain.count else []), (_scored(battle, volley, hit=True), sharp)]


def by_wound(battle: Battle, volley: Volley, wounds: Wounds) -> list[tuple[Volley, Wounds]]:
    """Return wounds with their attacks, critical ones apart where a rule looks at that.

    Rule: CORE.WPN.CRIT
    """
    if not wounds.critical or not tells_apart(battle, "critical_wound"):
        return [(volley, wounds)]
    saved = wounds.critical - wounds.devastating
    plain = replace(wounds, count=wounds.count - saved, critical=0, devastating=0)
    sharp = replace(wounds, count=saved)
    return [(volley, plain), (_scored(battle, volley, wound=True), sharp)]


def _scored(battle: Battle, volley: Volley, *, hit: bool = False, wound: bool = False) -> Volley:
    """Return the volley as attacks that scored a critical, with the abilities that these have."""
    scored = {"critical_hit": hit or volley.critical_hit, "critical_wound": wound or volley.critical_wound}
    keywords = battle.query.weapon_keywords(
        volley.attacker, volley.models[0], volley.place, volley.target, **scored
    )
    return replace(volley, keywords=keywords, **scored)
