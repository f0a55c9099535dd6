//! The verdict, and for what is wrong everything that is known about it.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use serde_json::Value;

use super::disconnect::DisconnectCount;
use super::disconnect::own_posts::Wrong;
use super::judge::{Fate, Rules, Told};
use super::moving_clients::count::MovedUploads;
use super::operator::Operator;
use super::options::Options;
use super::posts::{self, Post};
use super::provider::{by_number, list};
use super::shown;
use super::stage::Stage;
use super::surroundings_count::SurroundingsCount;
use crate::bench::simulator::Control;
use crate::bench::timestamp;
use crate::bench::world::text;
use crate::failure::Outcome;

/// Of so many wrong posts everything is shown.
const SHOWN: usize = 5;
/// So many lines of the log about each.
const LINES: usize = 60;

/// What became of all posts.
#[derive(Debug, Default)]
pub struct Verdict {
    /// How many posts met each fate that may be.
    pub counts: BTreeMap<Fate, usize>,
    /// Those that were published twice, with what is known about them.
    pub duplicates: Vec<String>,
    /// Those that were lost.
    pub lost: Vec<String>,
    /// Those that were handed over before their time.
    pub early: Vec<String>,
}

/// What is reported about a run beside its verdict.
#[derive(Debug)]
pub struct Account<'a> {
    /// What it was asked for.
    pub options: &'a Options,
    /// How the processes ended, in words.
    pub deaths: String,
    /// What happened to the surroundings.
    pub surroundings: SurroundingsCount,
    /// What clients did that went away, and what came of it.
    pub disconnects: Disconnects,
    /// What became of uploads whose client moved between nodes, if there were several.
    pub uploads: Option<MovedUploads>,
    /// How long the kills took.
    pub killing: Duration,
    /// How long the rest took.
    pub settling: Duration,
    /// Which copies were put back, in words; empty without any.
    pub restores: String,
    /// What became of the posts.
    pub verdict: Verdict,
}

/// What clients did that went away, and what came of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Disconnects {
    /// The clients.
    pub count: DisconnectCount,
    /// How many bytes others added to uploads meanwhile.
    pub bytes: usize,
    /// How many transactions began on a connection on which one was left open: must be 0.
    pub left_open: usize,
}

impl Disconnects {
    /// Counts, and adds to the verdict what is wrong with the posts of the clients and which answered writes are gone.
    ///
    /// # Errors
    /// When the service, the simulator or the log of PostgreSQL cannot be read.
    pub fn of(
        stage: &Stage,
        simulator: &mut Control,
        operator: &Operator<'_>,
        verdict: &mut Verdict,
    ) -> Outcome<Self> {
        let clients = operator.disconnecting();
        for wrong in clients.judge_posts(simulator)? {
            match wrong {
                Wrong::Duplicate(why) => verdict.duplicates.push(why),
                Wrong::Lost(why) => verdict.lost.push(why),
            }
        }
        let seen = clients.seen();
        verdict.lost.extend(seen.lost);
        let mut count = seen.disconnects;
        count += operator.client().disconnects();
        let left_open = stage
            .postgres
            .as_ref()
            .map(|postgres| postgres.nested_transactions());
        Ok(Self {
            count,
            bytes: seen.bytes,
            left_open: left_open.transpose()?.unwrap_or(0),
        })
    }
}

impl fmt::Display for Disconnects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {} bytes arrived in uploads", self.count, self.bytes)
    }
}

impl Account<'_> {
    /// Whether nothing is wrong: with no post, no upload, no transaction that was left open, and no node that has the wrong key.
    pub fn is_good(&self) -> bool {
        let lost_uploads = self.uploads.iter().flat_map(|uploads| &uploads.lost).count();
        self.verdict.is_good()
            && lost_uploads == 0
            && self.surroundings.wrong_key.ready == 0
            && self.disconnects.left_open == 0
    }
}

impl Verdict {
    /// Whether nothing is wrong.
    pub fn is_good(&self) -> bool {
        self.duplicates.is_empty() && self.lost.is_empty() && self.early.is_empty()
    }

    /// Judges every post.
    ///
    /// # Errors
    /// When the service or the simulator does not answer.
    pub fn of(stage: &Stage, simulator: &mut Control, posts: &[Post], rules: &impl Rules) -> Outcome<Self> {
        let roots = shown::all(stage)?;
        let out = by_number(&list(simulator, "/sim/publications")?, |one| {
            posts::marked(one["caption"].as_str()?)
        });
        let inbox = list(simulator, "/sim/inbox")?;
        let drafts = by_number(&inbox, |one| posts::of_draft(one, posts));
        let mut verdict = Self::default();
        for post in posts {
            let out = out.get(&post.number).map_or(&[][..], Vec::as_slice);
            let roots = roots.get(&post.number).map_or(&[][..], Vec::as_slice);
            let children = shown::children(stage, post, roots)?;
            let told = Told {
                post,
                roots,
                children: &children,
                out,
                drafts: drafts.get(&post.number).map_or(0, Vec::len),
                past: rules.past(post),
            };
            verdict.add(stage, simulator, told, rules.fate(told));
            let due = rules.due_at(post);
            if let Some(early) = due.and_then(|due| early(post, out, due)) {
                verdict.early.push(early);
            }
        }
        Ok(verdict)
    }

