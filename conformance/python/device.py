"""The device flow by Authlib and by oauthlib (with requests-oauthlib), as their manuals show it: discovery (RFC 8414),
polling that is told to slow down (RFC 8628), the key as a Bearer token, revocation (RFC 7009).

PLAYOUT_API_URL names a running service that takes new users. The last line printed is `N passed, N failed`.
"""

import os
import time
import traceback
import uuid
from concurrent.futures import ThreadPoolExecutor

# Both refuse plain http, which is fine on this machine alone.
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"

import requests
from authlib.integrations.base_client.errors import OAuthError
from authlib.integrations.requests_client import OAuth2Session as AuthlibSession
from authlib.oauth2.rfc8414 import AuthorizationServerMetadata, get_well_known_url
from oauthlib.oauth2 import DeviceClient, OAuth2Error
from requests_oauthlib import OAuth2Session

URL = os.environ["PLAYOUT_API_URL"]
GRANT = "urn:ietf:params:oauth:grant-type:device_code"


def person():
    """Somebody with a session: what they send with each request."""
    credentials = {"email": f"{uuid.uuid4()}@example.org", "password": str(uuid.uuid4())}
    begun = requests.post(f"{URL}/app/v1/auth/sign-up", json=credentials, timeout=300).json()
    return {"Authorization": f"Bearer {begun['token']}", "x-organization-id": begun["organizations"][0]["id"]}


def decide(what, codes):
    answer = requests.post(
        f"{URL}/auth/device/{what}", json={"userCode": codes["user_code"]}, headers=person(), timeout=300
    )
    assert answer.status_code == 200, answer.text


def discovered():
    found = requests.get(get_well_known_url(URL, external=True), timeout=300).json()
    assert found["issuer"] == URL and found["response_types_supported"] == []
    # RFC 8414 wants the list and no word is true of it; Authlib wants a word in it.
    AuthorizationServerMetadata({**found, "response_types_supported": ["none"]}).validate()
    return found


def wait_for_token(poll, codes, error_of):
    """Asks twice at once, waits as it is told to, and asks until it is given a token."""
    said, interval = [], codes["interval"]
    for pause in (0, 0, None, 0):
        time.sleep(interval if pause is None else pause)
        try:
            return poll(), said
        except Exception as error:
            said.append(error_of(error))
        if said[-1] == "slow_down":
            interval += 5
        if len(said) == 3:
            decide("approve", codes)
    raise AssertionError(f"no token after {said}")


def uses_and_ends(session, revoke):
    answer = session.get(f"{URL}/public/v1/platforms")
    assert (answer.status_code, answer.json()) == (200, {"platforms": []}), answer.text
    assert revoke().status_code == 200
    assert session.get(f"{URL}/public/v1/platforms").status_code == 401


def authlib_error(error):
    assert isinstance(error, OAuthError), error
    return error.error


def authlib_gets_a_key_uses_it_and_ends_it():
    server = discovered()
    session = AuthlibSession("authlib", token_endpoint_auth_method="none", revocation_endpoint_auth_method="none")
    start = {"client_id": "authlib"}
    codes = session.post(server["device_authorization_endpoint"], data=start, withhold_token=True).json()

    def poll():
        return session.fetch_token(server["token_endpoint"], grant_type=GRANT, device_code=codes["device_code"])

    token, said = wait_for_token(poll, codes, authlib_error)
    assert said == ["authorization_pending", "slow_down", "authorization_pending"], said
    assert token["token_type"] == "Bearer" and token["access_token"].startswith("svc_sk_")
    uses_and_ends(session, lambda: session.revoke_token(server["revocation_endpoint"], token=token["access_token"]))


def authlib_is_told_that_a_person_refused():
    server = discovered()
    session = AuthlibSession("authlib", token_endpoint_auth_method="none")
    codes = session.post(server["device_authorization_endpoint"], data={"client_id": "authlib"}, withhold_token=True).json()
    decide("deny", codes)
    try:
        session.fetch_token(server["token_endpoint"], grant_type=GRANT, device_code=codes["device_code"])
    except OAuthError as error:
        assert error.error == "access_denied", error
    else:
        raise AssertionError("a token after a refusal")


def oauthlib_error(error):
    assert isinstance(error, OAuth2Error), error
    return error.error


def oauthlib_gets_a_key_uses_it_and_ends_it():
    server = discovered()
    client = DeviceClient("oauthlib")
    session = OAuth2Session(client=client)
    codes = requests.post(client.prepare_request_uri(server["device_authorization_endpoint"]), timeout=300).json()

    def poll():
        return session.fetch_token(
            server["token_endpoint"], device_code=codes["device_code"], include_client_id=True
        )

    token, said = wait_for_token(poll, codes, oauthlib_error)
    assert said == ["authorization_pending", "slow_down", "authorization_pending"], said
    endpoint, headers, body = client.prepare_token_revocation_request(
        server["revocation_endpoint"], token["access_token"]
    )
    uses_and_ends(session, lambda: requests.post(endpoint, headers=headers, data=body, timeout=300))


TESTS = [
    authlib_gets_a_key_uses_it_and_ends_it,
    authlib_is_told_that_a_person_refused,
    oauthlib_gets_a_key_uses_it_and_ends_it,
]


def main():
    failed = 0
    with ThreadPoolExecutor() as pool:
        for test, outcome in [(test, pool.submit(test)) for test in TESTS]:
            name = test.__name__.replace("_", " ")
            try:
                outcome.result()
                print(f"ok {name}")
            except Exception:
                failed += 1
                print(f"FAILED {name}\n{traceback.format_exc()}")
    print(f"{len(TESTS) - failed} passed, {failed} failed")
    raise SystemExit(failed > 0)


if __name__ == "__main__":
    main()
