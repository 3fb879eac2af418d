"""The metrics of a process in the text format of Prometheus."""

from __future__ import annotations

import re

_SAMPLE = re.compile(r"(\w+)(?:\{(.*)\})? (\S+)")
_LABEL = re.compile(r'(\w+)="([^"]*)"')


class MetricsText:
    """Parses the part of the text exposition format that our services use."""

    def __init__(self, text: str) -> None:
        self._samples: list[tuple[str, dict[str, str], float]] = []
        for line in text.splitlines():
            if found := _SAMPLE.fullmatch(line):
                name, labels, value = found.groups()
                self._samples.append((name, dict(_LABEL.findall(labels or "")), float(value)))

    def sum(self, name: str, **labels: str) -> float:
        """Returns the sum of all samples with this name and these labels; 0 if there are none."""
        return sum(
            value
            for found, having, value in self._samples
            if found == name and labels.items() <= having.items()
        )

    def by(self, label: str, name: str) -> dict[str, int]:
        """Returns the samples with this name, by one of their labels."""
        return {
            having[label]: int(value)
            for found, having, value in self._samples
            if found == name and label in having
        }
