"""Tests of the project as a whole; the folders mirror the packages and hold what their tests share."""
