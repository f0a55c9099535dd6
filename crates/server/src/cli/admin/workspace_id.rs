//! The argument that names a workspace.

use playout_domain::id::WorkspaceId;

/// Reads the ID of a workspace.
pub(super) fn workspace_id(text: &str) -> Result<WorkspaceId, String> {
    text.parse().map_err(|_| {
        "the ID of a workspace is wanted, not its name: a UUID, which the dashboard shows under Settings, and `playoutd admin workspace list` prints".to_owned()
    })
}
