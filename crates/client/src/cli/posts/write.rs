//! `posts create`, `publish`, `validate` and `edit`.

use std::path::PathBuf;

use playout_client::{Api, Error, Group, Reply};
use serde_json::{Map, Value, json};

use super::body::{Contents, When};
use super::results::results;
use super::{show, watch};
use crate::cli::doubt;
use crate::cli::find::platform_ids;
use crate::cli::media::{check_key_with, ids_of, uploaded};
use crate::cli::moment::counts_from_now;
use crate::cli::report::Outcome;
use crate::cli::session::Session;
use crate::cli::version::{explained, of_post};

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Create {
    #[command(flatten)]
    target: Target,
    #[command(flatten)]
    contents: Contents,
    #[command(flatten)]
    when: When,
    /// Requests with the same key within 24 hours create the post once, also across runs; a random key by default. Use it with
    /// media that are already uploaded: uploading a file again creates another.
    #[arg(long, value_name = "KEY")]
    idempotency_key: Option<String>,
    #[command(flatten)]
    wait: watch::Wait,
}

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Validate {
    #[command(flatten)]
    target: Target,
    #[command(flatten)]
    contents: Contents,
    #[command(flatten)]
    when: When,
}

#[derive(Debug, clap::Args)]
struct Target {
    /// The account: its ID, handle or name; repeatable, or separated by commas.
    #[arg(long, alias = "account", value_delimiter = ',')]
    platform: Vec<String>,
}

pub(super) async fn create(create: Create, session: &Session, api: &Api) -> Outcome {
    let mut post = document(api, &create.target, &create.contents, &create.when).await?;
    if !post.contains_key("mode") {
        return Err(Error::usage("Say when: --now, --at TIME or --draft."));
    }
    check_key_with(create.idempotency_key.as_deref(), &create.contents.media)?;
    put_media(&mut post, &create.contents, async |files| {
        uploaded(session, api, files).await
    })
    .await?;
    let media = post.get("mediaIds").cloned();
    let key = create
        .idempotency_key
        .unwrap_or_else(playout_client::idempotency_key);
    let relative = create.when.at.as_deref().filter(|at| counts_from_now(at));
    let at = relative.and_then(|_| Some(post.get("scheduledFor")?.as_str()?.to_owned()));
    let in_doubt = in_doubt_of_creation(&key, media.as_ref(), at.as_deref());
    let post = Value::Object(post);
    let sent = doubt::send(session, &in_doubt, api.create_post(&post, Some(&key))).await;
    let reply = sent.map_err(|error| match relative {
        Some(at) if error.code == "idempotency_key_reused" => of_another_instant(error, at),
        _ => error,
    })?;
    if !create.wait.is_wanted() {
        return Ok(results(session, reply));
    }
    watch::created(session, api, &create.wait, reply).await
}

/// What is to be done when it is unknown whether the post was created: how to send the request again so that it takes effect once.
/// `at` is its time if that counts from now.
fn in_doubt_of_creation(key: &str, media: Option<&Value>, at: Option<&str>) -> String {
    let ids = media.and_then(Value::as_array).into_iter().flatten();
    let ids: Vec<&str> = ids.filter_map(Value::as_str).collect();
    let with_media = match ids.as_slice() {
        [] => String::new(),
        ids => ids.iter().map(|id| format!(" --media {id}")).collect(),
    };
    let with_time = at.map(|at| format!(" --at {at}")).unwrap_or_default();
    format!(
        "The post may have been created. Run the command again with `--idempotency-key {key}{with_media}{with_time}`, which creates no second one; \
         `playout posts list` may not show it for a minute."
    )
}

/// The error of a key that was used for another post, with how a time that counts from now makes one.
fn of_another_instant(error: Error, at: &str) -> Error {
    let message = format!(
        "{} `--at {at}` is another instant in each run: give the one of the first run, as its output and `playout posts list --json` have it in \
         `scheduledFor`.",
        error.message
    );
    Error { message, ..error }
}

