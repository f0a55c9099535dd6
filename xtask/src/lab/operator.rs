//! The operator of the service: makes copies of the database, restores them, and decides about the posts that a restore leaves
//! to a person.

use std::sync::MutexGuard;
use std::thread;
use std::time::Duration;

use super::attend::Attendant;
use super::copies::{Restored, Way, may_be_forgotten, ways};
use super::disconnect::clients::Clients;
use super::judge::{Past, Rules};
use super::nodes::Nodes;
use super::posts::Post;
use super::restore::Restores;
use super::stage::Stage;
use super::writer::Client;
use crate::bench::simulator::Control;
use crate::failure::Outcome;
use crate::machine::epoch_micros;

/// Longer than anything that is on its way to the provider takes to come out: pulls, requests that hang, processing.
const PATIENCE: Duration = Duration::from_secs(12);
const PAUSE: Duration = Duration::from_millis(50);

/// The operator of a run.
#[derive(Debug)]
pub struct Operator<'a> {
    stage: &'a Stage,
    client: &'a Client<'a>,
    disconnecting: &'a Clients<'a>,
    posts: &'a [Post],
    control: Control,
    restores: Restores<'a>,
    attendant: Attendant<'a>,
}

impl<'a> Operator<'a> {
    /// An operator without a copy.
    ///
    /// # Errors
    /// When the simulator does not answer.
    pub fn new(
        stage: &'a Stage,
        client: &'a Client<'a>,
        disconnecting: &'a Clients<'a>,
        posts: &'a [Post],
    ) -> Outcome<Self> {
        Ok(Self {
            stage,
            client,
            disconnecting,
            posts,
            control: stage.simulator.control()?,
            restores: Restores::none(stage),
            attendant: Attendant::new(stage, PATIENCE),
        })
    }

    /// The client that creates posts while processes die.
    pub fn client(&self) -> &'a Client<'a> {
        self.client
    }

    /// The clients that disconnect.
    pub fn disconnecting(&self) -> &'a Clients<'a> {
        self.disconnecting
    }

    /// All posts of the run.
    pub fn posts(&self) -> &'a [Post] {
        self.posts
    }

    /// The copies that were put back.
    pub fn restored(&self) -> &[Restored] {
        &self.restores.done
    }

    /// Makes a copy.
    ///
    /// # Errors
    /// As [`Restores::copy`].
    pub fn copy(&mut self, nodes: &mut Nodes<'_>, way: Way) -> Outcome<()> {
        self.restores.copy(nodes, way)
    }

    /// Restores the last copy, while no request of the client is without an answer: a client that repeats a request to a database
    /// that has lost it, and its idempotency key, creates another post.
    ///
    /// # Errors
    /// As [`Restores::put_back`].
    pub fn put_back(&mut self, nodes: &mut Nodes<'_>) -> Outcome<()> {
        let _answered = self.wait_for_the_client(nodes)?;
        self.disconnecting.note_restore();
        let was_put_back = self.restores.put_back(nodes)?;
        self.disconnecting.note_restore();
        if was_put_back {
            self.attendant.begin_anew();
        }
        Ok(())
    }

    fn wait_for_the_client(&self, nodes: &mut Nodes<'_>) -> Outcome<MutexGuard<'a, ()>> {
        // The client may wait for the answer of a stopped node, for space on the disk, or for the media, without which no node serves.
        nodes.bury_all();
        self.stage.free_disk()?;
        self.stage.bring_media_back()?;
        loop {
            if let Some(answered) = self.client.pause() {
                return Ok(answered);
            }
            nodes.fill()?;
            thread::sleep(PAUSE);
        }
    }

    /// Looks after the posts that restores left to a person and that are due. Answers how many are still to be decided.
    ///
    /// # Errors
    /// As [`Attendant::attend`].
    pub fn attend(&mut self) -> Outcome<usize> {
        if self.restores.done.is_empty() {
            return Ok(0);
        }
        let (first_at, now) = (self.client.first_at(), epoch_micros());
        self.attendant
            .attend(&mut self.control, self.posts, |post| post.due_at(first_at) <= now)
    }

    /// What was copied and put back; empty if nothing was planned.
    pub fn in_words(&self) -> String {
        let (done, failed) = (&self.restores.done, self.restores.failed);
        if done.is_empty() && failed == 0 {
            return String::new();
        }
        let tally = self.attendant.tally;
        format!(
            "{} restores ({}), {failed} copies failed; a person marked {} posts and {} comments, and published {}",
            done.len(),
            ways(done),
            tally.marked,
            tally.comments,
            tally.published
        )
    }
}

impl Rules for Operator<'_> {
    fn past(&self, post: &Post) -> Past {
        let created = self.client.created_at(post.number);
        Past {
            was_restored: !self.restores.done.is_empty(),
            may_be_forgotten: created.is_some_and(|at| may_be_forgotten(&self.restores.done, at)),
        }
    }

    fn due_at(&self, post: &Post) -> Option<i64> {
        Some(post.due_at(self.client.first_at()))
    }
}
