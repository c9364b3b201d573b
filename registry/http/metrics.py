"""Figures for Prometheus: the requests that all processes answered, and the registry."""

from __future__ import annotations

import os
from collections.abc import Iterator

from django.db import Error
from django.utils import timezone
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import REGISTRY, Collector

from registry.selectors.replica_status import ReplicaState, list_replica_states
from registry.selectors.service_status import ServiceFigures, read_service_figures


def write_metrics() -> bytes:
    """Return all figures in Prometheus' text format."""
    registry = REGISTRY
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    own = CollectorRegistry()
    own.register(ServiceCollector())
    return generate_latest(registry) + generate_latest(own)


class ServiceCollector(Collector):
    """Figures that are read on request."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the figures; without a database, only that it is away."""
        now = timezone.now()
        yield from make_replica_gauges(list(list_replica_states(now)))
        try:
            figures = read_service_figures(now)
        except Error:
            yield make_gauge("database_up", "Whether the database answers.", 0)
            return
        yield make_gauge("database_up", "Whether the database answers.", 1)
        yield from make_gauges(figures)


def make_gauges(figures: ServiceFigures) -> Iterator[GaugeMetricFamily]:
    """Yield what the database knows; what never happened is left out."""
    told = (
        ("migrations_pending", "Migrations to be made.", figures.pending_migrations),
        ("cache_up", "Whether the shared cache answers.", figures.is_cache_up),
        ("letters_waiting", "Letters that wait to be sent.", figures.letters_waiting),
        ("letters_refused", "Letters that wait and were tried in vain.", figures.letters_refused),
        ("tasks_ready", "Tasks that wait for the worker.", figures.tasks_ready),
        ("tasks_dead", "Tasks that ended with an error.", figures.tasks_dead),
        (
            "task_oldest_seconds",
            "For how long the task has waited that has waited longest.",
            figures.oldest_task_seconds,
        ),
        (
            "worker_seen_timestamp_seconds",
            "When a task was finished last.",
            figures.worker_seen,
        ),
        ("clock_seen_timestamp_seconds", "When the clock was called last.", figures.clock_seen),
        ("journal_line", "The number of the last line of the journal.", figures.journal_line),
    )
    for name, text, value in told:
        if value is not None:
            yield make_gauge(name, text, value)


def make_replica_gauges(states: list[ReplicaState]) -> Iterator[GaugeMetricFamily]:
    """Yield whether each replica answers and is used, and its lag if known."""
    told: tuple[tuple[str, str, list[tuple[str, float]]], ...] = (
        ("up", "Whether the replica answers.", [(s.alias, not s.error) for s in states]),
        (
            "used",
            "Whether strangers are read from the replica.",
            [(s.alias, s.is_used) for s in states],
        ),
        (
            "lag_seconds",
            "For how long the primary has had what the replica has not.",
            [(s.alias, s.seconds_behind) for s in states if s.seconds_behind is not None],
        ),
    )
    for name, text, values in told:
        family = GaugeMetricFamily(f"registry_replica_{name}", text, labels=["replica"])
        for alias, value in values:
            family.add_metric([alias], value)
        if values:
            yield family


def make_gauge(name: str, text: str, value: float) -> GaugeMetricFamily:
    """Return one figure."""
    return GaugeMetricFamily(f"registry_{name}", text, value)
