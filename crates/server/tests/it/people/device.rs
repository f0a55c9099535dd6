//! The device flow (RFC 8628), line by line. Tests that begin with `rfc8628_` are named after the line that they hold
//! the service to. All lines that bind a server (MUST, SHOULD, RECOMMENDED, or a fact about what it answers):
//!
//! | Line | Test |
//! |---|---|
//! | §3.1 the request is form-encoded, in UTF-8 | `codes::rfc8628_3_1_a_form_and_our_own_json_begin_alike` |
//! | §3.1 parameters without a value MUST be treated as if omitted | `codes::rfc8628_3_1_a_parameter_without_a_value_is_as_if_omitted` |
//! | §3.1 unrecognized parameters MUST be ignored | `codes::rfc8628_3_1_unrecognized_parameters_are_ignored` |
//! | §3.1 parameters MUST NOT be included more than once | `codes::rfc8628_3_1_a_parameter_sent_twice_is_refused` |
//! | §3.1 public clients identify themselves by client_id | `codes::rfc8628_3_1_a_client_is_known_by_its_client_id` |
//! | §3.2 JSON, 200, every REQUIRED parameter | `codes::rfc8628_3_2_the_answer_has_every_parameter_as_json` |
//! | §3.2 unique codes, valid for a limited time | `codes::rfc8628_3_2_codes_are_unique_and_unlike_each_other`, `polling::rfc8628_3_5_an_expired_code_is_expired_token` |
//! | §3.2 the URI should be short; NOT RECOMMENDED to include the code (§3.3) | `codes::rfc8628_3_2_the_verification_uri_is_short_and_has_no_code` |
//! | §3.2 errors as those of the token endpoint (RFC 6749 §5.2) | `codes::rfc8628_3_2_errors_are_those_of_the_token_endpoint` |
//! | §3.3 MUST: from the URI, by the code, to a decision; the device code is not shown | `page::rfc8628_3_3_a_person_signs_in_types_the_code_is_told_who_asks_and_approves` |
//! | §3.3 approve or deny | `page::rfc8628_3_3_a_person_may_refuse` |
//! | §3.3 the person is sent back to the device | both |
//! | §3.3 errors in the code are highlighted | `page::rfc8628_3_3_a_wrong_code_is_said_beside_the_field` |
//! | §3.3.1 SHOULD display the code and ask to verify it | `page::rfc8628_3_3_1_the_code_in_the_address_is_shown_to_be_compared_and_decides_nothing` |
//! | §3.4 grant_type MUST be the device grant's | `polling::rfc8628_3_4_the_grant_type_is_the_device_grants` |
//! | §3.4 device_code REQUIRED | `polling::rfc8628_3_4_the_device_code_is_required` |
//! | §3.4 client_id | `polling::rfc8628_3_4_another_client_gets_nothing` |
//! | §3.5 success as RFC 6749 §5.1, not to be stored | `polling::rfc8628_3_5_success_is_that_of_oauth_and_comes_once` |
//! | §3.5 authorization_pending | `polling::rfc8628_3_5_until_somebody_decides_it_is_authorization_pending` |
//! | §3.5 slow_down, MUST increase by 5 seconds for this and all subsequent requests | `polling::rfc8628_3_5_slow_down_adds_five_seconds_each_time` |
//! | §3.5 access_denied | `polling::rfc8628_3_5_a_refusal_is_access_denied` |
//! | §3.5 expired_token | `polling::rfc8628_3_5_an_expired_code_is_expired_token` |
//! | §4 device_authorization_endpoint, grant_types_supported | `standard::rfc8628_4_the_metadata_announces_the_endpoint_and_the_grant` |
//! | §5.1 rate-limit user code attempts | `guesses::rfc8628_5_1_ten_thousand_guesses_get_nowhere`, and the rest of that file |
//! | §5.1 enough entropy for the limits | `guesses::rfc8628_5_1_the_entropy_of_a_code_is_enough_for_the_tries_there_are` |
//! | §5.2 a very high entropy device code SHOULD be used | `codes::rfc8628_5_2_the_device_code_has_256_bits` |
//! | §5.4 inform the person, display information about the device, confirm possession | `page::rfc8628_5_4_the_page_says_what_is_asked_and_warns_of_strangers` |
//! | §5.6 public clients: the code alone is the proof | `polling::rfc8628_3_5_success_is_that_of_oauth_and_comes_once` |
//! | §6.1 case-insensitive, punctuation ignored, no look-alikes | `codes::rfc8628_6_1_a_code_is_read_however_it_is_typed` |
//!
//! These bind the client alone: when to begin and whether to begin anew (§3.1, §3.5), to wait for `interval` or 5 seconds
//! and to back off (§3.2, §3.5), what to display (§3.3, §3.3.1, §5.5, §5.7). TLS (§3.1, §3.3) is where the service is put.
//! §5.3 is about what a device is worth; §3.4's client authentication is about clients with credentials, of which there
//! are none here.

mod codes;
mod decisions;
mod guesses;
mod page;
mod polling;
mod standard;

use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Answer, Client, Person, TestApp, secret, with_form};

pub(super) const GRANT: &str = "urn:ietf:params:oauth:grant-type:device_code";

/// A client that waits for a person's decision, and has nothing but its codes.
pub(super) struct Device {
    api: Client,
    pub(super) started: Value,
}

impl Device {
    pub(super) async fn start(t: &TestApp) -> Self {
        Self::start_as(t, &json!({ "client_name": "laptop" })).await
    }

    pub(super) async fn start_as(t: &TestApp, body: &Value) -> Self {
        let api = t.nobody();
        let started = api.post("/auth/device/start", body).await.ok();
        Self { api, started }
    }

    pub(super) fn code(&self) -> &str {
        self.started["device_code"].as_str().unwrap()
    }

    pub(super) fn user_code(&self) -> &str {
        self.started["user_code"].as_str().unwrap()
    }

    /// Polls with this service's own JSON.
    pub(super) async fn poll(&self) -> Answer {
        let body = json!({ "device_code": self.code() });
        self.api.post("/auth/device/token", &body).await
    }

    /// Polls as OAuth does.
    pub(super) async fn poll_standard(&self) -> Answer {
        let fields = [("grant_type", GRANT), ("device_code", self.code())];
        form(&self.api, "/auth/device/token", &fields).await
    }

    /// Asserts the error of a poll, and returns the description.
    pub(super) async fn is_told(&self, error: &str) {
        self.poll().await.is_oauth_error(error);
    }

    /// Polls, and gets a key; returns a client with it.
    pub(super) async fn fetch(&self) -> Client {
        let body = self.poll().await.ok();
        assert_eq!(body["status"], "approved");
        self.api.with_key(Some(secret(body["api_key"].as_str().unwrap())))
    }
}

impl Answer {
    /// Asserts an error of OAuth.
    #[track_caller]
    pub(super) fn is_oauth_error(&self, error: &str) -> Value {
        let body = self.json();
        assert_eq!((self.status, &body["error"]), (400, &json!(error)), "{body:#}");
        assert!(body["error_description"].is_string(), "{body:#}");
        body
    }
}

/// POSTs a form.
pub(super) async fn form(api: &Client, path: &str, fields: &[(&str, &str)]) -> Answer {
    api.send(with_form(api.request(Method::POST, path), fields)).await
}

/// The response to a decision about a code.
pub(super) async fn decide(by: &Person, what: &str, user_code: &str) -> Answer {
    let body = json!({ "userCode": user_code });
    by.api.post(&format!("/auth/device/{what}"), &body).await
}