pub(super) async fn publish(
    session: &Session,
    api: &Api,
    id: &str,
    key: Option<String>,
    version: Option<String>,
) -> Result<Reply<Group>, Error> {
    let key = key.unwrap_or_else(playout_client::idempotency_key);
    let in_doubt = format!(
        "The post may have been queued. `playout posts get {id}` shows it; the same command with `--idempotency-key {key}` takes effect once."
    );
    let request = api.publish_post(id, Some(&key), version.as_deref());
    let reply = doubt::send(session, &in_doubt, request).await;
    reply.map_err(|error| explained(error, &of_post(id)))
}

pub(super) async fn validate(validate: Validate, session: &Session, api: &Api) -> Outcome {
    let mut post = document(api, &validate.target, &validate.contents, &validate.when).await?;
    post.entry("mode").or_insert_with(|| json!("now"));
    let refuse = async |files: Vec<PathBuf>| {
        let files: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
        let message = format!(
            "Validating uploads nothing: upload {} first, and name the ID.",
            files.join(", ")
        );
        Err(Error::usage(message))
    };
    put_media(&mut post, &validate.contents, refuse).await?;
    Ok(results(session, api.validate_post(&Value::Object(post)).await?))
}

/// Changes a post, only of this version if one is given.
pub(super) async fn edit(
    session: &Session,
    api: &Api,
    id: &str,
    contents: &Contents,
    version: Option<String>,
) -> Outcome {
    let mut change = contents.read()?;
    put_media(&mut change, contents, async |files| {
        uploaded(session, api, files).await
    })
    .await?;
    let mut version = version;
    if !contents.setting.is_empty() {
        // Settings are replaced as a whole, so the present ones are included: those of the version that is changed.
        let present = match change.get("settings") {
            Some(settings) => settings.clone(),
            None => {
                let mut read = api.post_group(id).await?;
                version = version.or(read.etag.take());
                read.json["root"]["settings"].take()
            }
        };
        let settings = contents.settings_over(Some(&present))?;
        change.insert("settings".to_owned(), Value::Object(settings));
    }
    if change.is_empty() {
        return Err(Error::usage(
            "Give something to change: --caption, --media, --setting, --comment or --file.",
        ));
    }
    let change = Value::Object(change);
    let request = api.change_post(id, &change, version.as_deref());
    let reply = doubt::change(session, "The post may have been changed.", &of_post(id), request).await?;
    Ok(show::group(&session.screen, reply))
}

async fn document(
    api: &Api,
    target: &Target,
    contents: &Contents,
    when: &When,
) -> Result<Map<String, Value>, Error> {
    let mut post = contents.read()?;
    when.put_into(&mut post)?;
    let named = match target.platform.is_empty() {
        true => platforms_in(&post),
        false => Some(target.platform.clone()),
    };
    if let Some(named) = named {
        post.insert("platformIds".to_owned(), json!(platform_ids(api, &named).await?));
    }
    if !contents.setting.is_empty() {
        let settings = contents.settings_over(post.get("settings"))?;
        post.insert("settings".to_owned(), Value::Object(settings));
    }
    Ok(post)
}

/// The accounts of a document, which may be handles as well; `None` if it has no list of texts, which the service rejects.
fn platforms_in(post: &Map<String, Value>) -> Option<Vec<String>> {
    let listed = post.get("platformIds")?.as_array()?.iter();
    listed.map(|name| name.as_str().map(str::to_owned)).collect()
}

/// Sets the flags' media in a document. `upload` returns the IDs of files, in order.
async fn put_media(
    post: &mut Map<String, Value>,
    contents: &Contents,
    upload: impl AsyncFnOnce(Vec<PathBuf>) -> Result<Vec<String>, Error>,
) -> Result<(), Error> {
    if contents.media.is_empty() {
        return Ok(());
    }
    let ids = ids_of(&contents.media, upload).await?;
    post.insert("mediaIds".to_owned(), json!(ids));
    Ok(())
}
