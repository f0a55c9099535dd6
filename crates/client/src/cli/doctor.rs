//! `doctor`: checks the setup and gives advice.

use playout_client::{Api, Error, Kind, SystemClock};
use playout_domain::key::is_well_formed;
use playout_domain::time::Clock;
use serde_json::{Value, json};

use super::moment::read_http_date;
use super::profile::{Source, Store};
use super::report::{Outcome, Report};
use super::screen::{Colour, Screen, clean};
use super::session::Session;

/// The difference between clocks beyond which scheduled times are misleading.
const LARGEST_SKEW_SECS: i64 = 30;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Fine,
    Doubtful,
    Wrong(Kind),
}

/// The result of one check.
struct Finding {
    check: &'static str,
    verdict: Verdict,
    found: String,
    advice: Option<String>,
}

impl Finding {
    fn fine(check: &'static str, found: impl Into<String>) -> Self {
        let (found, verdict) = (found.into(), Verdict::Fine);
        Self {
            check,
            verdict,
            found,
            advice: None,
        }
    }

    fn but(self, verdict: Verdict, advice: impl Into<String>) -> Self {
        let advice = Some(advice.into());
        Self {
            verdict,
            advice,
            ..self
        }
    }

    fn wrong(check: &'static str, error: &Error, advice: &str) -> Self {
        Self::fine(check, &error.message).but(Verdict::Wrong(error.kind), advice)
    }

    fn word(&self) -> &'static str {
        match self.verdict {
            Verdict::Fine => "ok",
            Verdict::Doubtful => "warning",
            Verdict::Wrong(_) => "problem",
        }
    }

    fn to_json(&self) -> Value {
        json!({ "check": self.check, "status": self.word(), "found": self.found, "advice": self.advice })
    }

    fn line(&self, screen: &Screen) -> String {
        let colour = match self.verdict {
            Verdict::Fine => Colour::Good,
            Verdict::Doubtful => Colour::Careful,
            Verdict::Wrong(_) => Colour::Bad,
        };
        let word = screen.paint(colour, &format!("{:8}", self.word()));
        let advice = self
            .advice
            .as_ref()
            .map(|advice| format!("\n         → {}", clean(advice)));
        format!(
            "{word} {}: {}{}",
            self.check,
            clean(&self.found),
            advice.unwrap_or_default()
        )
    }
}

pub(super) async fn run(session: &Session) -> Outcome {
    let mut findings = vec![settings(session), address(session), key(session)];
    let api = session.anonymous()?;
    match api.health().await {
        Ok(date) => {
            findings.push(Finding::fine(
                "network",
                format!("{} answers", session.access.url),
            ));
            findings.push(clock(date.as_deref()));
            findings.push(version(&api).await);
            findings.extend(access(session, &api).await);
        }
        Err(error) => {
            let advice = "Check the address, that the service runs, and any proxy or firewall between. `--api-url` sets another address.";
            findings.push(Finding::wrong("network", &error, advice));
        }
    }
    Ok(report(&session.screen, &findings))
}

/// The report if the settings cannot be read.
pub(super) fn without_settings(screen: &Screen, error: &Error) -> Report {
    let advice = "Fix this, then run it again.";
    report(screen, &[Finding::wrong("settings", error, advice)])
}

fn report(screen: &Screen, findings: &[Finding]) -> Report {
    let wrong = findings.iter().filter_map(|finding| match finding.verdict {
        Verdict::Wrong(kind) => Some((kind, finding)),
        _ => None,
    });
    let wrong: Vec<(Kind, &Finding)> = wrong.collect();
    // The check closest to the network comes first: the others depend on it.
    let first = wrong
        .iter()
        .find(|(kind, _)| *kind == Kind::Network)
        .or_else(|| wrong.first());
    let error = first.map(|(kind, finding)| {
        let message = format!("{}: {}", finding.check, finding.found);
        Error::new(*kind, "problems_found", message)
    });
    let lines: Vec<String> = findings.iter().map(|finding| finding.line(screen)).collect();
    let findings: Vec<Value> = findings.iter().map(Finding::to_json).collect();
    let json = json!({ "healthy": error.is_none(), "findings": findings });
    Report::new(json, lines.join("\n")).but(error)
}

