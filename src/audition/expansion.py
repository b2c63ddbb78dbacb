"""Quadratics and cubics through scores: the numerical part of the curvature diagnostic."""
