//! People, their workspaces and keys: `/app/v1`.

mod account_pages;
mod accounts;
mod connecting;
mod cookies;
mod device;
mod keys;
mod limits;
mod members;
mod pages;
mod passwords;
mod revoking;
mod roles;
mod sessions;
mod shared;
mod timing;
mod trail;
mod workspaces;
