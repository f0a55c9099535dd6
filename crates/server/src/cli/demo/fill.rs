//! Fills the demo's workspace, once: accounts, people, a library, and a month of posts.
//!
//! Everything is created in the usual way except the posts of the past, which were never submitted. Their rows are written as if
//! they had been ([`playout_store::Store::seed_groups`]), their attempts have a note about that, and the simulator gets them with
//! everything else that it has forgotten. The posts are written last and in one transaction, so that an interrupted filling
//! continues at the next start, and a complete one is never repeated.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use playout_domain::audit::{ActorKind, Author};
use playout_domain::id::{PlatformId, UserId, WorkspaceId};
use playout_domain::platform::Connection;
use playout_domain::provider::{Fate as Meaning, ProviderError};
use playout_domain::submission::{SubmissionOutcome, Transfer};
use playout_domain::time::Time;
use playout_domain::verdict::Verdict;
use playout_domain::workspace::Workspace;
use playout_store::{AttemptDetail, NewGroup, NewPost, Page, PostFilter, SeedEnd, SeedGroup};
use playout_tiktok::sim::Simulator;
use serde_json::{Map, Value, json};

use super::gallery::{self, Gallery};
use super::month::{Fate, Planned, month};
use super::{people, provider};
use crate::app::App;
use crate::chance;
use crate::open_error::OpenError;
use crate::worker::verdicts;

/// The creators whose accounts are used in the month.
const CREATORS: [&str; 4] = ["kitestudio", "harborbakes", "paperplanes", "tidegarden"];
/// The provider's event code for a grant that was removed.
const GRANT_REMOVED: &str = "authorization.removed";
/// The note in the attempts of posts that were never submitted.
const NOTE: &str = "Demo data: written when the demo filled this workspace, as if it had happened then.";

/// The data for creating the posts.
struct Scene<'a> {
    app: &'a App,
    /// The base address of the simulator's pages.
    pages: String,
    platforms: HashMap<String, PlatformId>,
    gallery: Gallery,
    /// The author of all posts.
    author: Option<Author>,
}

/// Fills the workspace if it has no posts: returns how many it has then, or `None` if it had some.
pub(super) async fn fill(
    app: &Arc<App>,
    simulator: &Simulator,
    workspace: &Workspace,
    owner: UserId,
) -> Result<Option<usize>, OpenError> {
    let any = Page {
        limit: 1,
        after: None,
    };
    let filter = PostFilter::default();
    if !app
        .store
        .list_root_posts(workspace.id, &filter, any)
        .await?
        .posts
        .is_empty()
    {
        return Ok(None);
    }
    for handle in CREATORS {
        provider::connect(app, simulator, workspace.id, handle).await?;
    }
    people::let_in(app, workspace.id, owner).await?;
    let scene = Scene {
        app,
        pages: simulator.url(),
        platforms: platforms(app, workspace.id).await?,
        gallery: gallery::hang(app, workspace).await?,
        author: Some(Author {
            kind: ActorKind::User,
            id: owner.0,
            name: Some(people::USER.to_owned()),
        }),
    };
    let now = app.now();
    let month = month(now)?;
    take_grants_back(&scene, &month).await?;
    let seeds: Vec<SeedGroup> = (1..)
        .zip(&month)
        .map(|(number, planned)| scene.seed(planned, number))
        .collect::<Result<_, OpenError>>()?;
    let count = seeds.len();
    let is_filled = app.store.seed_groups(workspace.id, seeds, now).await?;
    Ok(is_filled.then_some(count))
}

async fn platforms(app: &App, workspace: WorkspaceId) -> Result<HashMap<String, PlatformId>, OpenError> {
    let connected = app.store.list_platforms(workspace).await?;
    let named = connected
        .into_iter()
        .filter_map(|platform| Some((platform.display_handle?, platform.id)));
    Ok(named.collect())
}

/// Marks the account of a post whose grant was removed as needing to be reconnected since then.
async fn take_grants_back(scene: &Scene<'_>, month: &[Planned]) -> Result<(), OpenError> {
    for planned in month {
        if let Fate::Refused(at, code) = &planned.fate
            && code == GRANT_REMOVED
        {
            let platform = scene.platform(&planned.to)?;
            let tokens = scene.app.store.tokens(platform).await?;
            let version = tokens.ok_or("an account of the demo has no access")?.version;
            let marked = scene.app.store.mark_refresh_needed(platform, version, code, *at);
            marked.await?;
        }
    }
    Ok(())
}

