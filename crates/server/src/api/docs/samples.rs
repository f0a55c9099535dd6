//! The examples of the reference in several languages. `curl` is in `openapi/examples.rs`; `cargo xtask conformance` runs every sample.

mod call;
mod client;
mod literal;
mod python;
mod typescript;

use self::call::{Call, Shown};
use super::tabs::{Tab, Tabs};
use crate::api::openapi::examples::Step;

/// The samples of an operation, each in a language.
pub(super) fn samples(id: &'static str, step: &Step, method: &str, path: &str) -> Tabs {
    let shown = match () {
        () if method == "head" => Shown::Headers,
        () if step.endless => Shown::Stream,
        () if !step.output.is_empty() => Shown::Bytes(&step.output),
        () if step.answer.is_null() => Shown::Nothing,
        () => Shown::Json,
    };
    let call = Call {
        step,
        method,
        path,
        shown,
    };
    let tab = |language, label, code| Tab {
        language,
        label,
        operation: id,
        code,
    };
    let mut tabs = vec![
        tab("curl", "curl", step.curl(method, path)),
        tab("python", "Python", python::sample(&call)),
        tab("typescript", "TypeScript", typescript::sample(&call)),
    ];
    tabs.extend(client::sample(id).map(|command| tab("playout", "playout", command.to_owned())));
    Tabs {
        name: format!("code-{id}"),
        tabs,
    }
}
