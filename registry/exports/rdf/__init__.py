"""The registry as a graph: JSON-LD and Turtle, written from the same nodes."""

from registry.exports.rdf.jsonld import jsonld
from registry.exports.rdf.turtle import turtle

__all__ = ["jsonld", "turtle"]
