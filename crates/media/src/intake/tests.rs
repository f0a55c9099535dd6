use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use sha2::{Digest, Sha256};

use super::*;
use crate::direct::BLOCK_BYTES;
use crate::parts::Done;

const PART: usize = 64 << 10;

/// Keeps what is written, in order; fails the part numbered `fails`.
#[derive(Debug, Default)]
struct Disk {
    written: Arc<Mutex<Vec<Bytes>>>,
    begun: usize,
    fails: Option<usize>,
    at_once: Arc<AtomicUsize>,
    most_at_once: Arc<AtomicUsize>,
}

#[async_trait::async_trait]
impl Parts for Disk {
    fn put(&mut self, part: Bytes, done: Done) {
        assert_eq!(part.as_ptr().align_offset(BLOCK_BYTES), 0);
        let number = self.begun;
        self.begun += 1;
        self.written.lock().unwrap().push(Bytes::copy_from_slice(&part));
        let fails = self.fails == Some(number);
        let (at_once, most) = (Arc::clone(&self.at_once), Arc::clone(&self.most_at_once));
        tokio::spawn(async move {
            most.fetch_max(at_once.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            for _ in 0..10 {
                tokio::task::yield_now().await;
            }
            at_once.fetch_sub(1, Ordering::SeqCst);
            drop(part);
            done(match fails {
                true => Err(generic("it is full")),
                false => Ok(()),
            });
        });
    }

    async fn sync(&mut self) -> object_store::Result<()> {
        Ok(())
    }

    async fn name(&mut self) -> object_store::Result<Option<PathBuf>> {
        unreachable!("an intake completes nothing")
    }

    async fn abort(&mut self) -> object_store::Result<()> {
        Ok(())
    }
}

fn intake(disk: impl Parts + 'static) -> Intake {
    Intake::new(Box::new(disk), PART)
}

fn numbered(bytes: usize) -> Bytes {
    (0..bytes)
        .map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8)
        .collect()
}

/// Sends `bytes` in pieces of these lengths, again and again.
async fn send(intake: &Intake, mut bytes: Bytes, lengths: &[usize]) -> object_store::Result<()> {
    for length in lengths.iter().cycle() {
        if bytes.is_empty() {
            break;
        }
        intake.take(bytes.split_to((*length).min(bytes.len()))).await?;
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_bytes_are_written_in_full_parts_and_hashed_however_they_come() {
    let bytes = numbered(20 * PART + 4321);
    for lengths in [&[1 << 20][..], &[100_000, 1, 0, 8191], &[PART], &[3 * PART, 17]] {
        let disk = Disk::default();
        let written = Arc::clone(&disk.written);
        let intake = intake(disk);
        let lengths: Vec<usize> = lengths.to_vec();
        send(&intake, bytes.clone(), &lengths).await.unwrap();
        let gathered = intake.end().await.unwrap();
        assert_eq!(gathered.sha256[..], Sha256::digest(&bytes)[..]);
        let written = written.lock().unwrap();
        assert!(written[..20].iter().all(|part| part.len() == PART), "{lengths:?}");
        assert_eq!((written.len(), written.concat()), (21, bytes.to_vec()));
    }
}

#[tokio::test]
async fn nothing_at_all_is_no_part() {
    let intake = intake(Disk::default());
    intake.take(Bytes::new()).await.unwrap();
    let gathered = intake.end().await.unwrap();
    assert_eq!(gathered.sha256[..], Sha256::digest(b"")[..]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_more_parts_are_written_at_once_than_there_is_memory_for() {
    let disk = Disk::default();
    let most = Arc::clone(&disk.most_at_once);
    let intake = intake(disk);
    send(&intake, numbered(200 * PART), &[4 * PART]).await.unwrap();
    intake.end().await.unwrap();
    assert!((1..=PARTS).contains(&most.load(Ordering::SeqCst)));
}

#[tokio::test]
async fn a_part_that_cannot_be_written_breaks_the_upload_and_says_why() {
    for fails in [0, 7, 20] {
        let disk = Disk {
            fails: Some(fails),
            ..Disk::default()
        };
        let intake = intake(disk);
        let sent = send(&intake, numbered(20 * PART + 1), &[PART]).await;
        let failure = match sent {
            Ok(()) => intake.end().await.unwrap_err(),
            Err(failure) => {
                let later = intake.take(Bytes::from_static(b"more")).await.unwrap_err();
                assert!(later.to_string().contains("an earlier part"), "{later}");
                assert!(intake.end().await.is_err());
                failure
            }
        };
        assert!(failure.to_string().contains("it is full"), "{failure}");
    }
}

#[tokio::test]
async fn a_fast_client_waits_for_a_slow_disk() {
    let intake = intake(Stuck);
    let send = send(&intake, numbered(20 << 20), &[PART]);
    assert!(
        tokio::time::timeout(std::time::Duration::from_millis(50), send)
            .await
            .is_err()
    );
    let state = intake.0.lock();
    assert!(state.waiting_bytes <= MOST_WAITING + LEAST_WAITING);
    assert!(state.made <= PARTS);
}

/// Never ends a write.
#[derive(Debug)]
struct Stuck;

#[async_trait::async_trait]
impl Parts for Stuck {
    fn put(&mut self, part: Bytes, done: Done) {
        tokio::spawn(async move {
            std::future::pending::<()>().await;
            drop((part, done));
        });
    }

    async fn sync(&mut self) -> object_store::Result<()> {
        Ok(())
    }

    async fn name(&mut self) -> object_store::Result<Option<PathBuf>> {
        unreachable!("an intake completes nothing")
    }

    async fn abort(&mut self) -> object_store::Result<()> {
        Ok(())
    }
}
