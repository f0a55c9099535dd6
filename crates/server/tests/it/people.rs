//! People, their workspaces and keys: `/app/v1`.

mod account_pages;
mod accounts;
mod batches;
mod connecting;
mod cookies;
mod device;
mod keys;
mod limits;
mod live;
mod mail_pages;
mod members;
mod pages;
mod passwords;
mod rates;
mod revoking;
mod roles;
mod second_factor;
mod security;
mod security_pages;
mod sessions;
mod shared;
mod signed_in;
mod timing;
mod trail;
mod web;
mod workspaces;
