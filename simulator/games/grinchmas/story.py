"""Merry Grinchmas told in plain sentences."""
