"""Bounds of what is read."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """Bytes of one file that is read, files, and bytes in all."""

    file_bytes: int = 5 * 2**20
    files: int = 20_000
    total_bytes: int = 512 * 2**20
