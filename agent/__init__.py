"""Relay digest: reads the notes of research agents and writes one digest that people can act on."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("relay-digest")
except PackageNotFoundError:  # running from a checkout that was never installed
    __version__ = "0.0.0"