fn settings(session: &Session) -> Finding {
    let store = Store::at(&session.environment);
    let place = store.path.display().to_string();
    if store.is_exposed() {
        let advice = format!("Other users can read your keys: chmod 600 {place}");
        return Finding::fine("settings", format!("{place} is readable by others"))
            .but(Verdict::Doubtful, advice);
    }
    let profile = &session.access.profile;
    match store.path.exists() {
        true => Finding::fine("settings", format!("{place}, profile {profile}")),
        false => Finding::fine("settings", "none stored yet"),
    }
}

fn address(session: &Session) -> Finding {
    let url = &session.access.url;
    let found = Finding::fine("address", url.to_string());
    let is_near = matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
    if url.scheme() == "http" && !is_near {
        let advice = "Keys and posts are sent unencrypted: use https.";
        return found.but(Verdict::Doubtful, advice);
    }
    found
}

fn key(session: &Session) -> Finding {
    let access = &session.access;
    let Some(key) = &access.key else {
        return Finding::wrong("key", &access.not_signed_in(), "playout auth login --api-key=-");
    };
    let from = access.source.map_or("", Source::as_str);
    if !is_well_formed(key.expose()) {
        let advice =
            "It is no key, or was not copied whole: keys begin with svc_sk_ and end with a checksum.";
        let found = format!("the key from the {from} is malformed");
        return Finding::fine("key", found).but(Verdict::Wrong(Kind::NotSignedIn), advice);
    }
    Finding::fine("key", format!("…{} from the {from}", super::auth::last_four(key)))
}

fn clock(date: Option<&str>) -> Finding {
    let Some(theirs) = date.and_then(read_http_date) else {
        return Finding::fine("clock", "the service sends no Date");
    };
    let skew = SystemClock.now().as_secs() - theirs.as_secs();
    let found = Finding::fine("clock", format!("{} s apart from the service's", skew.abs()));
    match skew.abs() > LARGEST_SKEW_SECS {
        true => found.but(
            Verdict::Doubtful,
            "Set this machine's clock, or posts are published at unexpected times.",
        ),
        false => found,
    }
}

async fn version(api: &Api) -> Finding {
    match api.reference().await {
        Ok(reference) => compare_versions(reference["info"]["version"].as_str().unwrap_or("unknown")),
        Err(error) => Finding::wrong("version", &error, "Is this address a Playout service?"),
    }
}

fn compare_versions(theirs: &str) -> Finding {
    let ours = env!("CARGO_PKG_VERSION");
    let found = Finding::fine("version", format!("service {theirs}, client {ours}"));
    // Patch releases do not change the API.
    let line = |version: &str| version.rsplit_once('.').map(|(line, _)| line.to_owned());
    match line(theirs) == line(ours) {
        true => found,
        false => found.but(
            Verdict::Doubtful,
            "Update the older one: additions of the newer one are missing.",
        ),
    }
}

/// Whether the service accepts the key, and what is left of the plan.
async fn access(session: &Session, api: &Api) -> Option<Finding> {
    session.access.key.as_ref()?;
    Some(match super::auth::plan(api).await {
        Ok(Some(plan)) => Finding::fine("access", format!("the key works; plan {plan}")),
        Ok(None) => Finding::fine(
            "access",
            "the key works; its scopes do not allow reading the plan",
        ),
        Err(error) => {
            let advice =
                "The key is revoked, expired, or belongs to another service: playout auth login --api-key=-";
            Finding::wrong("access", &error, advice)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_far_off_is_a_warning_with_advice() {
        let found = clock(Some("Sun, 06 Nov 1994 08:49:37 GMT"));
        assert_eq!((found.word(), found.advice.is_some()), ("warning", true));
        let now = SystemClock.now().http_date();
        assert_eq!(clock(Some(&now)).word(), "ok");
        assert_eq!(clock(None).word(), "ok");
    }

    #[test]
    fn versions_may_differ_in_their_patches() {
        assert_eq!(compare_versions(env!("CARGO_PKG_VERSION")).word(), "ok");
        assert_eq!(compare_versions("0.1.99").word(), "ok");
        assert_eq!(compare_versions("9.0.0").word(), "warning");
    }
}
