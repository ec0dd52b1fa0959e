"""Names of devices: the known ones, their multiples, and others."""

import pytest

from bolt_core.common import devices


@pytest.mark.parametrize(
    ("name", "slowdown", "expected"),
    [
        ("nominal", 1.0, "nominal device"),
        ("nominal", 10.0, "nominal device, 10× slower"),
        ("paper", 1.0, "paper device"),
        ("paper", 0.01, "paper device, 100× faster"),
        ("paper", 1 / 3, "paper device, 3× faster"),
    ],
)
def test_a_multiple_of_a_known_device_has_its_name(name, slowdown, expected):
    scaled = tuple(slowdown * c for c in devices.device(name))

    assert devices.device_label(scaled) == expected


@pytest.mark.parametrize("coefficients", [(0.0, 0.0, 0.0, 0.0), (0.1, 0.0, 0.0, 1e-8)])
def test_another_device_is_a_declared_one(coefficients):
    assert devices.known_device(coefficients) is None
    assert devices.device_label(coefficients) == "declared device"
