"""Requests that the OpenAPI document allows, and many that it does not, cause no server error.

Schemathesis generates the requests, the same ones in every run, and validates each response against
the document.
"""

from __future__ import annotations

from typing import Any

import schemathesis
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from hypothesis import HealthCheck, Phase, given, settings
from requests import PreparedRequest
from requests.auth import AuthBase
from schemathesis import checks

from ControlAPI.house import House, Key

# The number of examples of each operation. All operations together take less than a minute.
EXAMPLES = 25


class Signature(AuthBase):
    """Signs requests with botocore."""

    def __init__(self, key: Key) -> None:
        self._credentials = Credentials(key.access_key_id, key.secret_access_key)

    def __call__(self, request: PreparedRequest) -> PreparedRequest:
        own = {"Content-Type": request.headers["Content-Type"]} if request.body else {}
        copy = AWSRequest(request.method, request.url, headers=own, data=request.body or b"")
        SigV4Auth(self._credentials, "chime", "us-east-1").add_auth(copy)
        for name in ("X-Amz-Date", "Authorization"):
            request.headers[name] = copy.headers[name]
        return request


def test_no_request_causes_a_server_error(house: House, key: Key) -> None:
    schema: Any = schemathesis.openapi.from_url(f"{house.url}/carillon/v1/openapi.json")
    operations = [found.ok() for found in schema.get_all_operations()]
    described = {
        f"{method.upper()} {path}"
        for path, methods in schema.raw_schema["paths"].items()
        for method in methods
    }
    # The tests cover all operations except the operation that returns the document.
    found = {operation.label for operation in operations}
    assert found == described - {"GET /carillon/v1/openapi.json"}
    for operation in operations:
        try_out(operation, key)


def try_out(operation: Any, key: Key) -> None:
    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy())
    def call(case: Any) -> None:
        case.call_and_validate(
            auth=Signature(key),
            checks=[
                checks.not_a_server_error,
                checks.content_type_conformance,
                checks.response_schema_conformance,
                checks.status_code_conformance,
            ],
        )

    call()
