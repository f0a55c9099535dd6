//! The store's tests. Every one runs on both databases: on a fresh SQLite file, and on a fresh clone of a migrated
//! PostgreSQL template.

mod harness;
mod world;

mod accounts;
mod changes;
mod claims;
mod connections;
mod damaged_rows;
mod devices;
mod errors;
mod fence;
mod group_changes;
mod handles;
mod holds;
mod identity;
mod imports;
mod indexes;
mod limits;
mod listed_media;
mod matches;
mod media;
mod migrations;
mod people;
mod plans;
mod plans_by_size;
mod posts;
mod provider_events;
mod reconnections;
mod releases;
mod removed_submissions;
mod revocations;
mod schema;
mod searches;
mod second_factors;
mod seeds;
mod settling;
mod sign_ups;
mod slides;
mod stored_answers;
mod submissions;
mod text_batches;
mod tokens;
mod uploads;
mod webhooks;
mod workspaces;
