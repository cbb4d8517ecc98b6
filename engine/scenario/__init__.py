"""Scenarios: a position from a file, played by its steps and judged by what it expects.

The agents that play are given by the caller; this package knows none.
"""
