//! The pictures and clips of the demo's media library; `assets/demo/README.md` documents how they were made.

use std::collections::HashMap;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::future::try_join_all;
use playout_domain::id::{FolderId, MediaId};
use playout_domain::workspace::Workspace;
use playout_store::{CreateFolder, MediaFilter, Page};

use crate::app::App;
use crate::app::media::UploadForm;
use crate::app::once::Kept;
use crate::open_error::OpenError;

/// A file that comes with the demo.
pub(super) struct File {
    /// Its name in the library.
    pub(super) name: &'static str,
    /// Its folder, if it is in one.
    folder: Option<&'static str>,
    bytes: &'static [u8],
}

macro_rules! files {
    ($($folder:expr => $($name:literal from $asset:literal),+;)+) => {
        &[$($(File {
            name: $name,
            folder: $folder,
            bytes: include_bytes!(concat!("../../../../../assets/demo/", $asset)),
        }),+),+]
    };
}

const FESTIVAL: Option<&str> = Some("Kite festival");
const BAKERY: Option<&str> = Some("Bakery");

/// The library, in the order in which it was filled.
pub(super) const FILES: &[File] = files! {
    FESTIVAL => "sails.jpg" from "month/sails.jpg", "dusk.jpg" from "month/dusk.jpg",
        "spool.jpg" from "month/spool.jpg", "kites.mp4" from "month/kites.mp4",
        "first-flight.mp4" from "clip.mp4";
    BAKERY => "loaf.jpg" from "month/loaf.jpg", "oven.jpg" from "month/oven.jpg",
        "harbor.jpg" from "month/harbor.jpg", "steam.mp4" from "month/steam.mp4";
    None => "plane.jpg" from "month/plane.jpg", "fold.jpg" from "month/fold.jpg",
        "night.jpg" from "month/night.jpg", "seedlings.jpg" from "month/seedlings.jpg",
        "pool.jpg" from "month/pool.jpg", "glasshouse.jpg" from "month/glasshouse.jpg";
};

/// The media IDs of the library, by name.
pub(super) type Gallery = HashMap<String, MediaId>;

/// Uploads the missing files of the library, and creates their folders.
pub(super) async fn hang(app: &Arc<App>, workspace: &Workspace) -> Result<Gallery, OpenError> {
    let page = Page {
        limit: 1000,
        after: None,
    };
    let known = app
        .store
        .list_media(workspace.id, MediaFilter::default(), page)
        .await?;
    let mut gallery: Gallery = known
        .into_iter()
        .map(|media| (media.file_name, media.id))
        .collect();
    let folders = folders(app, workspace).await?;
    let missing = FILES.iter().filter(|file| !gallery.contains_key(file.name));
    let uploads = missing.map(|file| upload(app, workspace, file, &folders));
    gallery.extend(try_join_all(uploads).await?);
    Ok(gallery)
}

async fn folders(app: &App, workspace: &Workspace) -> Result<HashMap<String, FolderId>, OpenError> {
    for name in [FESTIVAL, BAKERY].into_iter().flatten() {
        match app.store.create_folder(workspace.id, name, app.now()).await? {
            CreateFolder::Created(_) | CreateFolder::NameTaken | CreateFolder::TooMany => {}
        }
    }
    let folders = app.store.list_folders(workspace.id).await?;
    Ok(folders
        .into_iter()
        .map(|folder| (folder.name, folder.id))
        .collect())
}

/// Like an upload in one request.
async fn upload(
    app: &Arc<App>,
    workspace: &Workspace,
    file: &File,
    folders: &HashMap<String, FolderId>,
) -> Result<(String, MediaId), OpenError> {
    let mut incoming = app.receive(workspace, None).await?;
    incoming.write(Bytes::from_static(file.bytes)).await?;
    let form = UploadForm {
        file_name: Some(file.name.to_owned()),
        folder_id: file.folder.and_then(|name| folders.get(name).copied()),
        ..UploadForm::default()
    };
    let sealed = incoming.seal().await?;
    let media = app.accept(workspace, sealed, form, &Kept::nowhere()).await?;
    Ok((media.file_name, media.id))
}
