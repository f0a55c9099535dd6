//! `cargo xtask crash-lab --restores N`: rounds of a few seconds on one stage, each with a copy of the database that is put back.

pub mod round;
pub mod rules;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::act::Start;
use super::attend::Attendant;
use super::copies::ways;
use super::judge::waits_for_room;
use super::nodes::Nodes;
use super::options::Options;
use super::posts::{Post, Timing};
use super::provider::{by_number, list};
use super::report::Verdict;
use super::restore::Restores;
use super::stage::Stage;
use super::trouble::{self, Trouble};
use super::{person, posts, settle, shown};
use crate::bench::http::{Answer, Body, Connection};
use crate::bench::simulator::Control;
use crate::bench::timestamp;
use crate::bench::world::text;
use crate::failure::{Failure, Outcome};
use crate::machine::{epoch_micros, now};
use round::{Deed, Planned, Round, Size, When};
use rules::Record;

/// Longer than a post of any round is on its way to the provider.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long a round waits for its posts; those that take longer are judged at the end with all others.
const AFTER_A_ROUND: Duration = Duration::from_secs(3);
/// How long the end waits at most: looking for a post whose handle was lost takes two minutes, and a busy machine adds to that.
const AT_THE_END: Duration = Duration::from_secs(1200);
const PAUSE: Duration = Duration::from_millis(100);
const TRIES: usize = 20;

/// A campaign under way.
struct Campaign<'a> {
    stage: &'a Stage,
    posts: &'a [Post],
    nodes: Nodes<'a>,
    control: Control,
    restores: Restores<'a>,
    attendant: Attendant<'a>,
    record: Record,
    /// Posts by their ID at the service.
    ids: BTreeMap<usize, String>,
    /// Rounds whose copy no node took for one.
    not_held: Vec<String>,
    longest_hold: Duration,
}

/// Plays all rounds, waits for the rest, prints the verdict. Whether it is good.
///
/// # Errors
/// When the laboratory cannot go on.
pub fn perform(stage: &Stage, options: &Options) -> Outcome<bool> {
    let size = Size {
        posts: options.posts,
        accounts: options.accounts(),
        nodes: options.nodes,
    };
    let rounds: Vec<Round> = (0..options.restores)
        .map(|number| Round::new(options.seed, number, size))
        .collect();
    let planned = rounds.iter().flat_map(|round| &round.posts);
    let posts: Vec<Post> = planned.map(|planned| planned.post.clone()).collect();
    let stop = AtomicBool::new(false);
    let inbox = stage.simulator.control()?;
    thread::scope(|scope| {
        let creator = scope.spawn(|| person::post_drafts(inbox, &posts, &stop));
        let verdict = Campaign::new(stage, options, &posts).and_then(|campaign| campaign.play_all(&rounds));
        stop.store(true, Ordering::Relaxed);
        let creator = creator
            .join()
            .map_err(|_| Failure::new("a thread of the laboratory panicked"))?;
        verdict.and_then(|verdict| creator.map(|()| verdict))
    })
    .inspect(|_| println!("  again: {options}"))
}

impl<'a> Campaign<'a> {
    fn new(stage: &'a Stage, options: &Options, posts: &'a [Post]) -> Outcome<Self> {
        let mut nodes = Nodes::none(stage, options.nodes);
        nodes.fill()?;
        Ok(Self {
            stage,
            posts,
            nodes,
            control: stage.simulator.control()?,
            restores: Restores::none(stage),
            attendant: Attendant::new(stage, PATIENCE),
            record: Record::default(),
            ids: BTreeMap::new(),
            not_held: Vec::new(),
            longest_hold: Duration::ZERO,
        })
    }

    fn play_all(mut self, rounds: &[Round]) -> Outcome<bool> {
        let began = now();
        for round in rounds {
            self.play(round)?;
            if (round.number + 1).is_multiple_of(10) {
                println!(
                    "  {} restores in {:.0} s",
                    round.number + 1,
                    began.elapsed().as_secs_f64()
                );
            }
        }
        let played = began.elapsed();
        self.wait_for_rest(AT_THE_END, true)?;
        self.record.restored.clone_from(&self.restores.done);
        self.record.judged_at = epoch_micros();
        let verdict = Verdict::of(self.stage, &mut self.control, self.posts, &self.record)?;
        let tally = self.attendant.tally;
        println!(
            "crash laboratory: {} restores in {:.0} s ({}), settled {:.0} s later; the longest hold {:.1} s\n  a person marked {} \
             posts and {} comments, and published {}; {} posts were sent early after a copy\n{verdict}  {:>6}  copies that were not \
             held",
            rounds.len(),
            played.as_secs_f64(),
            ways(&self.restores.done),
            (began.elapsed() - played).as_secs_f64(),
            self.longest_hold.as_secs_f64(),
            tally.marked,
            tally.comments,
            tally.published,
            self.record.sent_early.len(),
            self.not_held.len()
        );
        self.not_held.iter().for_each(|one| println!("NOT HELD {one}"));
        Ok(verdict.is_good() && self.not_held.is_empty())
    }

