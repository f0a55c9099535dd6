//! The options that every command has.

/// The options of every command.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct Global {
    /// Print one JSON document, also on a terminal; with fields only those, of a list those of each of its rows: posts list --json=id,state.
    /// A field of a field is written with a dot.
    #[arg(
        long,
        global = true,
        value_name = "FIELDS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        help_heading = "Global options"
    )]
    pub(super) json: Option<String>,
    /// Print what this program of jq makes of the JSON document, at whose top it begins: posts list --jq '.posts[].id'. Each output is a line,
    /// strings without quotation marks. With fields of --json it begins at those: posts list --json=id --jq '.[].id'.
    #[arg(long, global = true, value_name = "PROGRAM", help_heading = "Global options")]
    pub(super) jq: Option<String>,
    /// Use the key stored under this name; else PLAYOUT_PROFILE, else `default`.
    #[arg(long, global = true, value_name = "NAME", help_heading = "Global options")]
    pub(super) profile: Option<String>,
    /// The service's address; else PLAYOUT_API_URL, else the profile's, else http://localhost:8080.
    #[arg(long, global = true, value_name = "URL", help_heading = "Global options")]
    pub(super) api_url: Option<String>,
    /// The API key; else PLAYOUT_API_KEY, else the profile's. Other users of this machine may see an argument.
    #[arg(
        long,
        id = "api_key",
        global = true,
        value_name = "KEY",
        help_heading = "Global options"
    )]
    pub(super) api_key: Option<String>,
}

impl Global {
    /// Whether JSON is asked for.
    pub(super) fn asks_for_json(&self) -> bool {
        self.json.is_some() || self.jq.is_some()
    }
}
