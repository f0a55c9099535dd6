//! `/v2/auth/authorize/`: shows the consent page, and takes the answer of the person.
//!
//! The form posts to its own address, so that all parameters of the request stay in the query.

use std::collections::HashSet;
use std::time::Duration;

use playout_domain::time::Time;
use url::{Url, form_urlencoded};

use super::consent::{consent_page, problem_page};
use super::request::Request;
use crate::sim::answer::Answer;
use crate::sim::call::Call;
use crate::sim::config::BUSINESS_SCOPES;
use crate::sim::grants::{App, Code, Grant};
use crate::sim::knobs::{Knobs, Pkce};
use crate::sim::world::World;

/// How long a code may wait. The real time is not documented; the app exchanges it at once.
const CODE_TTL: Duration = Duration::from_secs(600);

/// The consent page, or where its answer leads.
pub(in crate::sim) fn authorize(world: &mut World, call: &Call) -> Answer {
    let request = match check(world, call) {
        Ok(request) => request,
        Err(parameter) => {
            return Answer::Page {
                status: 400,
                html: problem_page(parameter),
            };
        }
    };
    if call.method == axum::http::Method::GET {
        return Answer::Page {
            status: 200,
            html: consent_page(world, &request, &call.path_and_query()),
        };
    }
    match call.form("decision").as_deref() {
        Some("approve") => approve(world, call, &request),
        _ => deny(&request),
    }
}

/// The parameters, in the provider's order of checks; on failure the name of the wrong one.
fn check(world: &World, call: &Call) -> Result<Request, &'static str> {
    let knobs = &world.knobs;
    let client = call.query("client_key").unwrap_or_default();
    let app = match client {
        ref key if *key == world.client_key => App::Creator,
        ref key if *key == world.business_client_id => App::Business,
        _ => return Err("client_key"),
    };
    let redirect_uri = call.query("redirect_uri").unwrap_or_default();
    // The business portal registers only addresses that end in a slash, which those of creators here do not.
    let is_of_app = |registered: &&String| {
        registered.as_str() == "*" || registered.ends_with('/') == (app == App::Business)
    };
    let mut registered = knobs.redirect_uris.iter().filter(is_of_app);
    if !registered.any(|registered| matches(registered, &redirect_uri)) {
        return Err("redirect_uri");
    }
    if call.query("response_type").as_deref() != Some("code") {
        return Err("response_type");
    }
    let scopes: Vec<String> = call
        .query("scope")
        .unwrap_or_default()
        .split(',')
        .map(str::to_owned)
        .collect();
    let is_approved = |scope: &String| match app {
        App::Creator => knobs.approved_scopes.contains(scope),
        App::Business => BUSINESS_SCOPES.contains(&scope.as_str()),
    };
    if !scopes.iter().all(is_approved) {
        return Err("scope");
    }
    let challenge = match app {
        App::Creator => check_challenge(knobs, call, &redirect_uri)?,
        App::Business => None,
    };
    Ok(Request {
        app,
        client,
        redirect_uri,
        scopes,
        state: call.query("state").unwrap_or_default(),
        challenge,
    })
}

fn check_challenge(knobs: &Knobs, call: &Call, redirect_uri: &str) -> Result<Option<String>, &'static str> {
    if knobs.pkce == Pkce::Off {
        return Ok(None);
    }
    let challenge = call
        .query("code_challenge")
        .filter(|challenge| !challenge.is_empty());
    let desktop = redirect_uri.starts_with("http://");
    match &challenge {
        None if desktop || knobs.pkce == Pkce::Required => Err("code_challenge"),
        Some(_) if call.query("code_challenge_method").as_deref() != Some("S256") => {
            Err("code_challenge_method")
        }
        _ => Ok(challenge),
    }
}

/// Exact comparison; a registered port may be `*`, and `*` alone takes everything.
fn matches(registered: &str, uri: &str) -> bool {
    if registered == "*" || registered == uri {
        return true;
    }
    let Some((before, after)) = registered.split_once(":*/") else {
        return false;
    };
    let port_and_path = uri.strip_prefix(before).and_then(|rest| rest.strip_prefix(':'));
    let parts = port_and_path.and_then(|rest| rest.split_once('/'));
    parts.is_some_and(|(port, path)| port.parse::<u16>().is_ok() && path == after)
}

fn approve(world: &mut World, call: &Call, request: &Request) -> Answer {
    let name = call.form("account").unwrap_or_default();
    let Some(open_id) = world.find_account(&name).map(|account| account.open_id.clone()) else {
        return Answer::Page {
            status: 400,
            html: problem_page("account"),
        };
    };
    if world
        .knobs
        .sandbox_targets
        .as_ref()
        .is_some_and(|targets| !targets.contains(&open_id))
    {
        return Answer::Page {
            status: 400,
            html: problem_page("non_sandbox_target"),
        };
    }
    let ticked: HashSet<String> = call.form_all("granted").into_iter().collect();
    let granted = |scope: &&String| ticked.is_empty() || ticked.contains(*scope);
    let scopes: Vec<String> = request.scopes.iter().filter(granted).cloned().collect();
    let code = hand_out(world, request, open_id, scopes.clone());
    back(request, &[("code", &code), ("scopes", &scopes.join(","))])
}

fn hand_out(world: &mut World, request: &Request, open_id: String, scopes: Vec<String>) -> String {
    let code = world.ids.code();
    let expires_at: Time = world.now.plus(CODE_TTL);
    let entry = Code {
        grant: Grant {
            app: request.app,
            open_id,
            scopes,
            expires_at,
        },
        redirect_uri: request.redirect_uri.clone(),
        challenge: request.challenge.clone(),
    };
    world.grants.codes.insert(code.clone(), entry);
    code
}

fn deny(request: &Request) -> Answer {
    back(
        request,
        &[
            ("error", "access_denied"),
            ("error_description", "User cancelled the authorization."),
        ],
    )
}

/// Back to the app, with the state it gave.
fn back(request: &Request, pairs: &[(&str, &str)]) -> Answer {
    let mut query = form_urlencoded::Serializer::new(String::new());
    pairs.iter().for_each(|(name, value)| {
        query.append_pair(name, value);
    });
    query.append_pair("state", &request.state);
    let target = Url::parse(&request.redirect_uri).map(|mut url| {
        url.set_query(Some(&query.finish()));
        url.to_string()
    });
    target.map_or_else(
        |_| Answer::Page {
            status: 400,
            html: problem_page("redirect_uri"),
        },
        Answer::Redirect,
    )
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn redirect_uris_are_compared_exactly_but_for_a_wildcard_port() {
        assert!(matches("https://app.example/cb", "https://app.example/cb"));
        assert!(!matches("https://app.example/cb", "https://app.example/cb/"));
        assert!(matches("http://127.0.0.1:*/cb", "http://127.0.0.1:4123/cb"));
        assert!(!matches("http://127.0.0.1:*/cb", "http://127.0.0.1:4123/other"));
        assert!(!matches(
            "http://127.0.0.1:*/cb",
            "http://127.0.0.1.evil.example:1/cb"
        ));
    }
}
