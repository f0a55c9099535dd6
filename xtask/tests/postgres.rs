//! The tests' own PostgreSQL is stopped and removed when its value is dropped.

use std::net::TcpStream;

use xtask::install::postgres_programs;
use xtask::postgres::Postgres;

#[test]
fn a_dropped_server_is_stopped_and_its_folder_removed() {
    let Some(programs) = postgres_programs() else {
        return; // `cargo xtask test` installs one before it runs this.
    };
    let server = Postgres::start(&programs).unwrap();
    let folder = server.folder().to_path_buf();
    let address = server.url();
    let address = address
        .strip_prefix("postgres://postgres@")
        .unwrap()
        .strip_suffix("/postgres")
        .unwrap();
    assert!(TcpStream::connect(address).is_ok(), "{address} does not listen");
    drop(server);
    assert!(TcpStream::connect(address).is_err(), "{address} still listens");
    assert!(!folder.exists(), "{} is still there", folder.display());
}
