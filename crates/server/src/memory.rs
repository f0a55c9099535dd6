//! How the process asks for memory.

/// Keeps the system from giving out memory in pages of 2 MiB. Each buffer and each thread would hold one for the few
/// KiB it uses; without them the idle service takes 20 MB instead of 33, and an upload 14 MB more instead of 38.
pub fn without_huge_pages() {
    #[cfg(target_os = "linux")]
    if let Err(error) = nix::sys::prctl::set_thp_disable(true) {
        tracing::debug!("huge pages stay on: {error}");
    }
}
