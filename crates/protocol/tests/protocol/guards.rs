//! Each guard matters: without it, the checker finds the second publication.

use playout_domain::submission::Transfer;

use crate::model::*;
use crate::state::*;
use crate::trace::*;

const F: Faults = Faults { crashes: 1, stalls: 1, lost_answers: 1, expiries: 1, ..Faults::NONE };
fn w(name: &str, guards: Guards, f: Faults) { find_violation(name, protocol(Transfer::Upload, guards, f), NEVER_TWICE); }
#[test] fn b_before() { w("before", Guards { fence: Fence::ReadOnly, asks_before_beginning_again: false, mark_reports_what_was_there: false, ..Guards::ALL }, F) }
#[test] fn c_lock() { w("lock", Guards { fence: Fence::ReadOnly, ..Guards::ALL }, F) }
#[test] fn d_asks() { w("asks", Guards { asks_before_beginning_again: false, ..Guards::ALL }, F) }
#[test] fn e_none() { w("none", Guards { fence: Fence::None, ..Guards::ALL }, F) }
#[test] fn f_last() { w("last", Guards { last_chunk_is_fenced: false, ..Guards::ALL }, F) }
#[test] fn g_hold() { w("hold", Guards { holds_after_restore: false, ..Guards::ALL }, Faults { restores: 1, ..Faults::NONE }) }
#[test] fn i_fetch() { find_violation("fetches", protocol(Transfer::Pull, Guards { holds_fetches: false, ..Guards::ALL }, Faults { restores: 1, crashes: 1, stalls: 0, lost_answers: 1, ..Faults::NONE }), NEVER_TWICE); }
#[test] fn j_now() { find_violation("now", Protocol { plan: Plan::LaterOrOnDemand, ..protocol(Transfer::Upload, Guards::ALL, Faults { restores: 1, ..Faults::NONE })}, NEVER_TWICE); }
#[test] fn h_mark() { w("mark", Guards { mark_reports_what_was_there: false, ..Guards::ALL }, F) }
