//! `/llms.txt`: a short form of the reference in the format of llmstxt.org.

use super::contents::{operations_of, tags};
use crate::api::openapi::document;

/// The whole text.
pub(super) fn text() -> String {
    let info = &document()["info"];
    let mut text = format!(
        "# Playout API\n\n> {}\n\n{}\n",
        info["summary"].as_str().unwrap_or_default(),
        info["description"]
            .as_str()
            .unwrap_or_default()
            .replace("](#", "](/docs#")
            .replace("\n## ", "\n### ")
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
        "\n## Optional\n\n- [OpenAPI 3.1 document](/openapi.json): every field, limit and error code\n",
    );
    text
}
