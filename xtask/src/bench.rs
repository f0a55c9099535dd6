//! `cargo xtask bench`: measures the release build of `playoutd` from outside, as a process that speaks HTTP, and compares the
//! figures with their limits. CPU is user and system time of the server's process, from `/proc`: Linux only.

pub mod api;
pub mod app;
pub mod batches;
pub mod bucket;
pub mod dashboard;
pub mod database;
pub mod due;
pub mod growth;
pub mod hangups;
pub mod hostile;
pub mod http;
pub mod latency;
pub mod lists;
pub mod load;
pub mod nginx;
pub mod object_storage;
pub mod pictures;
pub mod post;
pub mod process;
pub mod publish;
pub mod requests;
pub mod row;
pub mod search;
pub mod simulator;
pub mod slides;
pub mod slides_example;
pub mod slides_peers;
pub mod slides_served;
pub mod startup;
pub mod table;
pub mod timestamp;
pub mod upload;
pub mod video;
pub mod witness;
pub mod world;

use std::path::PathBuf;

use crate::failure::{Doing, Failure, Outcome};
use crate::install::{self, Need};
use crate::playoutd::{Profile, build_playoutd};
use crate::web;
use row::Row;
use world::World;

/// A bench: prepares its own world, measures, answers with a row for each figure.
type Bench = fn(&World) -> Outcome<Vec<Row>>;

/// Every bench by name, in the order of `all`.
const BENCHES: [(&str, Bench); 24] = [
    ("start", startup::start),
    ("idle", startup::idle),
    ("requests", requests::requests),
    ("api", api::api),
    ("batches", batches::batches),
    ("lists", lists::lists),
    ("upload", upload::upload),
    ("bucket", bucket::bucket),
    ("upload-photo", pictures::upload_photo),
    ("hangups", hangups::hangups),
    ("schedule", publish::schedule),
    ("burst", publish::burst),
    ("slides", slides::slides),
    ("due-at-once", due::at_once),
    ("due-year", due::a_year),
    ("due-fifty", due::fifty),
    ("due-nodes", due::nodes),
    ("slides-served", slides_served::served),
    ("slides-stored", pictures::slides_stored),
    ("hostile", hostile::hostile),
    ("dashboard", dashboard::dashboard),
    ("search", search::search),
    ("growth", growth::growth),
    ("latency", latency::latency),
];

/// Builds `playoutd`, runs the benches named, or all, or a family of them (`due` is `due-at-once` and so on), and prints each row when it is
/// known. With `--playoutd PATH` nothing is built: that program is measured, for comparing two builds, and with `--simulator PATH` behind it that
/// program is the provider of both. With `--short`, benches that take minutes do less.
///
/// # Errors
/// When a name is unknown, a bench cannot run, or a figure misses its limit.
pub fn run(names: &[String]) -> Outcome<()> {
    let (given, names) = match names {
        [option, path, names @ ..] if option == "--playoutd" => (Some(PathBuf::from(path)), names),
        names => (None, names),
    };
    let (simulator, names) = match names {
        [option, path, names @ ..] if option == "--simulator" => (Some(PathBuf::from(path)), names),
        names => (None, names),
    };
    let (is_short, names) = match names {
        [option, names @ ..] if option == "--short" => (true, names),
        names => (false, names),
    };
    let chosen = choose(names)?;
    let mut needs = install::TO_BUILD.to_vec();
    needs.push(Need::Ffmpeg);
    if chosen.iter().any(|(name, _)| *name == "upload") {
        needs.push(Need::Nginx);
    }
    if chosen.iter().any(|(name, _)| *name == "bucket") {
        needs.push(Need::Curl);
    }
    if chosen.iter().any(|(name, _)| *name == "dashboard") {
        needs.push(Need::Node);
    }
    if chosen.iter().any(|(name, _)| {
        matches!(*name, "api" | "growth" | "latency" | "lists" | "search") || name.starts_with("due-")
    }) {
        needs.push(Need::Postgres);
    }
    if chosen.iter().any(|(name, _)| *name == "lists") {
        needs.push(Need::Python);
    }
    install::ensure(&needs)?;
    if given.is_none() && chosen.iter().any(|(name, _)| *name == "dashboard") {
        // Before the service, which carries it.
        web::build()?;
    }
    let playoutd = given.map_or_else(|| build_playoutd(Profile::Release, &[]), Ok)?;
    let mut missed = 0;
    for (name, bench) in chosen {
        let world = World::new(&playoutd, name)?
            .simulated_by(simulator.as_deref())?
            .shortened(is_short);
        let rows = bench(&world).doing(name)?;
        world.remove()?;
        rows.iter().for_each(|row| println!("{row}"));
        missed += rows.iter().filter(|row| !row.holds()).count();
    }
    if missed == 0 {
        Ok(())
    } else {
        Err(Failure::new(format!("{missed} limits missed, see above")))
    }
}

fn choose(names: &[String]) -> Outcome<Vec<(&'static str, Bench)>> {
    if names.is_empty() {
        return Err(Failure::new(format!(
            "which? {} all",
            BENCHES.map(|(name, _)| name).join(" ")
        )));
    }
    if names.iter().any(|name| name == "all") {
        return Ok(BENCHES.to_vec());
    }
    let find = |name: &String| {
        let family = format!("{name}-");
        let is_meant = |known: &&str| *known == name || known.starts_with(&family);
        let found: Vec<_> = BENCHES.into_iter().filter(|(known, _)| is_meant(known)).collect();
        match found.is_empty() {
            false => Ok(found),
            true => Err(Failure::new(format!("there is no bench {name}"))),
        }
    };
    names
        .iter()
        .map(find)
        .collect::<Outcome<Vec<_>>>()
        .map(|found| found.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn benches_are_chosen_by_name_and_all_means_all() {
        let names = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        assert_eq!(choose(&names(&["all"])).unwrap().len(), BENCHES.len());
        let two = choose(&names(&["burst", "idle"])).unwrap();
        assert_eq!(
            two.iter().map(|(name, _)| *name).collect::<Vec<_>>(),
            ["burst", "idle"]
        );
        let due = choose(&names(&["due"])).unwrap();
        assert!(due.len() > 1 && due.iter().all(|(name, _)| name.starts_with("due-")));
        assert!(choose(&names(&["nonsense"])).is_err());
        assert!(choose(&[]).is_err());
    }
}
