//! A fresh database for each test: a file for SQLite, a clone of a migrated template for PostgreSQL.

use std::net::SocketAddr;
use std::path::Path;

use playout_store::{Store, Vault};
use sqlx::{Connection, Executor, PgConnection};
use tokio::sync::OnceCell;

use super::stored::execute_in;

/// Which database a test runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Db {
    Sqlite,
    Postgres,
}

/// A database that is dropped with the test.
pub(crate) struct Database {
    pub(crate) url: String,
    name: Option<String>,
}

static TEMPLATE: OnceCell<String> = OnceCell::const_new();

impl Database {
    pub(crate) async fn create(db: Db, dir: &Path) -> Self {
        match db {
            Db::Sqlite => Self {
                url: format!("sqlite://{}", dir.join("playout.db").display()),
                name: None,
            },
            Db::Postgres => Self::clone_template().await,
        }
    }

    /// One that is dropped with its server.
    pub(crate) fn at(url: String) -> Self {
        Self { url, name: None }
    }

    /// A database that a dump makes.
    pub(crate) async fn restore(db: Db, dir: &Path, dump: &str) -> Self {
        let database = match db {
            Db::Sqlite => Self::create(db, dir).await,
            Db::Postgres => {
                let name = unique("restored");
                execute(&format!("CREATE DATABASE {name}")).await;
                Self {
                    url: url_of(&name),
                    name: Some(name),
                }
            }
        };
        let url = match db {
            Db::Sqlite => format!("{}?mode=rwc", database.url),
            Db::Postgres => database.url.clone(),
        };
        execute_in(&url, db, dump).await;
        database
    }

    async fn clone_template() -> Self {
        let template = TEMPLATE.get_or_init(make_template).await;
        let name = unique("test");
        execute(&format!("CREATE DATABASE {name} TEMPLATE {template}")).await;
        Self {
            url: url_of(&name),
            name: Some(name),
        }
    }
}

impl Database {
    /// Its address, at another host and port if they are given.
    pub(crate) fn url_at(&self, address: Option<SocketAddr>) -> String {
        let Some(address) = address else {
            return self.url.clone();
        };
        let mut url: url::Url = self.url.parse().unwrap();
        url.set_ip_host(address.ip()).unwrap();
        url.set_port(Some(address.port())).unwrap();
        url.into()
    }
}

impl Database {
    /// One without tables; of SQLite only the address.
    pub(crate) async fn empty(db: Db, dir: &Path) -> Self {
        match db {
            Db::Sqlite => Self::create(db, dir).await,
            Db::Postgres => {
                let name = unique("empty");
                execute(&format!("CREATE DATABASE {name}")).await;
                Self {
                    url: url_of(&name),
                    name: Some(name),
                }
            }
        }
    }

    /// Its address for a role of PostgreSQL that is new, and may do what any may.
    pub(crate) async fn for_any_role(&self) -> String {
        let role = unique("role");
        execute(&format!("CREATE ROLE {role} LOGIN")).await;
        let mut url: url::Url = self.url.parse().unwrap();
        url.set_username(&role).unwrap();
        url.into()
    }

    /// A copy of it as it is. A PostgreSQL database must have no connections while it is copied.
    pub(crate) async fn copy(&self, dir: &Path) -> Self {
        match &self.name {
            None => {
                let path = dir.join(format!("{}.db", unique("copy")));
                let vault = Vault::new(vec![[7; 32]]).unwrap();
                let store = Store::connect(&self.url, vault).await.unwrap();
                store.copy_to(&path).await.unwrap();
                store.close().await;
                Self {
                    url: format!("sqlite://{}", path.display()),
                    name: None,
                }
            }
            Some(original) => {
                let name = unique("copy");
                execute(&format!("CREATE DATABASE {name} TEMPLATE {original}")).await;
                Self {
                    url: url_of(&name),
                    name: Some(name),
                }
            }
        }
    }
}

impl Db {
    /// Host and port of PostgreSQL.
    pub(crate) fn postgres() -> (String, u16) {
        let url: url::Url = server().parse().unwrap();
        (url.host_str().unwrap().to_owned(), url.port().unwrap_or(5432))
    }
}

impl Drop for Database {
    /// Forced, because the service's connections may still be open. The whole server goes after the run anyway.
    fn drop(&mut self) {
        let Some(name) = self.name.take() else { return };
        let dropping = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(execute(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")));
        });
        let _ended = dropping.join();
    }
}

async fn make_template() -> String {
    let name = unique("template");
    execute(&format!("CREATE DATABASE {name}")).await;
    let store = Store::connect(&url_of(&name), Vault::new(vec![[7; 32]]).unwrap())
        .await
        .unwrap();
    store.migrate().await.unwrap();
    store.close().await;
    name
}

/// `PLAYOUT_TEST_POSTGRES` is set by `cargo xtask test`, which starts the server.
fn server() -> String {
    #[expect(
        clippy::disallowed_methods,
        reason = "the one setting of the tests themselves"
    )]
    let url = std::env::var("PLAYOUT_TEST_POSTGRES");
    url.expect("PLAYOUT_TEST_POSTGRES names no PostgreSQL server; `cargo xtask test` starts one and sets it")
}

fn url_of(name: &str) -> String {
    let mut url: url::Url = server().parse().unwrap();
    url.set_path(name);
    url.into()
}

async fn execute(sql: &str) {
    let mut connection = PgConnection::connect(&server()).await.unwrap();
    connection
        .execute(sqlx::AssertSqlSafe(sql.to_owned()))
        .await
        .unwrap();
    connection.close().await.unwrap();
}

fn unique(kind: &str) -> String {
    format!("playout_{kind}_{}", playout_server::chance::token())
}
