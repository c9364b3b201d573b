"""Figures for Prometheus: of the requests that all processes answered, and of the registry."""

from __future__ import annotations

import os
from collections.abc import Iterator

from django.db import Error
from django.utils import timezone
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import REGISTRY, Collector

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
    """Figures that are read when they are asked for."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield them; without a database, that there is none."""
        try:
            figures = read_service_figures(timezone.now())
        except Error:
            yield make_gauge("database_up", "Whether the database answers.", 0)
            return
        yield make_gauge("database_up", "Whether the database answers.", 1)
        yield from make_gauges(figures)


def make_gauges(figures: ServiceFigures) -> Iterator[GaugeMetricFamily]:
    """Yield what the database tells; what never was is left out."""
    told = (
        ("migrations_pending", "Migrations to be made.", figures.pending_migrations),
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


def make_gauge(name: str, text: str, value: float) -> GaugeMetricFamily:
    """Return one figure."""
    return GaugeMetricFamily(f"registry_{name}", text, value)
