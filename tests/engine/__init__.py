"""Tests of `engine`, and the battles and chances that they share."""