impl Scene<'_> {
    fn platform(&self, handle: &str) -> Result<PlatformId, OpenError> {
        let found = self.platforms.get(handle).copied();
        found.ok_or_else(|| format!("@{handle} is not connected").into())
    }

    fn seed(&self, planned: &Planned, number: u32) -> Result<SeedGroup, OpenError> {
        let (queued, scheduled_for) = match &planned.fate {
            Fate::Draft(at) => (false, *at),
            Fate::Scheduled(at) | Fate::Published(at) | Fate::Inbox(at) | Fate::Refused(at, _) => {
                (true, Some(*at))
            }
        };
        let media = planned.media.iter().map(|name| self.gallery.get(name).copied());
        let root = NewPost {
            id: chance::id(planned.written_at),
            content: planned.text.clone(),
            delay_minutes: None,
            settings: settings(planned),
            media_ids: media
                .collect::<Option<_>>()
                .ok_or("a file of the demo is missing")?,
        };
        Ok(SeedGroup {
            group: NewGroup {
                group_id: chance::id(planned.written_at),
                platform_id: self.platform(&planned.to)?,
                queued,
                scheduled_for,
                created_by: self.author.clone(),
                root,
                children: Vec::new(),
            },
            created_at: planned.written_at,
            end: self.end(planned, number)?,
        })
    }

    fn end(&self, planned: &Planned, number: u32) -> Result<Option<SeedEnd>, OpenError> {
        Ok(match &planned.fate {
            Fate::Draft(_) | Fate::Scheduled(_) => None,
            Fate::Published(at) => Some(self.published(planned, *at, number)),
            Fate::Inbox(at) => Some(SeedEnd {
                outcome: SubmissionOutcome::InInbox,
                verdict: verdicts::in_inbox(),
                ..handed_over(planned, *at, number)
            }),
            Fate::Refused(at, code) => Some(self.refused(planned, *at, number, code)?),
        })
    }

    fn published(&self, planned: &Planned, at: Time, number: u32) -> SeedEnd {
        let post_id = post_number(at, number);
        let kind = if is_clip(planned) { "video" } else { "photo" };
        SeedEnd {
            verdict: Verdict::Published {
                release_url: Some(format!("{}/@{}/{kind}/{post_id}", self.pages, planned.to)),
                release_id: Some(post_id.to_string()),
            },
            ..handed_over(planned, at, number)
        }
    }

    fn refused(&self, planned: &Planned, at: Time, number: u32, code: &str) -> Result<SeedEnd, OpenError> {
        let provider = self.app.provider("tiktok", Connection::Creator);
        let provider = provider.ok_or("the demo has no provider")?;
        let explanation = provider.explain(code);
        let error = ProviderError {
            fate: Meaning::Rejected,
            code: code.to_owned(),
            message: explanation.message(),
            next_step: explanation.next_step,
            log_id: None,
        };
        let end = SeedEnd {
            detail: verdicts::detail(&error),
            ..handed_over(planned, at, number)
        };
        Ok(match code {
            GRANT_REMOVED => SeedEnd {
                transfer: None,
                handle: None,
                outcome: SubmissionOutcome::Reauthorize,
                verdict: verdicts::reconnect(&error),
                ..end
            },
            _ => SeedEnd {
                outcome: SubmissionOutcome::Rejected,
                verdict: verdicts::failed(&error),
                ..end
            },
        })
    }
}

/// A successful attempt, begun within a second of its time and ended after a few.
fn handed_over(planned: &Planned, at: Time, number: u32) -> SeedEnd {
    let seconds = Duration::from_millis(2_400 + u64::from(number) * 731 % 5_000);
    let post_id = post_number(at, number);
    let (transfer, handle) = match (is_clip(planned), &planned.fate) {
        (true, Fate::Inbox(_)) => (Transfer::Upload, format!("v_inbox_file~v2.{post_id}")),
        (true, _) => (Transfer::Upload, format!("v_pub_file~v2-1.{post_id}")),
        (false, _) => (Transfer::Pull, format!("p_pub_url~v2.{post_id}")),
    };
    SeedEnd {
        started_at: at.plus(Duration::from_millis(300)),
        ended_at: at.plus(seconds),
        transfer: Some(transfer),
        handle: Some(handle),
        note: NOTE,
        outcome: SubmissionOutcome::Published,
        verdict: Verdict::Published {
            release_id: None,
            release_url: None,
        },
        detail: AttemptDetail::default(),
    }
}

/// A post ID in the provider's format: 19 digits, the seconds in the high half.
fn post_number(at: Time, number: u32) -> u64 {
    const GOLDEN: u32 = 2_654_435_761;
    u64::try_from(at.as_secs()).unwrap_or(0) << 32 | u64::from(number.wrapping_mul(GOLDEN))
}

fn is_clip(planned: &Planned) -> bool {
    planned.media.iter().any(|name| name.ends_with(".mp4"))
}

/// A draft has no audience yet.
fn settings(planned: &Planned) -> Map<String, Value> {
    let mut settings = json!({ "allow_comment": true });
    match &planned.fate {
        Fate::Draft(_) => {}
        Fate::Inbox(_) => settings["post_mode"] = "MEDIA_UPLOAD".into(),
        Fate::Scheduled(_) | Fate::Published(_) | Fate::Refused(..) => {
            settings["privacy_level"] = "PUBLIC_TO_EVERYONE".into();
        }
    }
    if let Some(title) = &planned.title {
        settings["title"] = title.as_str().into();
    }
    settings.as_object().cloned().unwrap_or_default()
}
