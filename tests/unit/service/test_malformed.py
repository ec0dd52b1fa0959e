"""A few hundred malformed bodies; `python -m tools.chaos service` sends thousands."""

import asyncio
from collections import Counter

import httpx

from tests.support.service import error_code
from tools.chaos.malformed_bodies import CALLS, malformed_bodies

COUNT = 350


def test_malformed_bodies_are_refused_and_change_nothing(service):
    path, token = service.create()
    service.post(f"{path}/ask", token)
    before = service.get(path, token).json()
    answers = asyncio.run(_sent(service, path, token))
    statuses = Counter(error_code(answer)[0] for _, answer in answers)

    assert {request.call for request, _ in answers} == set(CALLS)
    assert {400, 415, 422} <= statuses.keys() <= {400, 409, 413, 415, 422}
    after = service.get(path, token).json()
    assert (after["told"], after["problem"]) == (before["told"], before["problem"])
    assert len(service.problems.ids()) == 1


async def _sent(service, path, token):
    answers = []
    transport = httpx.ASGITransport(service.app)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        for request in malformed_bodies(COUNT, seed=1):
            url = "/problems" if request.call == "create" else f"{path}/{request.call}"
            headers = {**request.headers, "Authorization": f"Bearer {token}"}
            answers.append((request, await client.post(url, content=request.body, headers=headers)))
    return answers
