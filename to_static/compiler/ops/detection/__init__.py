"""Operators of detectors: boxes, regions, proposals, suppression."""
