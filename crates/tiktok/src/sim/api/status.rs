//! `status/fetch` and `cancel`.

use std::time::Duration;

use serde_json::{Value, json};

use super::gate::admit;
use super::params::{Object, read};
use crate::sim::answer::Refusal;
use crate::sim::call::Call;
use crate::sim::grants::App;
use crate::sim::task::{Source, Stage};
use crate::sim::world::World;

/// How far a task is. Fields without a value are left out, but the number of an upload's bytes is there from 0 on; post ids are bare
/// numbers.
pub(super) fn fetch(world: &mut World, call: &Call) -> Result<Value, Refusal> {
    let publish_id = own_task(world, call)?;
    let Some(task) = world.tasks.get(&publish_id) else {
        return Err(unknown_id());
    };
    let delay = Duration::from_millis(world.knobs.status_delay_ms);
    let has_number = !world.knobs.omit_uploaded_bytes;
    if let Source::File(upload) = &task.source
        && upload.complete_at.is_some_and(|at| at.plus(delay) > world.now)
    {
        return Ok(match has_number {
            true => json!({ "status": "PROCESSING_UPLOAD", "uploaded_bytes": 0 }),
            false => json!({ "status": "PROCESSING_UPLOAD" }),
        });
    }
    let mut data = json!({ "status": task.status() });
    match (&task.stage, &task.source) {
        (Stage::Failed(reason), _) => data["fail_reason"] = reason.as_str().into(),
        (Stage::Transfer | Stage::Processing, Source::File(upload)) if has_number => {
            data["uploaded_bytes"] = upload.received.into();
        }
        (Stage::Transfer | Stage::Processing, Source::Url(pull)) if pull.downloaded > 0 => {
            data["downloaded_bytes"] = pull.downloaded.into();
        }
        (Stage::Complete, _) => {
            if let Some(number) = told_number(world, &publish_id) {
                data["publicaly_available_post_id"] = json!([number]);
            }
        }
        _ => {}
    }
    Ok(data)
}

/// Stops a transfer that is still under way.
pub(super) fn cancel(world: &mut World, call: &Call) -> Result<(), Refusal> {
    let publish_id = own_task(world, call)?;
    if world
        .tasks
        .get(&publish_id)
        .is_none_or(|task| task.stage != Stage::Transfer)
    {
        return Err(Refusal::new(
            400,
            "publish_not_cancellable",
            "The publish can no longer be cancelled.",
        ));
    }
    world.fail(&publish_id, "publish_cancelled");
    Ok(())
}

/// The number of a public post.
pub(super) fn told_number(world: &World, publish_id: &str) -> Option<u64> {
    let post = world.ledger.by_publish(publish_id)?;
    let told = post.public_at.is_some() && !world.knobs.omit_post_id;
    told.then(|| post.post_id.parse().ok()).flatten()
}

/// The publish id of the body, if it is a task of the caller.
fn own_task(world: &mut World, call: &Call) -> Result<String, Refusal> {
    let caller = admit(world, call, &["video.publish", "video.upload"])?;
    let code = world.knobs.param_code;
    let body = read(call, code)?;
    let root = Object::root(&body, code);
    let publish_id = root.required_text("publish_id")?;
    let task = world.tasks.get(publish_id).ok_or_else(unknown_id)?;
    if task.open_id != caller.open_id || task.app != App::Creator {
        return Err(Refusal::new(
            400,
            "token_not_authorized_for_specified_publish_id",
            "The access token is not authorized for the specified publish_id.",
        ));
    }
    Ok(publish_id.to_owned())
}

fn unknown_id() -> Refusal {
    Refusal::new(400, "invalid_publish_id", "publish_id is invalid")
}
