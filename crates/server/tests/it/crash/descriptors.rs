//! A process that may open few files, and an address that opens more connections than that.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::scene::Scene;
use crate::harness::{Db, Playoutd};

/// The hard limit, and more connections than it.
const DESCRIPTORS: &str = "-n 300";
const CONNECTIONS: usize = 320;

/// A connection on which a request begins and does not end.
async fn begin(scene: &Scene) -> TcpStream {
    let mut stream = TcpStream::connect(scene.address).await.unwrap();
    // It may have given way to another one already.
    let _sent = stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n").await;
    stream
}

/// Shorter than a head may take to arrive (15 s, `docs/security.md#limits`): after that the crowd makes room by itself.
const BEFORE_THE_CROWD_EXPIRES: Duration = Duration::from_secs(12);

/// What `/healthz` answers on a connection of its own; `None` if it takes longer than [`BEFORE_THE_CROWD_EXPIRES`].
async fn health(scene: &Scene) -> Option<String> {
    let ask = async {
        let mut stream = TcpStream::connect(scene.address).await?;
        stream
            .write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            .await?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        std::io::Result::Ok(answer)
    };
    let asked = tokio::time::timeout(BEFORE_THE_CROWD_EXPIRES, ask).await.ok()?;
    Some(asked.unwrap_or_else(|error| error.to_string()))
}

async fn answers_beside_a_crowd(more: &[(&'static str, &str)]) {
    let scene = Scene::set(Db::Sqlite, &[]).await;
    let mut process = scene.starting(more, |start| Playoutd::spawn_under_limit(start, DESCRIPTORS));
    process.ready(scene.api.http()).await;
    let mut crowd = Vec::new();
    for _ in 0..CONNECTIONS {
        crowd.push(begin(&scene).await);
    }
    for round in 0..5 {
        let answer = health(&scene).await.unwrap_or_default();
        assert!(
            answer.starts_with("HTTP/1.1 200 "),
            "{more:?}, {round}: {answer:?}\n{}",
            scene.log()
        );
    }
    assert!(process.is_alive());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_with_more_connections_than_descriptors_does_not_keep_others_out() {
    answers_beside_a_crowd(&[]).await;
    answers_beside_a_crowd(&[("PLAYOUT_CONNECTIONS_EXEMPT", "none")]).await;
}
