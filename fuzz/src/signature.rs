//! The provider's notifications: the first line is the header of the signature, the rest the body.

/// A notification is not genuine unless it is signed; one that is signed is read.
pub(crate) fn notification(data: &[u8]) {
    let at = data.iter().position(|byte| *byte == b'\n').unwrap_or(data.len());
    let (header, body) = data.split_at(at);
    let body = body.strip_prefix(b"\n").unwrap_or_default();
    let header = String::from_utf8_lossy(header);
    assert!(
        !playout_tiktok::reads_notification(&header, body),
        "a forged notification is genuine"
    );
    playout_tiktok::reads_signed_notification(body);
}
