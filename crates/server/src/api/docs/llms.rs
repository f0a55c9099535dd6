//! `/llms.txt`: what there is to read, in the format of llmstxt.org, and `/llms-full.txt`: all of it.

use super::contents::{operations_of, tags};
use super::guides::{self, GUIDES, SKILL};
use super::plain;
use super::served::addressed;
use crate::api::openapi::document;

/// The list.
pub(super) fn text() -> String {
    let info = &document()["info"];
    let mut text = format!(
        "# Playout API\n\n> {}\n\n{}\n\n## Guides\n\n",
        info["summary"].as_str().unwrap_or_default(),
        info["description"]
            .as_str()
            .unwrap_or_default()
            .replace("](#", "](/docs#")
            .replace("\n## ", "\n### ")
    );
    for guide in &GUIDES {
        text.push_str(&format!(
            "- [{}](/docs/{}.md): {}\n",
            guide.title, guide.slug, guide.summary
        ));
    }
    text.push_str(
        "- [Skill](/skill.md): how an AI agent publishes with the command-line client\n\
         - [Reference](/docs.md): every operation, object and error code in one page\n",
    );
    for (tag, description) in tags() {
        text.push_str(&format!("\n## {tag}\n\n{description}\n\n"));
        for (method, path, operation) in operations_of(tag) {
            let field = |name: &str| operation[name].as_str().unwrap_or_default().replace('\n', " ");
            text.push_str(&format!(
                "- [{}](/docs#{}): `{} {path}`. {}\n",
                field("summary"),
                field("operationId"),
                method.to_uppercase(),
                field("description")
            ));
        }
    }
    text.push_str(
        "\n## Optional\n\n\
         - [OpenAPI 3.1 document](/openapi.json): every field, limit and error code\n\
         - [Everything in one text](/llms-full.txt): guides, skill and reference\n\
         - [Commands of playout](/docs/commands.md): the help of every command\n",
    );
    text
}

/// All guides, the skill and the reference, of the service at `base_url`.
pub(super) fn full(base_url: &str) -> String {
    let mut text = String::new();
    for guide in guides::all() {
        let markdown = guide.markdown();
        text.push_str(&match guide.is_addressed {
            true => addressed(&markdown, base_url),
            false => markdown,
        });
        text.push_str("\n---\n\n");
    }
    text.push_str(&body_of(SKILL));
    text.push_str("\n---\n\n");
    text.push_str(&addressed(&plain::text(), base_url));
    text
}

/// The skill without its front matter.
fn body_of(skill: &str) -> String {
    let after = skill
        .strip_prefix("---\n")
        .and_then(|rest| rest.split_once("\n---\n"));
    after.map_or(skill, |(_, body)| body.trim_start()).to_owned()
}
