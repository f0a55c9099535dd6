//! The arguments: one tree of commands, each with examples that the tests run.

use clap::builder::Styles;
use clap::builder::styling::AnsiColor;

use super::global::Global;
use super::{auth, completions, folders, keys, media, open, platforms, posts, request, slides, webhooks};

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

const ABOUT: &str = "On a terminal the output is tables. Without one, or with --json, standard output is exactly
one JSON document, and an error is { \"error\": { code, message, details } } on standard error.

Exit codes: 0 done; 1 refused; 2 usage; 3 not signed in; 4 network; 5 server; 6 partly done;
7 unavailable, such as a language model; 130 interrupted.

Commands may be written with a colon as well: `playout posts:create`.

Examples:
  echo \"$KEY\" | playout auth login --api-key=-
  playout media upload clip.mp4
  playout posts create --platform kitestudio --caption \"First flight\" --media clip.mp4 --setting privacy_level=SELF_ONLY --now --wait";

/// Publishes videos and photos through a Playout service.
#[derive(Debug, clap::Parser)]
#[command(name = "playout", version, styles = STYLES, after_help = ABOUT, disable_help_subcommand = true)]
pub(super) struct Cli {
    #[command(flatten)]
    pub(super) global: Global,
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Sign in and out.
    #[command(subcommand)]
    Auth(auth::Task),
    /// The connected accounts, and what each accepts.
    #[command(subcommand)]
    Platforms(platforms::Task),
    /// Upload and manage images and videos.
    #[command(subcommand)]
    Media(media::Task),
    /// Folders of media.
    #[command(subcommand)]
    Folders(folders::Task),
    /// Create, schedule, publish and follow posts.
    #[command(subcommand)]
    Posts(posts::Task),
    /// Create slides for photo posts: captions on images.
    #[command(subcommand)]
    Slides(slides::Task),
    /// Send events to your server, or read them on this machine.
    #[command(subcommand)]
    Webhooks(webhooks::Task),
    /// The workspace's API keys, for its admins.
    #[command(subcommand)]
    Keys(keys::Task),
    /// Show the plan's limits and what is used of them.
    #[command(after_help = "Examples:\n  playout usage")]
    Usage,
    /// Check settings, network, clock, key and version.
    #[command(after_help = "Examples:\n  playout doctor")]
    Doctor,
    /// Send any request of the API, and print the body of the response.
    Api(request::Wanted),
    /// Show a post, or the service's reference, in the browser.
    Open(open::Wanted),
    /// Show the help of a command.
    #[command(after_help = "Examples:\n  playout help\n  playout help posts create")]
    Help {
        /// The command.
        command: Vec<String>,
    },
    /// Print a script that completes commands in your shell.
    Completions(completions::Wanted),
}
