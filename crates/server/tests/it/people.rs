//! People, their workspaces and keys: `/app/v1`.

mod cookies;
mod keys;
mod limits;
mod members;
mod pages;
mod passwords;
mod rates;
mod roles;
mod second_factor;
mod security;
mod sessions;
mod shared;
mod timing;
mod trail;
mod workspaces;
