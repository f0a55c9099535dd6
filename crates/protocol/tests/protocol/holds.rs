//! The protocol with all its guards has the properties that are checked.

use playout_domain::submission::Transfer;

use crate::model::{Guards, Plan, Protocol};
use crate::state::Faults;
use crate::trace::{assert_holds, protocol};

/// Two of each fault that the protocol is made for.
const TWO_OF_EACH: Faults = Faults {
    crashes: 2,
    stalls: 2,
    lost_answers: 2,
    expiries: 1,
    ..Faults::NONE
};

/// Fewer of them, and those that come from the provider and from inside.
const ALL_KINDS: Faults = Faults {
    crashes: 1,
    stalls: 1,
    lost_answers: 1,
    expiries: 1,
    refusals: 1,
    failures: 1,
    missing_media: 1,
    ..Faults::NONE
};

#[test]
fn an_upload_is_out_at_most_once_after_two_crashes_two_stalls_and_two_lost_answers() {
    assert_holds("upload", protocol(Transfer::Upload, Guards::ALL, TWO_OF_EACH));
}

#[test]
fn a_pull_is_out_at_most_once_after_two_crashes_two_stalls_and_two_lost_answers() {
    assert_holds("pull", protocol(Transfer::Pull, Guards::ALL, TWO_OF_EACH));
}

#[test]
fn a_provider_that_gives_up_and_failures_inside_lead_to_no_second_upload() {
    assert_holds(
        "upload, faults of all kinds",
        protocol(Transfer::Upload, Guards::ALL, ALL_KINDS),
    );
}

#[test]
fn a_provider_that_gives_up_and_failures_inside_lead_to_no_second_pull() {
    assert_holds(
        "pull, faults of all kinds",
        protocol(Transfer::Pull, Guards::ALL, ALL_KINDS),
    );
}

#[test]
fn a_restored_database_leads_to_no_second_post() {
    let faults = Faults {
        restores: 1,
        crashes: 1,
        stalls: 1,
        lost_answers: 1,
        expiries: 1,
        ..Faults::NONE
    };
    assert_holds(
        "upload, restored",
        protocol(Transfer::Upload, Guards::ALL, faults),
    );
    assert_holds("pull, restored", protocol(Transfer::Pull, Guards::ALL, faults));
}

/// The workers go on, each with its claim, under a database that has lost it. A person may ask for the post before and again after.
#[test]
fn a_database_that_goes_back_under_running_workers_leads_to_no_second_post() {
    let faults = Faults {
        failovers: 1,
        stalls: 1,
        lost_answers: 1,
        ..Faults::NONE
    };
    for (name, transfer) in [
        ("upload, failover", Transfer::Upload),
        ("pull, failover", Transfer::Pull),
    ] {
        let model = Protocol {
            plan: Plan::LaterOrOnDemand,
            ..protocol(transfer, Guards::ALL, faults)
        };
        assert_holds(name, model);
    }
}

/// A post that is restored with a time in the future was not begun, unless a person asked for it after the copy (`guards.rs`).
#[test]
fn a_restored_post_of_the_future_goes_out_once() {
    let faults = Faults {
        restores: 1,
        crashes: 1,
        lost_answers: 1,
        ..Faults::NONE
    };
    let planned = Protocol {
        plan: Plan::Later,
        ..protocol(Transfer::Upload, Guards::ALL, faults)
    };
    assert_holds("upload, planned, restored", planned);
}

/// The whole space of smaller protocols, as a check of the reductions of the larger ones.
#[test]
fn what_holds_in_the_reduced_space_holds_in_the_whole() {
    let [upload, pull] = [(1, 1), (0, 0)].map(|(crashes, expiries)| Faults {
        crashes,
        expiries,
        stalls: 1,
        lost_answers: 1 - crashes,
        ..Faults::NONE
    });
    for (name, transfer, faults) in [
        ("upload, not reduced", Transfer::Upload, upload),
        ("pull, not reduced", Transfer::Pull, pull),
    ] {
        let whole = Protocol {
            is_reduced: false,
            ..protocol(transfer, Guards::ALL, faults)
        };
        assert_holds(name, whole);
    }
}
