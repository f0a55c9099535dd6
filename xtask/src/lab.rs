//! `cargo xtask crash-lab`: real processes that are killed, stopped and starved while posts go out and the provider
//! misbehaves, and the provider's simulator as judge: none twice, none lost, none early. `docs/reliability.md` explains
//! how to read the verdict.

pub mod act;
pub mod attend;
pub mod bucket;
pub mod bucket_fault;
pub mod bucket_plan;
pub mod campaign;
pub mod chance;
pub mod connection_fault;
pub mod consent;
pub mod copies;
pub mod create;
pub mod disconnect;
pub mod disk;
pub mod fault_proxy;
pub mod judge;
pub mod media_folder;
pub mod moving_clients;
pub mod nodes;
pub mod operator;
pub mod options;
pub mod person;
pub mod plan;
pub mod posts;
pub mod provider;
pub mod proxy;
pub mod report;
pub mod restore;
pub mod settle;
pub mod shown;
pub mod skewed_clock;
pub mod stage;
pub mod surroundings;
pub mod surroundings_count;
pub mod trouble;
pub mod writer;
pub mod wrong_key;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crate::bench::simulator::Control;
use crate::failure::{Failure, Outcome};
use crate::install::{self, Need};
use crate::machine::{epoch_micros, now};
use crate::playoutd::{Profile, build_playoutd};
use act::Act;
use disconnect::clients::Clients;
use moving_clients::MovingClients;
use nodes::Nodes;
use operator::Operator;
use options::Options;
use plan::{Plan, Size};
use report::{Account, Disconnects, Verdict};
use stage::Stage;
use surroundings_count::SurroundingsCount;
use writer::Client;

/// How long creating a post may take before the first is due; later than that, they are due at once.
const TO_CREATE: Duration = Duration::from_millis(4);
/// The time in which the first nodes come up.
const TO_START: Duration = Duration::from_secs(2);

/// How long clients go on disconnecting after the last kill, when no node ends for any reason.
const DISCONNECTS_GO_ON: Duration = Duration::from_secs(10);

/// Runs the laboratory with the options of the command line.
///
/// # Errors
/// When a post was published twice, lost or published early, an upload was lost, or the laboratory itself failed.
pub fn run(words: &[String]) -> Outcome<()> {
    let options = Options::parse(words)?;
    install::ensure(&[install::TO_BUILD.as_slice(), &[Need::Ffmpeg, Need::Postgres]].concat())?;
    let playoutd = options
        .playoutd
        .clone()
        .map_or_else(|| build_playoutd(Profile::Release, &["failpoints"]), Ok)?;
    run_with(&playoutd, &options)
}

/// Runs the laboratory on a program and prints the verdict.
///
/// # Errors
/// As [`run`].
pub fn run_with(playoutd: &Path, options: &Options) -> Outcome<()> {
    println!("{options}");
    let stage = Stage::set(playoutd, options)?;
    println!("in {}", stage.folder().display());
    if !stage.disk.has_an_end() {
        println!("the disk is never full here: mounting takes root");
    }
    if !stage.clock.is_possible() {
        println!("all clocks are right here: others take Linux");
    }
    let is_good = match options.restores {
        0 => {
            let account = perform(&stage, options)?;
            println!("{account}");
            account.is_good()
        }
        _ => campaign::perform(&stage, options)?,
    };
    if !is_good {
        return Err(Failure::new(
            "posts went out twice, early or not at all, an upload was lost, or a node did what it must never do, see above",
        ));
    }
    stage.clear()
}

/// Creates the posts, does what is planned while they go out, waits for the rest, and judges.
fn perform<'a>(stage: &Stage, options: &'a Options) -> Outcome<Account<'a>> {
    let size = Size {
        kills: options.kills,
        nodes: options.nodes,
        accounts: options.accounts(),
        db: options.db,
        storage: options.storage,
    };
    let plan = Plan::new(options.seed, size);
    let posts = posts::plan(options.seed, (options.posts, size.accounts), plan.length_ms);
    let lead = TO_START + TO_CREATE * u32::try_from(posts.len()).unwrap_or(u32::MAX);
    let first_at = epoch_micros() + i64::try_from(lead.as_micros()).unwrap_or(0);
    create::planned(stage, &posts, first_at)?;
    let (control, stop) = (stage.simulator.control()?, AtomicBool::new(false));
    let client = Client::new(stage, options.seed, first_at);
    let disconnecting = Clients::new(stage, options.seed, size.accounts - 1);
    let moving = (options.nodes > 1).then(|| MovingClients::new(stage, options.seed));
    let moving = moving.as_ref();
    let operator = Operator::new(stage, &client, &disconnecting, &posts)?;
    thread::scope(|scope| {
        let creator = scope.spawn(|| person::post_drafts(control, &posts, &stop));
        let writer = scope.spawn(|| client.write(&posts, &stop));
        let leavers = scope.spawn(|| disconnecting.run());
        let mover = scope.spawn(|| moving.map_or(Ok(()), MovingClients::run));
        let account = act_out(stage, options, &plan, operator, moving);
        stop.store(true, Ordering::Relaxed);
        disconnecting.end();
        if let Some(moving) = moving {
            moving.end(Duration::ZERO);
        }
        let panicked = |_| Failure::new("a thread of the laboratory panicked");
        let creator = creator.join().map_err(panicked)?;
        let writer = writer.join().map_err(panicked)?;
        let leavers = leavers.join().map_err(panicked)?;
        let mover = mover.join().map_err(panicked)?;
        // What ended the run early keeps the others from what they had to do.
        let others = creator.and(writer).and(leavers).and(mover);
        account.and_then(|account| others.map(|()| account))
    })
}