    fn add(&mut self, stage: &Stage, simulator: &mut Control, told: Told<'_>, fate: Fate) {
        let shown = self.duplicates.len() + self.lost.len() < SHOWN;
        let mut tell = |why: &str| match shown {
            true => format!(
                "{}: {why}\n{}",
                told.post.marker(),
                evidence(stage, simulator, told)
            ),
            false => format!("{}: {why}", told.post.marker()),
        };
        match fate {
            Fate::Duplicate(why) => self.duplicates.push(tell(&why)),
            Fate::Lost(why) => self.lost.push(tell(&why)),
            fate => *self.counts.entry(fate).or_default() += 1,
        }
    }
}

/// Handing a post over before its time is as wrong as never doing it.
fn early(post: &Post, out: &[Value], due: i64) -> Option<String> {
    let handed = out
        .iter()
        .filter_map(|one| timestamp::read(one["initedAt"].as_str()?))
        .min()?;
    // The simulator shows milliseconds, cut.
    (handed < due).then(|| format!("{}: {} µs early", post.marker(), due - handed))
}

/// The attempts, the requests, what went out, and the log, of one post.
pub(super) fn evidence(stage: &Stage, simulator: &mut Control, told: Told<'_>) -> String {
    let id = told
        .roots
        .first()
        .and_then(|root| text(&root["id"]).ok())
        .unwrap_or_default();
    let attempts = stage
        .get(&format!("/public/v1/posts/{id}/attempts"))
        .unwrap_or_default();
    let root = Value::from(told.roots.to_vec());
    let marker = told.post.marker();
    let handles: Vec<&str> = attempts["attempts"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|one| one["publishId"].as_str())
        .collect();
    let is_about = |entry: &Value| {
        let body = entry["body"].as_str().unwrap_or_default();
        body.contains(&marker) || handles.iter().any(|handle| body.contains(handle))
    };
    let journal = list(simulator, "/sim/journal").unwrap_or_default();
    let requests: Vec<String> = journal
        .iter()
        .filter(|entry| is_about(entry))
        .map(Value::to_string)
        .collect();
    let log = stage.log();
    let lines: Vec<&str> = log
        .lines()
        .filter(|line| !id.is_empty() && line.contains(&id))
        .collect();
    let lines = &lines[lines.len().saturating_sub(LINES)..];
    format!(
        "  post: {root:#}\n  attempts: {attempts:#}\n  out: {:#}\n  requests:\n{}\n  log:\n{}",
        Value::from(told.out.to_vec()),
        requests.join("\n"),
        lines.join("\n")
    )
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (fate, count) in &self.counts {
            match fate {
                Fate::Parked(why) => writeln!(f, "  {count:>6}  parked: {why}")?,
                _ => writeln!(f, "  {count:>6}  published once")?,
            }
        }
        writeln!(f, "  {:>6}  early", self.early.len())?;
        writeln!(f, "  {:>6}  duplicates", self.duplicates.len())?;
        writeln!(f, "  {:>6}  lost", self.lost.len())?;
        for (what, all) in [
            ("EARLY", &self.early),
            ("DUPLICATE", &self.duplicates),
            ("LOST", &self.lost),
        ] {
            all.iter().try_for_each(|one| writeln!(f, "{what} {one}"))?;
        }
        Ok(())
    }
}

impl fmt::Display for Account<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (options, verdict) = (self.options, &self.verdict);
        writeln!(
            f,
            "crash laboratory: {} posts on {}, {} nodes, seed {}: {} kills in {:.0} s, settled {:.0} s later",
            options.posts,
            options.db.name(),
            options.nodes,
            options.seed,
            options.kills,
            self.killing.as_secs_f64(),
            self.settling.as_secs_f64()
        )?;
        writeln!(f, "  {}", self.deaths)?;
        writeln!(f, "  {}", self.surroundings)?;
        writeln!(f, "  {}", self.disconnects)?;
        if let Some(uploads) = &self.uploads {
            writeln!(f, "  {uploads}")?;
        }
        if !self.restores.is_empty() {
            writeln!(f, "  {}", self.restores)?;
        }
        write!(f, "{verdict}")?;
        if let Some(MovedUploads { lost, .. }) = &self.uploads {
            writeln!(f, "  {:>6}  uploads lost", lost.len())?;
            lost.iter().try_for_each(|one| writeln!(f, "LOST {one}"))?;
        }
        writeln!(f, "  {:>6}  transactions left open", self.disconnects.left_open)?;
        write!(f, "  again: {options}")
    }
}
