"""The version of this distribution."""

__version__ = "2.0.0"
