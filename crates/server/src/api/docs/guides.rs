//! The guides: Markdown files of the repository, which the service shows beside the reference.

/// A guide.
pub(super) struct Guide {
    /// Its address is `/docs/{slug}`.
    pub slug: &'static str,
    pub title: &'static str,
    pub summary: &'static str,
    source: &'static str,
    /// Whether `http://localhost:8080` in it stands for the service that shows it.
    pub is_addressed: bool,
}

/// The guides, in the order in which they are listed.
pub(super) const GUIDES: [Guide; 13] = [
    Guide {
        slug: "quick-start",
        title: "Quick start",
        summary: "From an API key to a published post in five calls.",
        source: include_str!("../../../../../docs/guides/quick-start.md"),
        is_addressed: true,
    },
    Guide {
        slug: "uploads",
        title: "Uploads",
        summary: "Files in one request, and resumable by tus.",
        source: include_str!("../../../../../docs/guides/uploads.md"),
        is_addressed: true,
    },
    Guide {
        slug: "slideshows",
        title: "Slideshows",
        summary: "Photos with captions on them, as one post.",
        source: include_str!("../../../../../docs/guides/slideshows.md"),
        is_addressed: true,
    },
    Guide {
        slug: "scheduling",
        title: "Scheduling",
        summary: "Times, drafts, batches, and how to take a post back.",
        source: include_str!("../../../../../docs/guides/scheduling.md"),
        is_addressed: true,
    },
    Guide {
        slug: "webhooks",
        title: "Webhooks",
        summary: "Every event, its payload, and how to verify it.",
        source: include_str!("../../../../../docs/webhooks.md"),
        is_addressed: true,
    },
    Guide {
        slug: "errors",
        title: "Errors",
        summary: "Every error code and every code of an attempt, with what to do.",
        source: include_str!("../../../../../docs/errors.md"),
        is_addressed: false,
    },
    Guide {
        slug: "limits",
        title: "Limits",
        summary: "Rates, plans and sizes.",
        source: include_str!("../../../../../docs/guides/limits.md"),
        is_addressed: true,
    },
    Guide {
        slug: "concurrency",
        title: "Concurrency",
        summary: "Idempotency keys, ETag and If-Match, and lists that change.",
        source: include_str!("../../../../../docs/guides/concurrency.md"),
        is_addressed: true,
    },
    Guide {
        slug: "sdks",
        title: "SDKs",
        summary: "Clients generated from the OpenAPI document, and skills for agents.",
        source: include_str!("../../../../../docs/guides/sdks.md"),
        is_addressed: true,
    },
    Guide {
        slug: "command-line",
        title: "Command-line client",
        summary: "Install playout, and use it in scripts.",
        source: include_str!("../../../../../docs/guides/command-line.md"),
        is_addressed: true,
    },
    Guide {
        slug: "simulator",
        title: "Provider simulator",
        summary: "Try posts, failures and lost responses without an account.",
        source: include_str!("../../../../../docs/simulator.md"),
        is_addressed: false,
    },
    Guide {
        slug: "deprecation",
        title: "Deprecation",
        summary: "What may change, and what is announced at least 180 days before.",
        source: include_str!("../../../../../docs/guides/deprecation.md"),
        is_addressed: true,
    },
    Guide {
        slug: "changelog",
        title: "Changelog",
        summary: "What has changed for operators and clients.",
        source: include_str!("../../../../../CHANGELOG.md"),
        is_addressed: false,
    },
];

/// The help of every command. It is too long for `/llms.txt`, which names it as optional.
pub(super) const COMMANDS: Guide = Guide {
    slug: "commands",
    title: "Commands of playout",
    summary: "The help of every command.",
    source: include_str!("../../../../../docs/client.md"),
    is_addressed: false,
};

/// How an AI agent uses `playout`.
pub(super) const SKILL: &str = include_str!("../../../../../skills/playout/SKILL.md");

/// What documents of the repository are on the service.
const SERVED: [(&str, &str); 6] = [
    ("openapi.json", "/openapi.json"),
    ("webhooks.md", "/docs/webhooks"),
    ("errors.md", "/docs/errors"),
    ("client.md", "/docs/commands"),
    ("simulator.md", "/docs/simulator"),
    ("CHANGELOG.md", "/docs/changelog"),
];

/// Every page that is made from a file.
pub(super) fn all() -> impl Iterator<Item = &'static Guide> {
    GUIDES.iter().chain([&COMMANDS])
}

pub(super) fn find(slug: &str) -> Option<&'static Guide> {
    all().find(|guide| guide.slug == slug)
}

impl Guide {
    /// The Markdown, without the comment with which a file of the repository may begin. Links to documents that only the repository has are text.
    pub(super) fn markdown(&self) -> String {
        let mut markdown = String::with_capacity(self.source.len());
        let mut rest = without_comment(self.source);
        while let Some((before, after)) = rest.split_once("](") {
            markdown.push_str(before);
            let target = after
                .split_once(')')
                .filter(|(target, _)| is_of_repository(target));
            let (Some((target, after)), Some(opened)) = (target, markdown.rfind('[')) else {
                markdown.push_str("](");
                rest = after;
                continue;
            };
            match address_of(target) {
                Some(address) => markdown.push_str(&format!("]({address})")),
                None => drop(markdown.remove(opened)),
            }
            rest = after;
        }
        markdown + rest
    }
}

fn without_comment(source: &str) -> &str {
    let comment = source.strip_prefix("<!--");
    comment
        .and_then(|rest| rest.split_once("-->"))
        .map_or(source, |(_, rest)| rest.trim_start())
}

/// Whether a link leads to a file of the repository, and not to an address or a place in the same document.
fn is_of_repository(target: &str) -> bool {
    !target.contains([':', ' ', '\n']) && !target.starts_with(['/', '#'])
}

/// Where the service shows a document.
fn address_of(target: &str) -> Option<String> {
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let name = path.rsplit('/').next()?;
    let (_, address) = SERVED.iter().find(|(served, _)| *served == name)?;
    Some(match anchor {
        "" => (*address).to_owned(),
        anchor => format!("{address}#{anchor}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_the_service_or_are_text() {
        let guide = Guide {
            slug: "",
            title: "",
            summary: "",
            source: "<!-- Made from x.rs. -->\n\n[a](../openapi.json) [b](docs/webhooks.md#events) [c](docs/backup.md) [d](/docs) [e](https://e.example) [f](#g) f(x)[0](two words)",
            is_addressed: false,
        };
        assert_eq!(
            guide.markdown(),
            "[a](/openapi.json) [b](/docs/webhooks#events) c [d](/docs) [e](https://e.example) [f](#g) f(x)[0](two words)"
        );
    }
}
