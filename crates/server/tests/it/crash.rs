//! The service killed at named points and at random: every post ends right, and none goes out twice.

mod backups;
mod comments;
mod copies;
mod damage;
mod decoder;
mod descriptors;
mod doubt;
mod fetching;
mod giving_up;
mod hang_ups;
mod internal;
mod leases;
mod media;
mod mistaken;
mod once;
mod points;
mod random;
mod recovery;
mod refresh;
mod scene;
mod slides;
mod stalls;
mod stop;
mod taken_back;
mod uploads;
mod webhooks;
