//! The apps that the simulator knows from its start.

/// The app for creators.
pub const CLIENT_KEY: &str = "sim_client_key";
/// Its secret.
pub const CLIENT_SECRET: &str = "sim_client_secret";
/// The app for businesses.
pub const BUSINESS_ID: &str = "sim_business_id";
/// Its secret.
pub const BUSINESS_SECRET: &str = "sim_business_secret";
/// Everything that publishing takes.
pub const SCOPES: &str = "user.info.basic,user.info.profile,video.list,video.upload,video.publish";
