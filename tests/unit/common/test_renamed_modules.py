"""Plug-ins that import a module by its older name go on working for one version."""

import importlib
import sys

import pytest

from bolt_core.common.renamed_modules import NEW_NAMES, accept_old_names


@pytest.mark.parametrize("old", NEW_NAMES)
def test_an_old_name_loads_the_new_module_and_warns(old, monkeypatch):
    monkeypatch.delitem(sys.modules, old, raising=False)
    with pytest.warns(DeprecationWarning, match=NEW_NAMES[old]):
        loaded = importlib.import_module(old)
    monkeypatch.delitem(sys.modules, old)
    current = importlib.import_module(NEW_NAMES[old])

    spec = "BenchmarkSpec" if old.endswith("objective") else "AlgorithmSpec"
    assert getattr(loaded, spec) is getattr(current, spec)


def test_the_finder_is_installed_once():
    before = len(sys.meta_path)
    accept_old_names()

    assert len(sys.meta_path) == before


def test_other_names_are_left_alone():
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("bolt_core.nothing_of_that_name")
