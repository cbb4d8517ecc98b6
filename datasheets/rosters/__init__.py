"""Readers of the army lists that people have, and what makes rosters of them."""