    fn play(&mut self, round: &Round) -> Outcome<()> {
        self.stage
            .note(&format!("round {}: {}", round.number, round.way.name()));
        self.turn(round)?;
        let began_at = epoch_micros();
        for planned in round.posts.iter().filter(|planned| !planned.is_late) {
            self.create(planned, began_at)?;
        }
        self.learn_ids()?;
        thread::sleep(Duration::from_millis(round.copy_after_ms));
        self.restores.copy(&mut self.nodes, round.way)?;
        self.go_on_after_the_copy(round, began_at)?;
        let began = now();
        if !self.restores.put_back(&mut self.nodes)? {
            return Err(Failure::new("there is no copy to be put back; see the log"));
        }
        self.record.restored.clone_from(&self.restores.done);
        self.calm()?;
        if !self.restores.wait_for_the_end(&mut self.nodes)? {
            self.not_held
                .push(format!("round {}: {}", round.number, round.way.name()));
        }
        self.longest_hold = self.longest_hold.max(began.elapsed());
        self.stage.note("the hold is over");
        for step in &round.steps {
            if let Deed::Expire(account) = step.deed {
                person::reconnect(self.stage, account)?;
            }
        }
        self.wait_for_rest(AFTER_A_ROUND, false)?;
        self.publish_drafts(round)?;
        self.say_what_is_out_twice(round)
    }

    /// Turns the provider to the pace of the round.
    fn turn(&mut self, round: &Round) -> Outcome<()> {
        let pace = round.pace;
        let knobs = json!({
            "processingMs": pace.processing, "moderationMs": pace.moderation, "pullDelayMs": pace.pull_delay
        });
        self.control.ask("PATCH", "/sim/knobs", &knobs)?;
        let lost = ["video_init", "content_init", "upload_last", "business_video"];
        for endpoint in lost.iter().filter(|_| round.loses_answers) {
            let fault = json!({ "endpoint": endpoint, "times": 1, "action": { "do": "dropAfter" } });
            self.control.ask("POST", "/sim/faults", &fault)?;
        }
        Ok(())
    }

    fn calm(&mut self) -> Outcome<()> {
        let calm: [Trouble; 5] = trouble::calm();
        calm.iter().try_for_each(|one| one.befall(&mut self.control))
    }

    /// Everything that happens between the copy and its restore.
    fn go_on_after_the_copy(&mut self, round: &Round, began_at: i64) -> Outcome<()> {
        let began = now();
        for step in &round.steps {
            thread::sleep(Duration::from_millis(step.at_ms).saturating_sub(began.elapsed()));
            match step.deed {
                Deed::Create(place) => self.create_once(&round.posts[place], began_at),
                Deed::SendEarly(place) => self.send_early(&round.posts[place]),
                Deed::Kill(node) => self.nodes.replace(node, Start::default())?,
                Deed::Expire(account) => {
                    let path = format!("/sim/accounts/{}/expire-token", trouble::open_id(account));
                    self.control.ask("POST", &path, &json!({})).map(drop)?;
                    self.record.expired.insert(account);
                }
            }
        }
        let lasts = Duration::from_millis(round.restore_after_ms);
        thread::sleep(lasts.saturating_sub(began.elapsed()));
        Ok(())
    }

    fn request(&self, planned: &Planned, began_at: i64) -> Outcome<Answer> {
        let timing = match planned.when.due_at(began_at) {
            None => Timing {
                mode: "draft",
                at: began_at,
            },
            Some(at) => Timing { mode: "schedule", at },
        };
        let body = planned
            .post
            .request(&self.stage.media(), &self.stage.seeded.platforms, timing);
        self.send("POST", "", &body)
    }

    /// Creates a post of the copy, and asks until it is there.
    fn create(&mut self, planned: &Planned, began_at: i64) -> Outcome<()> {
        let post = &planned.post;
        let mut last = String::new();
        for _ in 0..TRIES {
            match self.request(planned, began_at) {
                Ok(answer) if answer.status == 201 => {
                    self.record.note_created(planned, began_at, epoch_micros());
                    return Ok(());
                }
                Ok(answer) => {
                    last = answer.text();
                    if answer.status < 500 {
                        person::reconnect(self.stage, post.account)?;
                    }
                }
                Err(failure) => last = failure.to_string(),
            }
            thread::sleep(PAUSE);
        }
        Err(Failure::new(format!("creating {}: {last}", post.marker())))
    }

