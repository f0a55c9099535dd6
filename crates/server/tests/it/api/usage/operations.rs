//! What each operation that changes something uses of the plan, and the test in which nothing of it is left.

use std::collections::BTreeSet;

use playout_server::api::openapi::{PREFIX, document};
use serde_json::Value;

use crate::api::coverage::assert_tests_exist;

const POSTS: &str = "post_limit_reached";
const STORAGE: &str = "storage_limit_reached";
const CREDITS: &str = "insufficient_credits";

/// The operations that use something of the plan: the code of the rejection, and its test.
const USES: [(&str, &str, &str); 10] = [
    (
        "createPost",
        POSTS,
        "api::post_cap::the_free_plan_takes_thirty_posts_a_month",
    ),
    (
        "createPosts",
        POSTS,
        "api::post_batches::the_months_posts_are_given_out_in_order_and_exactly",
    ),
    (
        "publishPost",
        POSTS,
        "api::usage::every_refusal_for_want_of_room_says_how_much_there_is",
    ),
    (
        "schedulePost",
        POSTS,
        "api::usage::every_refusal_for_want_of_room_says_how_much_there_is",
    ),
    (
        "uploadMedia",
        STORAGE,
        "api::upload_limits::what_exceeds_the_plans_storage_is_refused_and_leaves_nothing",
    ),
    (
        "createUpload",
        STORAGE,
        "api::tus::refusals::storage_is_counted_when_an_upload_begins_and_given_back_when_it_ends",
    ),
    (
        "importMedia",
        STORAGE,
        "api::usage::an_import_without_room_for_a_byte_is_refused_before_it_begins",
    ),
    (
        "compositeSlides",
        STORAGE,
        "api::slides::slides_that_do_not_fit_the_storage_are_not_kept",
    ),
    (
        "compositeSlides",
        CREDITS,
        "api::slides::what_slides_cost_is_spent_with_them_and_never_more_than_there_is",
    ),
    (
        "proposeCaptions",
        CREDITS,
        "api::slide_captions::who_has_no_credits_left_is_refused_before_the_model_is_asked",
    ),
];

/// The operations that are never rejected as a whole because the plan is used up. A resumable upload is counted when it begins, and a batch has
/// the code in its results.
const NEVER_REJECTED: [&str; 15] = [
    "appendToUpload",
    "createFolder",
    "createPosts",
    "createWebhook",
    "markPostPublished",
    "previewSlide",
    "redeliver",
    "renameFolder",
    "rotateWebhookSecret",
    "testWebhook",
    "unschedulePost",
    "updateMedia",
    "updatePost",
    "updateWebhook",
    "validatePost",
];

/// Each operation that changes something, and the code with which the reference says that the plan is used up; without one where it
/// says so of none.
fn described() -> BTreeSet<(&'static str, Option<&'static str>)> {
    let paths = document()["paths"].as_object().unwrap().iter();
    let public = paths.filter(|(path, _)| path.starts_with(PREFIX));
    let methods = public.flat_map(|(_, methods)| methods.as_object().unwrap());
    let changing = methods.filter(|(method, _)| !["get", "head", "delete"].contains(&method.as_str()));
    let codes_of = |operation: &'static Value| {
        let codes = operation["x-error-codes"].as_array().into_iter().flatten();
        let of_plans = codes.filter_map(|code| {
            let code = code.as_str().unwrap();
            [POSTS, STORAGE, CREDITS].contains(&code).then_some(Some(code))
        });
        let codes: Vec<_> = of_plans.collect();
        if codes.is_empty() { vec![None] } else { codes }
    };
    let described = changing.flat_map(|(_, operation)| {
        let id = operation["operationId"].as_str().unwrap();
        codes_of(operation).into_iter().map(move |code| (id, code))
    });
    described.collect()
}

#[test]
fn every_operation_that_changes_something_is_tried_without_room() {
    let in_errors = USES
        .iter()
        .filter(|(operation, ..)| !NEVER_REJECTED.contains(operation));
    let uses = in_errors.map(|(operation, code, _)| (*operation, Some(*code)));
    let never_rejected = NEVER_REJECTED.map(|operation| (operation, None));
    assert_eq!(
        described(),
        uses.chain(never_rejected).collect(),
        "left: the reference, right: the tables"
    );
    assert_tests_exist(USES.iter().map(|(.., test)| *test));
}
