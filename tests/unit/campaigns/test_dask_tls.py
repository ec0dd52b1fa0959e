"""The scheduler of a local pool accepts only clients with its certificate.

That campaigns on it give the records of one process is held by test_dask_pool.py.
"""

import dask
import pytest
from distributed import Client, Security

from bolt_core.campaigns import pools
from bolt_core.common import packages
from bolt_core.common.errors import ConfigError, MissingPackageError

SECONDS = 2.0
SETTINGS = {"ca_file": "ca-file", "client_cert": "client.cert", "client_key": "client.key"}


@pytest.fixture(scope="module")
def pool():
    with pools.local(1) as pool:
        yield pool


@pytest.mark.long
@pytest.mark.parametrize(
    ("scheme", "security"), [("tcp://", None), ("tls://", Security.temporary())]
)
def test_a_client_without_the_certificate_cannot_connect(pool, scheme, security):
    address = pool._cluster.scheduler_address
    workers = pool._client.scheduler_info()["workers"]
    assert all(used.startswith("tls://127.0.0.1:") for used in [address, *workers])

    with pytest.raises((OSError, TimeoutError)):
        Client(address.replace("tls://", scheme), security=security, timeout=SECONDS)


@pytest.mark.long
def test_a_scheduler_with_tls_is_used_with_the_certificate_of_dasks_settings(
    pool, tmp_path, monkeypatch
):
    monkeypatch.setattr("bolt_core.campaigns.pools.dask_pool.CONNECT_SECONDS", SECONDS)
    address = pool._cluster.scheduler_address
    with pytest.raises(ConfigError, match=r"tls://.*certificate"):
        pools.cluster(address)

    settings = {}
    for name, key in SETTINGS.items():
        (tmp_path / name).write_text(getattr(pool._cluster.security, f"tls_{name}"))
        settings[f"distributed.comm.tls.{key}"] = str(tmp_path / name)
    with dask.config.set(settings):
        assert pools.cluster(address)[1] == 1


def test_without_the_package_that_makes_certificates_the_remedy_is_named(monkeypatch):
    monkeypatch.setattr(packages, "missing", lambda *names: [names[-1]])
    with pytest.raises(MissingPackageError, match=r"--workers 0.* cryptography"):
        pools.local(1)