/// The kills and everything else, the time after, and the judgement.
fn act_out<'a>(
    stage: &Stage,
    options: &'a Options,
    plan: &Plan,
    mut operator: Operator<'_>,
    moving: Option<&MovingClients<'_>>,
) -> Outcome<Account<'a>> {
    let mut nodes = Nodes::none(stage, options.nodes);
    let mut control = stage.simulator.control()?;
    nodes.fill()?;
    thread::sleep(Duration::from_micros(
        u64::try_from(operator.client().first_at() - epoch_micros()).unwrap_or(0),
    ));
    let began = now();
    let reconnected = kill_and_trouble(stage, &mut nodes, &mut operator, plan, &mut control)?;
    let killing = began.elapsed();
    println!(
        "{} kills in {:.0} s; waiting for the rest",
        options.kills,
        killing.as_secs_f64()
    );
    stage.free_disk()?;
    stage.bring_media_back()?;
    stage.calm_connections();
    trouble::calm()
        .iter()
        .try_for_each(|trouble| trouble.befall(&mut control))?;
    nodes.renew()?;
    let began = now();
    thread::sleep(DISCONNECTS_GO_ON);
    operator.disconnecting().end();
    if let Some(moving) = moving {
        moving.end(moving_clients::TO_FINISH);
    }
    let reconnected = reconnected + settle::settle(stage, &mut nodes, &mut operator, killing)?;
    let posts = operator.posts();
    let mut verdict = Verdict::of(stage, &mut control, posts, &operator)?;
    let disconnects = Disconnects::of(stage, &mut control, &operator, &mut verdict)?;
    let uploads = moving.map(|moving| {
        moving.wait();
        moving.judge(operator.restored())
    });
    Ok(Account {
        options,
        uploads: uploads.transpose()?,
        deaths: deaths(&nodes, reconnected),
        surroundings: SurroundingsCount::of(stage, &nodes),
        killing,
        settling: began.elapsed(),
        restores: operator.in_words(),
        disconnects,
        verdict,
    })
}

/// How the processes ended, in words.
fn deaths(nodes: &Nodes<'_>, reconnected: usize) -> String {
    let (tally, missed) = (&nodes.tally, nodes.not_reached(&plan::points()));
    format!(
        "{} at random instants, {} at {} named points, {} woke up from a stall, {} gave up by themselves; \
         {reconnected} accounts reconnected; nobody came to: {}",
        tally.killed,
        tally.at_points.values().sum::<usize>(),
        tally.at_points.len(),
        tally.stalled,
        tally.by_themselves,
        if missed.is_empty() {
            "-".to_owned()
        } else {
            missed.join(", ")
        }
    )
}

/// Does everything at its time; what takes long moves all that follows. Answers how many accounts were reconnected.
fn kill_and_trouble(
    stage: &Stage,
    nodes: &mut Nodes<'_>,
    operator: &mut Operator<'_>,
    plan: &Plan,
    control: &mut Control,
) -> Outcome<usize> {
    let (began, mut behind, mut reconnected) = (now(), Duration::ZERO, 0);
    for step in &plan.steps {
        let at = Duration::from_millis(step.at_ms) + behind;
        thread::sleep(at.saturating_sub(began.elapsed()));
        match &step.act {
            Act::Kill { node, next } => nodes.replace(*node, *next)?,
            Act::Stall { node, next, number } => nodes.stall(*node, *number, *next)?,
            Act::Wake { number } => nodes.wake(*number),
            Act::Bury { number } => nodes.bury(*number),
            Act::Trouble(trouble) => trouble.befall(control)?,
            Act::Reconnect => reconnected += settle::reconnect(stage, operator.posts()),
            Act::RestartDatabase => stage.restart_database()?,
            Act::FillDisk => stage.fill_disk()?,
            Act::FreeDisk => stage.free_disk()?,
            Act::DisturbConnections(fault) => stage.disturb_connections(*fault),
            Act::TakeMediaAway => stage.take_media_away()?,
            Act::BringMediaBack => stage.bring_media_back()?,
            Act::DisturbBucket(fault) => stage.disturb_bucket(*fault),
            Act::StopBucket => stage.stop_bucket(),
            Act::StartBucket => stage.start_bucket()?,
            Act::StartWithWrongKey { number } => nodes.start_with_wrong_key(*number)?,
            Act::EndWithWrongKey { number } => nodes.wrong_key.end(*number),
            Act::Copy(way) => operator.copy(nodes, *way)?,
            Act::PutBack => operator.put_back(nodes)?,
            // A node that is just starting does not answer; a later step tries again.
            Act::Attend => drop(operator.attend()),
        }
        behind = began.elapsed().saturating_sub(Duration::from_millis(step.at_ms));
    }
    Ok(reconnected)
}
