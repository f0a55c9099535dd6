//! Further nodes on a test's database, storage and provider.

use std::sync::Arc;

use playout_domain::time::Clock;
use playout_server::app::App;
use playout_server::serve::{Role, Service};
use tokio::net::TcpListener;

use super::opening::{open, open_on, open_with, storage};
use super::{Client, TestApp};

impl TestApp {
    /// Another node on the same database, storage and provider: an engine of its own.
    pub(crate) async fn second_node(&self) -> (Arc<App>, Service) {
        self.node_with(Arc::new(self.clock.clone())).await
    }

    /// Another engine, with a clock of its own.
    pub(crate) async fn node_with(&self, clock: Arc<dyn Clock>) -> (Arc<App>, Service) {
        let app = open_with(self.app.config.clone(), clock).await;
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let service = Service::start(&app, listener, Role::Worker);
        // It reads the database's clock first, and cannot while its own is moved between two readings.
        app.identity.fits().await;
        (app, service)
    }

    /// Another engine, on which no app of the provider is configured.
    pub(crate) async fn node_without_app(&self) -> (Arc<App>, Service) {
        let mut config = self.app.config.clone();
        config.tiktok = None;
        let app = open_with(config, Arc::new(self.clock.clone())).await;
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let service = Service::start(&app, listener, Role::Worker);
        (app, service)
    }

    /// Another process where this one was, on which the provider's business app is not configured.
    pub(crate) async fn go_on_without_business_app(&mut self) {
        self.stop().await;
        let mut config = self.app.config.clone();
        if let Some(tiktok) = &mut config.tiktok {
            tiktok.business = None;
        }
        self.app = open(config, &self.clock).await;
        self.restart().await;
    }

    /// Another engine, with secret keys of its own.
    pub(crate) async fn node_with_keys(&self, keys: &[[u8; 32]]) -> (Arc<App>, Service) {
        let config = self.app.config.clone();
        let blobs = storage(&config, None);
        let app = open_on(config, Arc::new(self.clock.clone()), blobs, keys.to_vec()).await;
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let service = Service::start(&app, listener, Role::Worker);
        (app, service)
    }

    /// Another node on the same database and storage, and a client of it with the workspace's key.
    pub(crate) async fn second_api(&self) -> (Arc<App>, Client, Service) {
        let app = open(self.app.config.clone(), &self.clock).await;
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = self.api.at(&format!("http://{}", listener.local_addr().unwrap()));
        let service = Service::start(&app, listener, Role::Api);
        (app, client, service)
    }
}
