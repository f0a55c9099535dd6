//! How the process asks for memory, and gives it back.

/// Keeps the system from giving out memory in pages of 2 MiB. Each buffer and each thread would hold one for the few
/// KiB it uses; without them the idle service takes 20 MB instead of 33, and an upload 14 MB more instead of 38.
pub fn without_huge_pages() {
    #[cfg(target_os = "linux")]
    if let Err(error) = nix::sys::prctl::set_thp_disable(true) {
        tracing::debug!("huge pages stay on: {error}");
    }
}

/// `mi_option_purge_delay` of mimalloc.h, which the bindings do not name.
const PURGE_DELAY: libmimalloc_sys::mi_option_t = 15;

/// Returns memory to the system as soon as it is free, not a second later. Files and pictures are of all sizes, and what
/// waits to be given back seldom fits the next one: while slides are made the process held 125 MB more than idle instead
/// of 58 (`cargo xtask bench slides-served`; docs/decisions.md#return-freed-memory-to-the-system-at-once).
#[expect(unsafe_code, reason = "mimalloc's options have no other door")]
pub fn returned_at_once() {
    // SAFETY: it must not run beside another call of itself, and runs before the first thread is started.
    unsafe { libmimalloc_sys::mi_option_set(PURGE_DELAY, 0) };
}
