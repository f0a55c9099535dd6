//! Which system calls are allowed, by seccomp: an allow-list. Everything else fails with `ENOSYS`, with which programs
//! and C libraries fall back to older calls or do without.

use std::collections::BTreeMap;

use seccompiler::SeccompCmpArgLen::Dword;
use seccompiler::SeccompCmpOp::{Eq, MaskedEq};
use seccompiler::{
    BpfProgram, Error, SeccompAction, SeccompCondition, SeccompFilter, SeccompRule, apply_filter,
};

/// Allowed with any arguments: computing, memory, threads, time, waiting, reading, and writing what is open.
const ALLOWED: &[libc::c_long] = &[
    libc::SYS_brk,
    libc::SYS_clock_getres,
    libc::SYS_clock_gettime,
    libc::SYS_clock_nanosleep,
    libc::SYS_close,
    libc::SYS_close_range,
    libc::SYS_dup,
    libc::SYS_dup3,
    libc::SYS_epoll_create1,
    libc::SYS_epoll_ctl,
    libc::SYS_epoll_pwait,
    libc::SYS_eventfd2,
    libc::SYS_execve,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_fadvise64,
    libc::SYS_fcntl,
    libc::SYS_fstat,
    libc::SYS_fstatfs,
    libc::SYS_futex,
    libc::SYS_get_mempolicy,
    libc::SYS_get_robust_list,
    libc::SYS_getcpu,
    libc::SYS_getcwd,
    libc::SYS_getdents64,
    libc::SYS_getegid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getgroups,
    libc::SYS_getpgid,
    libc::SYS_getpid,
    libc::SYS_getppid,
    libc::SYS_getpriority,
    libc::SYS_getrandom,
    libc::SYS_getresgid,
    libc::SYS_getresuid,
    libc::SYS_getrlimit,
    libc::SYS_getrusage,
    libc::SYS_gettid,
    libc::SYS_gettimeofday,
    libc::SYS_getuid,
    libc::SYS_lseek,
    libc::SYS_madvise,
    libc::SYS_membarrier,
    libc::SYS_mincore,
    libc::SYS_mlock,
    libc::SYS_mlock2,
    libc::SYS_mmap,
    libc::SYS_mprotect,
    libc::SYS_mremap,
    libc::SYS_msync,
    libc::SYS_munlock,
    libc::SYS_munmap,
    libc::SYS_nanosleep,
    libc::SYS_newfstatat,
    libc::SYS_pipe2,
    libc::SYS_ppoll,
    libc::SYS_pread64,
    libc::SYS_preadv,
    libc::SYS_preadv2,
    libc::SYS_pselect6,
    libc::SYS_pwrite64,
    libc::SYS_read,
    libc::SYS_readahead,
    libc::SYS_readlinkat,
    libc::SYS_readv,
    libc::SYS_restart_syscall,
    libc::SYS_rseq,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigpending,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_rt_sigsuspend,
    libc::SYS_rt_sigtimedwait,
    libc::SYS_sched_get_priority_max,
    libc::SYS_sched_get_priority_min,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_getparam,
    libc::SYS_sched_getscheduler,
    libc::SYS_sched_yield,
    libc::SYS_set_mempolicy,
    libc::SYS_set_robust_list,
    libc::SYS_set_tid_address,
    libc::SYS_sigaltstack,
    libc::SYS_statfs,
    libc::SYS_statx,
    libc::SYS_sysinfo,
    libc::SYS_times,
    libc::SYS_umask,
    libc::SYS_uname,
    libc::SYS_wait4,
    libc::SYS_waitid,
    libc::SYS_write,
    libc::SYS_writev,
];

/// The same, where older calls exist beside those of every architecture.
#[cfg(target_arch = "x86_64")]
const OLDER: &[libc::c_long] = &[
    libc::SYS_access,
    libc::SYS_arch_prctl,
    libc::SYS_dup2,
    libc::SYS_epoll_create,
    libc::SYS_epoll_wait,
    libc::SYS_eventfd,
    libc::SYS_getdents,
    libc::SYS_getpgrp,
    libc::SYS_lstat,
    libc::SYS_pipe,
    libc::SYS_poll,
    libc::SYS_readlink,
    libc::SYS_select,
    libc::SYS_stat,
    libc::SYS_time,
];
#[cfg(target_arch = "aarch64")]
const OLDER: &[libc::c_long] = &[];

/// Flags of `open` that change a file or make one.
const CHANGES: libc::c_int = libc::O_WRONLY | libc::O_RDWR | libc::O_CREAT | libc::O_TRUNC | libc::O_APPEND;

/// Controls of descriptors that libraries ask for; none puts input into a terminal.
#[allow(clippy::unnecessary_cast, reason = "their type differs between C libraries")]
const CONTROLS: [u64; 5] = [
    libc::FIOCLEX as u64,
    libc::FIONBIO as u64,
    libc::FIONREAD as u64,
    libc::TCGETS as u64,
    libc::TIOCGWINSZ as u64,
];

/// `prctl` names threads and memory; it must not undo what kills the process with its parent.
const PROCESS: [u64; 3] = [
    libc::PR_GET_NAME as u64,
    libc::PR_SET_NAME as u64,
    libc::PR_SET_VMA as u64,
];

/// Restricts this thread and what it executes.
pub(super) fn restrict() -> Result<(), Error> {
    apply_filter(&filter()?)
}

fn filter() -> Result<BpfProgram, Error> {
    let itself = u64::from(std::process::id());
    let reads = |flags: u8| rule(flags, MaskedEq(CHANGES as u64), 0).map(|rule| vec![rule]);
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = ALLOWED
        .iter()
        .chain(OLDER)
        .map(|call| (*call, Vec::new()))
        .collect();
    rules.insert(libc::SYS_openat, reads(2)?);
    #[cfg(target_arch = "x86_64")]
    rules.insert(libc::SYS_open, reads(1)?);
    // Threads, no processes. `clone3` hides its flags in memory and is not allowed; C libraries use `clone` then.
    let thread = libc::CLONE_THREAD as u64;
    rules.insert(libc::SYS_clone, vec![rule(0, MaskedEq(thread), thread)?]);
    rules.insert(libc::SYS_kill, vec![rule(0, Eq, itself)?]);
    rules.insert(libc::SYS_tgkill, vec![rule(0, Eq, itself)?]);
    rules.insert(libc::SYS_prlimit64, vec![rule(0, Eq, 0)?]);
    rules.insert(libc::SYS_ioctl, any_of(1, &CONTROLS)?);
    rules.insert(libc::SYS_prctl, any_of(0, &PROCESS)?);
    let refused = SeccompAction::Errno(libc::ENOSYS as u32);
    let arch = std::env::consts::ARCH.try_into()?;
    Ok(SeccompFilter::new(rules, refused, SeccompAction::Allow, arch)?.try_into()?)
}

fn any_of(argument: u8, values: &[u64]) -> Result<Vec<SeccompRule>, Error> {
    values.iter().map(|value| rule(argument, Eq, *value)).collect()
}

fn rule(argument: u8, operator: seccompiler::SeccompCmpOp, value: u64) -> Result<SeccompRule, Error> {
    let condition = SeccompCondition::new(argument, Dword, operator, value)?;
    Ok(SeccompRule::new(vec![condition])?)
}