    /// Creates a post that the copy does not contain: one request, whether it is answered or not.
    fn create_once(&mut self, planned: &Planned, began_at: i64) {
        let answer = self.request(planned, began_at);
        self.record.note_created(planned, began_at, epoch_micros());
        let status = answer.map_or(0, |answer| answer.status);
        self.stage
            .note(&format!("{} is created: {status}", planned.post.marker()));
    }

    /// Sends a post before its time. The provider may still be at work on it when it is due again.
    fn send_early(&mut self, planned: &Planned) {
        let number = planned.post.number;
        let Some(id) = self.ids.get(&number) else { return };
        // Whether it is answered or not, it may have been done.
        self.record.sent_early.insert(number);
        let at = json!({ "scheduledFor": timestamp::written(epoch_micros()) }).to_string();
        let answer = match planned.when {
            When::Draft => self.send("POST", &format!("/{id}/publish"), "{}"),
            _ => self.send("PATCH", &format!("/{id}/schedule"), &at),
        };
        let status = answer.map_or(0, |answer| answer.status);
        self.stage
            .note(&format!("{} is sent early: {status}", planned.post.marker()));
    }

    /// Publishes the public drafts that are there, as a person does who does not know what was published: the service must find
    /// what is out.
    fn publish_drafts(&mut self, round: &Round) -> Outcome<()> {
        let is_wanted = |planned: &&Planned| {
            planned.when == When::Draft && planned.post.is_public && !planned.post.is_for_inbox()
        };
        let roots = shown::all(self.stage)?;
        for planned in round.posts.iter().filter(is_wanted) {
            let number = planned.post.number;
            let [root] = roots.get(&number).map_or(&[][..], Vec::as_slice) else {
                continue;
            };
            if root["state"] == "DRAFT" {
                let answer = self.send("POST", &format!("/{}/publish", text(&root["id"])?), "{}")?;
                let marker = planned.post.marker();
                self.stage
                    .note(&format!("{marker}, a draft, is published: {}", answer.status));
            }
        }
        Ok(())
    }

    fn learn_ids(&mut self) -> Outcome<()> {
        for (number, roots) in shown::all(self.stage)? {
            if let [root] = roots.as_slice() {
                self.ids.insert(number, text(&root["id"])?);
            }
        }
        Ok(())
    }

    fn send(&self, method: &str, path: &str, body: &str) -> Outcome<Answer> {
        let address = self.stage.proxy.address;
        let head = format!(
            "{method} /public/v1/posts{path} HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n",
            body.len()
        );
        let mut connection = Connection::open(address, &self.stage.seeded.key)?;
        connection.send_stream(&head, &mut [Body::Text(body.to_owned())])
    }

    /// Waits until every post is out, planned for later or with a person, and people have decided what they decide; or for so long.
    fn wait_for_rest(&mut self, at_most: Duration, is_last: bool) -> Outcome<()> {
        let began = now();
        loop {
            self.nodes.fill()?;
            settle::reconnect(self.stage, self.posts);
            let at = epoch_micros();
            let queued = shown::list(self.stage, "state=QUEUE").unwrap_or_else(|_| vec![Value::Null]);
            let mut left = queued
                .iter()
                .filter(|post| !waits_for_room(post) && !rules::is_planned_after(post, at))
                .count();
            if is_last {
                left += self
                    .attendant
                    .attend(&mut self.control, self.posts, |_| true)
                    .unwrap_or(1);
                left += usize::from(shown::comments_on_their_way(self.stage, self.posts).unwrap_or(true));
            }
            if left == 0 || began.elapsed() > at_most {
                break;
            }
            thread::sleep(PAUSE);
        }
        if !is_last {
            // A node that is just starting does not answer; a later pass tries again.
            let _ = self.attendant.attend(&mut self.control, self.posts, |_| true);
        }
        Ok(())
    }

    fn say_what_is_out_twice(&mut self, round: &Round) -> Outcome<()> {
        let out = by_number(&list(&mut self.control, "/sim/publications")?, |one| {
            posts::marked(one["caption"].as_str()?)
        });
        for (number, all) in out.iter().filter(|(_, all)| all.len() > 1) {
            if self.record.said.insert(*number) {
                let way = round.way.name();
                println!(
                    "  round {} ({way}): post {number} is out {} times",
                    round.number,
                    all.len()
                );
            }
        }
        Ok(())
    }
}
