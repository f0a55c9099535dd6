//! Clients that upload the largest pictures and hang up: what is decoded for them still counts.

use reqwest::Method;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use super::scene::Scene;
use crate::harness::{Db, Playoutd};

const UPLOADS: usize = 12;
/// What decoding may take above idle.
const MOST_BYTES: u64 = 300_000_000;

/// A lossless WebP of one colour. Each of its codes has a single symbol, which takes no bits (RFC 9649 §3.7).
fn webp(side: u32) -> Vec<u8> {
    let packed = (side - 1) | (side - 1) << 14 | 1 << 28;
    let codes = b"\x07\x10\x11\x11\x88\x88\xfe\x07\0\0\0\0\0\0\0\0\0\0\0";
    [
        &b"RIFF\x24\0\0\0WEBPVP8L\x18\0\0\0\x2f"[..],
        &packed.to_le_bytes(),
        codes,
    ]
    .concat()
}

/// Sends a whole upload and does not read the answer.
async fn send(process: &Playoutd, scene: &Scene, file: &[u8]) -> TcpStream {
    let address = process.base_url.trim_start_matches("http://");
    let request = scene
        .api
        .request(Method::POST, "/public/v1/media")
        .build()
        .unwrap();
    let key = request.headers()["authorization"].to_str().unwrap();
    let part = "--end\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.webp\"\r\n\r\n";
    let form = [part.as_bytes(), file, b"\r\n--end--\r\n"].concat();
    let head = format!(
        "POST /public/v1/media HTTP/1.1\r\nHost: {address}\r\nAuthorization: {key}\r\nContent-Length: {}\r\n\
         Content-Type: multipart/form-data; boundary=end\r\n\r\n",
        form.len()
    );
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(&form).await.unwrap();
    stream
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_hangs_up_frees_no_memory_that_its_picture_still_takes() {
    let scene = Scene::set(Db::Sqlite, &[]).await;
    let process = scene.serve().await;
    let idle = process.memory("VmRSS");
    for _ in 0..UPLOADS {
        let stream = send(&process, &scene, &webp(8192)).await;
        // Long enough for the decoder to have begun.
        tokio::time::sleep(std::time::Duration::from_millis(150)).await;
        drop(stream);
    }
    // First come, first served: whoever is answered has waited for all of them.
    let form = reqwest::multipart::Form::new().part("file", reqwest::multipart::Part::bytes(webp(8192)));
    let posted = scene
        .api
        .request(Method::POST, "/public/v1/media")
        .multipart(form);
    assert_eq!(posted.send().await.unwrap().status(), 201, "{}", scene.log());
    let taken = process.memory("VmHWM").saturating_sub(idle);
    assert!(taken <= MOST_BYTES, "{taken} bytes above idle");
}
