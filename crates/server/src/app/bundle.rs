//! What a page of the dashboard shows, read together.

use futures_util::future::join_all;
use playout_domain::access::Accounts;
use playout_domain::error::{Code, Refusal};
use playout_domain::id::{MediaId, PlatformId, PostId};
use playout_domain::post::PostState;
use playout_domain::workspace::Workspace;
use playout_store::{Listed, Page, PostFilter};
use playout_wire::batches::{BundleBody, BundleFailure};
use playout_wire::media::MediaBody;
use playout_wire::page::Cursor;
use playout_wire::platforms::{PlatformBody, PlatformWithSchema, SchemaBody};
use playout_wire::posts::{GroupBody, PostBody, PostList};
use serde::Serialize;
use uuid::Uuid;

use super::library::media_not_found;
use super::{App, AppError};

/// What the posts of an answer take at most as JSON, before the one that reaches it.
const MOST_BYTES: usize = 4 << 20;
/// How many posts that wait for a person are read.
const MOST_WAITING: u32 = 100;

/// A part of a bundle that is about the workspace as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// All accounts.
    Platforms,
    /// The posts that wait for a person.
    Waiting,
    /// What is used of the plan.
    Usage,
    /// Whether there is any post.
    HasPosts,
}

impl Part {
    /// All parts.
    pub const ALL: [Self; 4] = [Self::Platforms, Self::Waiting, Self::Usage, Self::HasPosts];

    /// The value in the query parameter.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Platforms => "platforms",
            Self::Waiting => "waiting",
            Self::Usage => "usage",
            Self::HasPosts => "hasPosts",
        }
    }

    /// The part with this value in the query parameter.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|part| part.as_str() == word)
    }
}

/// What is to be read.
#[derive(Debug, Clone, Default)]
pub struct Bundle {
    /// Of the workspace as a whole.
    pub include: Vec<Part>,
    /// Posts or comments; each with its whole group.
    pub posts: Vec<PostId>,
    /// Media.
    pub media: Vec<MediaId>,
    /// The accounts whose providers are asked first.
    pub ask: Vec<PlatformId>,
    /// The accounts whose schemas are wanted.
    pub schemas: Vec<PlatformId>,
}

impl App {
    /// Reads what a page shows. The parts are read one after another, not in one snapshot.
    pub async fn bundle(&self, workspace: &Workspace, wanted: Bundle) -> Result<BundleBody, AppError> {
        let mut body = BundleBody::default();
        for part in wanted.include {
            self.read_part(workspace, part, &mut body).await?;
        }
        let mut taken = 0;
        for id in wanted.posts {
            if taken >= MOST_BYTES {
                body.failed.push(failed(id.0, too_much()));
                continue;
            }
            match self.get_group(workspace.id, id).await {
                Ok(group) => {
                    let group = GroupBody::from(group);
                    taken += length_of(&group);
                    body.posts.push(group);
                }
                Err(error) => body.failed.push(failure(id.0, error)?),
            }
        }
        let found = self.store.find_media_many(workspace.id, &wanted.media).await?;
        for id in wanted.media {
            match found.iter().find(|media| media.id == id) {
                Some(media) => body.media.push(MediaBody::new(media.clone(), &self.media_url())),
                None => body.failed.push(failure(id.0, media_not_found().into())?),
            }
        }
        let asked = wanted
            .ask
            .iter()
            .map(|id| self.platform_health(workspace.id, *id, true));
        for (id, health) in wanted.ask.iter().zip(join_all(asked).await) {
            match health {
                Ok(health) => body.health.push(health),
                Err(error) => body.failed.push(failure(id.0, error)?),
            }
        }
        for id in wanted.schemas.into_iter().chain(wanted.ask) {
            match self.platform_schema(workspace.id, id).await {
                Ok((platform, name, schema)) => body.schemas.push(PlatformWithSchema {
                    schema: SchemaBody::new(schema, platform.provider.clone()),
                    platform: PlatformBody::new(platform, name),
                }),
                Err(error) => body.failed.push(failure(id.0, error)?),
            }
        }
        Ok(body)
    }

    async fn read_part(
        &self,
        workspace: &Workspace,
        part: Part,
        body: &mut BundleBody,
    ) -> Result<(), AppError> {
        match part {
            Part::Platforms => {
                let platforms = self.list_platforms(workspace.id, true).await?.into_iter();
                let bodies = platforms.map(|(platform, name)| PlatformBody::new(platform, name));
                body.platforms = Some(bodies.collect());
            }
            Part::Waiting => body.waiting = Some(self.waiting_posts(workspace).await?),
            Part::Usage => body.usage = Some(self.usage(workspace, &Accounts::All).await?),
            Part::HasPosts => {
                let first = Page {
                    limit: 1,
                    after: None,
                };
                let posts = self
                    .store
                    .list_root_posts(workspace.id, &PostFilter::default(), first)
                    .await?;
                body.has_posts = Some(!posts.posts.is_empty());
            }
        }
        Ok(())
    }

    async fn waiting_posts(&self, workspace: &Workspace) -> Result<PostList, AppError> {
        let filter = PostFilter {
            states: vec![PostState::ActionRequired, PostState::Error],
            ..PostFilter::default()
        };
        let page = Page {
            limit: MOST_WAITING + 1,
            after: None,
        };
        let Listed { mut posts, is_cut } = self.store.list_root_posts(workspace.id, &filter, page).await?;
        let more = is_cut || posts.len() > MOST_WAITING as usize;
        posts.truncate(MOST_WAITING as usize);
        let last = posts.last().filter(|_| more);
        let next_cursor = last.map(|post| {
            Cursor {
                at: post.effective_at(),
                id: post.id.0,
            }
            .encode()
        });
        Ok(PostList {
            posts: posts.into_iter().map(PostBody::from).collect(),
            next_cursor,
        })
    }
}

/// How many bytes a value is as JSON.
fn length_of(value: &impl Serialize) -> usize {
    struct Count(usize);
    impl std::io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    match serde_json::to_writer(&mut count, value) {
        Ok(()) => count.0,
        Err(_) => usize::MAX,
    }
}

fn too_much() -> Refusal {
    let message = "The posts that were asked for are too large for one answer: ask for this one by itself.";
    Refusal::new(Code::InvalidRequest, message)
}

/// Turns the refusal of one item into its entry; any other error fails the whole request.
fn failure(id: Uuid, error: AppError) -> Result<BundleFailure, AppError> {
    match error {
        AppError::Refused(refusal) => Ok(failed(id, refusal)),
        internal => Err(internal),
    }
}

fn failed(id: Uuid, refusal: Refusal) -> BundleFailure {
    BundleFailure {
        id,
        error: refusal.into(),
    }
}
