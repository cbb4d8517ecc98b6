"""A test ruleset unlike the 10th edition, its agent and its tests."""
