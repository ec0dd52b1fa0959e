"""What was imported is not searched for garbage; what comes later is."""

import gc
import sys
import types
import weakref

import pytest

from ui import garbage


@pytest.fixture(autouse=True)
def thawed():
    garbage._freeze.cache_clear()
    yield
    gc.unfreeze()
    garbage._freeze.cache_clear()


class Ring:
    def __init__(self):
        self.itself = self


def test_what_is_there_is_frozen_once(monkeypatch):
    gc.unfreeze()
    garbage.spare_modules()
    first = gc.get_freeze_count()
    kept = [[] for _ in range(1000)]
    garbage.spare_modules()
    again = gc.get_freeze_count()
    monkeypatch.setitem(sys.modules, "bolt_imported_later", types.ModuleType("later"))
    garbage.spare_modules()

    assert first > 10_000
    assert again <= first  # not a second time: nothing was imported
    assert gc.get_freeze_count() >= first + len(kept)


def test_later_garbage_is_still_collected():
    garbage.spare_modules()
    ring = weakref.ref(Ring())
    gc.collect()

    assert ring() is None
