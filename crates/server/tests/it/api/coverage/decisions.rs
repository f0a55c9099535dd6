//! What was decided where the specification is silent, and what was added to it, as far as `/public/v1` goes.

use super::{Proof, Row, Section, proof, sections};

/// The decisions by subject.
pub(super) const SECTIONS: &[Section] = sections! {
"Conventions" {
    "Field names are camelCase." => [api::shapes::the_shapes_of_all_answers_are_those_that_clients_know]
    "IDs are UUIDv7 in lower case." => [api::values::identifiers_are_uuids_of_version_7_and_times_are_in_utc_with_milliseconds]
    "Timestamps go out in RFC 3339, UTC, with milliseconds and `Z`." => [api::values::identifiers_are_uuids_of_version_7_and_times_are_in_utc_with_milliseconds, api::posts::times_come_back_in_utc_with_milliseconds]
    "Timestamps come in with an explicit offset; without one: `invalid_request`." => [api::post_requests::a_scheduled_time_carries_an_offset, api::post_list::wrong_parameters_are_all_named, domain::time::tests::a_time_without_an_offset_is_refused_rather_than_guessed]
    "An optional field accepts `null` as absent; answers carry every field of a resource, `null` where empty." => [api::bodies::unknown_fields_are_ignored_and_null_is_absent, api::post_edits::what_is_absent_null_or_unknown_changes_nothing, api::shapes::the_shapes_of_all_answers_are_those_that_clients_know]
    "Unknown body fields are ignored." => [api::bodies::unknown_fields_are_ignored_and_null_is_absent]
    "Order of checks: the key, then the rate limit, then everything else." => [api::conventions::the_key_is_checked_before_anything_else, api::rate_limits::the_limit_comes_after_the_key_and_before_everything_else]
    "Then content type, size and syntax of the body, then its fields: all problems at once." => [api::bodies::the_content_type_is_judged_before_the_size_and_the_size_before_the_syntax, api::bodies::a_body_is_read_before_the_id_in_the_path_is_judged, api::post_requests::all_problems_come_at_once_in_document_order]
    "Then what does not exist, then the plan's limits." => [api::usage::what_is_wrong_or_missing_is_said_before_that_the_plan_is_used_up, api::post_changes::a_new_time_has_the_limits_of_any_time]
    "Every answer carries `x-request-id`; one that comes in is kept when it is 1–128 of `[A-Za-z0-9._-]`." => [api::conventions::every_answer_carries_a_request_id, api::conventions::a_fit_request_id_is_kept_and_another_replaced]
    "HEAD works where GET does." => [api::conventions::head_answers_as_get_without_the_body, api::manners::head_answers_as_get_does_everywhere]
    "CORS is open for `/public/v1`, without cookies, and closed elsewhere; a preflight needs no key." => [api::conventions::a_preflight_needs_no_key_and_is_answered_for_the_public_api_alone, api::conventions::answers_of_the_public_api_can_be_read_by_pages_of_other_origins]
    "JSON bodies may have 1 MiB, uploads the plan's file size." => [api::bodies::a_body_over_one_mebibyte_is_refused, api::uploads::a_video_larger_than_the_plan_allows_is_too_large]
    "Answers are compressed (gzip, br, zstd) on request, media excepted." => [api::conventions::answers_are_compressed_on_request, api::conventions::media_are_never_compressed]
    "Within v1 changes only add: the shape of every answer is a committed file. (Nothing is retired yet, so nothing carries `Deprecation` or `Sunset`.)" => [api::shapes::the_shapes_of_all_answers_are_those_that_clients_know, server::api::openapi::tests::the_committed_document_is_the_one_that_is_served]
    "Bodiless POSTs need no content type." => [api::post_publish::a_draft_goes_out_at_once_whatever_its_date]
    "MB is 10⁶ bytes." => [api::usage::usage_shows_every_limit_of_the_plan, api::uploads::an_image_over_twenty_megabytes_is_too_large]
}
"Errors" {
    "Errors are JSON, also for unknown routes, panics, timeouts and oversized bodies." => [api::conventions::unknown_paths_answer_in_json, api::manners::a_panic_is_answered_in_json_and_logged_with_its_request, api::manners::a_body_that_never_ends_is_given_up_after_half_a_minute, api::bodies::a_body_over_one_mebibyte_is_refused]
    "`details` of a validation is an array of `{ path, message }` in document order; array positions are integers." => [api::post_requests::all_problems_come_at_once_in_document_order, api::post_requests::missing_media_come_in_document_order]
    "400 `invalid_json`: the body is not JSON" => [api::bodies::a_body_that_is_not_json_is_refused, api::bodies::nesting_without_end_is_refused_and_harms_nobody, api::manners::a_name_that_is_there_twice_is_refused_wherever_it_is]
    "400 `invalid_request`: body, query or path fails validation, a malformed UUID in a path too" => [api::bodies::ids_in_paths_must_be_uuids, api::post_list::wrong_parameters_are_all_named, api::manners::a_parameter_that_is_not_repeatable_is_given_once]
    "400 `invalid_media_file`: missing, empty, unreadable, of an unsupported type, or the bytes contradict the declared type" => [api::uploads::a_form_without_a_file_is_refused, api::uploads::files_of_other_types_are_refused, api::uploads::claims_that_the_bytes_contradict_are_refused]
    "401 with `WWW-Authenticate: Bearer`. No Bearer header, or an empty one: missing" => [api::conventions::without_a_bearer_key_the_key_is_missing]
    "401: unknown, malformed, revoked or expired: invalid" => [api::conventions::a_key_that_was_never_issued_is_invalid, api::conventions::a_revoked_key_ends_at_once, api::conventions::a_key_ends_at_the_instant_it_expires]
    "404 `platform_not_found`, `post_not_found`, `media_not_found`, `folder_not_found`, `not_found`: another workspace's resource is indistinguishable from one that never existed" => [api::isolation::what_is_foreign_looks_like_what_never_was, api::conventions::unknown_paths_answer_in_json]
    "405 `method_not_allowed` with `Allow`" => [api::manners::every_path_refuses_the_methods_it_does_not_have, api::conventions::methods_that_a_path_does_not_have_are_refused_with_allow]
    "408 `request_timeout`: a request that is not whole after half a minute" => [api::manners::a_body_that_never_ends_is_given_up_after_half_a_minute]
    "409 `post_limit_reached`: nothing is created" => [api::post_cap::a_request_that_does_not_fit_whole_creates_nothing]
    "409 `storage_limit_reached`" => [api::uploads::what_exceeds_the_plans_storage_is_refused_and_leaves_nothing, api::uploads::the_storage_limit_holds_when_many_upload_at_once]
    "409 `post_not_reschedulable`: PUBLISHED, or being handed to the provider right now" => [api::post_changes::a_published_post_gets_no_new_time, api::post_changes::a_post_that_is_being_handed_over_is_left_alone]
    "409 `post_publishing`: deleted while being handed to the provider" => [api::post_changes::a_post_that_is_being_handed_over_is_left_alone, engine::scheduling::a_post_that_the_provider_processes_is_neither_moved_nor_deleted]
    "409 `post_not_editable`" => [api::post_edits::only_drafts_and_queued_posts_can_be_changed, api::post_edits::a_post_that_is_being_handed_over_is_left_alone]
    "409 `post_not_publishable`" => [api::post_publish::what_is_queued_or_out_is_not_published_again]
    "409 `media_in_use`: a DRAFT or QUEUE post needs it" => [api::media_objects::media_that_posts_still_need_are_kept]
    "409 `idempotency_in_progress`; 422 `idempotency_key_reused`" => [api::idempotency::a_request_that_runs_is_waited_for_and_a_dead_one_taken_over, api::idempotency::another_request_with_the_same_key_is_refused]
    "413 `payload_too_large`, `media_too_large`" => [api::bodies::a_body_over_one_mebibyte_is_refused, api::uploads::an_image_over_twenty_megabytes_is_too_large, api::uploads::a_video_larger_than_the_plan_allows_is_too_large]
    "415 `unsupported_media_type`: the request's content type, not the file's" => [api::bodies::only_json_content_types_are_read, api::uploads::a_form_without_a_file_is_refused]
    "429 `rate_limited` with `Retry-After`" => [api::rate_limits::a_burst_is_let_through_and_then_what_the_rate_allows, api::rate_limits::after_retry_after_the_next_call_is_let_through]
    "500 `internal_error`: never with internals in the message" => [api::health::a_fault_of_ours_says_nothing_of_our_inside, api::manners::a_panic_is_answered_in_json_and_logged_with_its_request]
    "409 `insufficient_credits`, 503 `captions_unavailable`" => ("POST /public/v1/slides/captions": "slides and captions, which cost credits")
}
"Rate limits" {
    "Per key, a token bucket: 120 requests a minute with a burst of 60 unless configured." => [api::config::the_defaults_are_those_of_the_contract, api::rate_limits::a_burst_is_let_through_and_then_what_the_rate_allows, api::rate_limits::each_key_has_its_own, api::rate_limits::of_many_at_once_exactly_the_burst_is_let_through]
    "Plans may have a rate of their own; `off` limits nobody." => [api::rate_limits::a_plan_may_have_a_rate_of_its_own, api::rate_limits::off_limits_nobody_and_says_nothing]
    "Every answer of `/public/v1` carries `RateLimit-Policy` and `RateLimit`." => [api::rate_limits::every_kind_of_answer_says_what_is_left, api::rate_limits::pages_of_other_origins_can_read_the_headers]
}
"Idempotency" {
    "`POST /posts` and `POST /media` accept `Idempotency-Key` (1–255 visible ASCII characters); so do creating folders and publishing." => [api::idempotency::a_key_has_one_to_255_visible_characters, api::idempotency::a_folder_is_made_once, api::idempotency::publishing_is_asked_for_once, api::idempotency::an_upload_sent_again_leaves_nothing_behind_and_counts_once]
    "For 24 hours the same key in the same workspace with the same request replays the stored answer (`Idempotency-Replayed: true`)." => [api::idempotency::the_same_request_is_answered_byte_for_byte_and_done_once, api::idempotency::a_key_is_good_for_a_day, api::idempotency::a_key_belongs_to_its_workspace]
    "The work is done once, also across a restart and across nodes." => [api::idempotency::of_many_at_once_one_is_done, api::idempotency::another_node_and_a_later_process_answer_the_same, crash::once::a_request_is_done_once_although_the_process_dies_on_sqlite, crash::once::a_request_is_done_once_although_the_process_dies_on_postgres]
    "A 5xx, a 429 and a refusal for want of quota are not stored." => [api::idempotency::work_that_failed_inside_or_panicked_can_be_tried_again, api::idempotency::a_request_that_came_too_often_is_not_kept, api::idempotency::a_quota_refusal_is_not_kept, api::idempotency::a_refusal_is_not_kept_and_frees_the_key]
    "Parsed fields and hashes of files are compared, not bytes." => [api::idempotency::a_request_says_the_same_however_it_is_written, wire::same::tests::what_is_written_otherwise_says_the_same, wire::same::tests::every_field_matters]
}
"Pages" {
    "`limit` is 1–1000, 1000 unless given; `cursor` is opaque; `nextCursor` is a string or null." => [api::post_list::wrong_parameters_are_all_named, api::post_list::a_page_that_ends_the_list_has_no_next, api::media::wrong_filters_are_all_named]
    "A page never repeats or skips a row because rows were added meanwhile." => [api::post_list::pages_neither_repeat_nor_skip_while_posts_are_added, api::media::pages_neither_repeat_nor_skip_while_others_upload]
}
"Platforms" {
    "`provider` is `tiktok`, `providerName` is `TikTok`." => [api::platforms::a_platform_has_every_field_of_the_contract]
    "`capabilities`: any of `video`, `photos`, `direct_post`, `inbox_draft`, `comments`." => [api::platforms::a_platform_has_every_field_of_the_contract, api::platforms::an_account_that_grants_less_can_do_less, api::post_settings::an_account_that_can_comment_says_so_and_takes_text_alone]
    "`metadata` is what the provider said: names, privacy options, what is disabled, the longest video, when, scopes." => [api::platforms::a_platform_has_every_field_of_the_contract, api::platforms::the_accounts_own_options_show_in_the_schema, api::platforms::what_the_account_forbids_is_off_and_says_why]
    "`settings` are the account's defaults; a post's own `settings` override them." => [api::platforms::the_accounts_defaults_show_as_defaults, api::post_settings::a_posts_own_settings_override_the_accounts]
    "List order: `displayName`, then `id`." => [api::platforms::connected_accounts_are_listed_by_name, api::platforms::accounts_of_one_name_are_listed_by_id]
    "A platform becomes `refreshNeeded` when its refresh token is refused, expired or revoked, or the user removed the app." => [engine::errors::a_refused_renewal_of_tokens_has_its_ending, engine::tokens::a_dead_grant_stops_the_account_and_reconnecting_brings_back_only_what_waited_for_it, engine::tokens::a_removed_grant_is_noticed_before_the_next_post]
    "Reconnecting the same provider account clears it and keeps the ID." => [api::platforms::accounts_that_must_reconnect_are_left_out_until_they_have]
}
"Schema of the short-video provider" {
    "`content`: required, at most 2200 UTF-16 code units." => [api::platforms::the_schema_is_the_contracts, api::posts::a_caption_that_is_too_long_is_invalid_content]
    "`media`: one video or 1–35 images, not mixed; `rules` state every other limit in short sentences." => [api::platforms::the_schema_is_the_contracts, api::posts::media_that_the_provider_does_not_take_are_invalid_media, api::posts::a_video_outside_the_providers_limits_is_named_with_every_problem]
    "`comments` follow from the account's capabilities; they carry no media." => [api::platforms::the_schema_is_the_contracts, api::post_settings::an_account_that_can_comment_says_so_and_takes_text_alone, engine::comments::a_creators_account_takes_no_comments]
    "`settings.fields`: the descriptors `{ name, type, required, default, enum?, description, appliesTo?, maxLength?, minimum?, maximum? }`, twelve fields." => [api::platforms::the_schema_is_the_contracts, tiktok::schema::tests::the_schema_is_the_table_of_the_contract]
    "`privacy_level`: the account's own options; default the account's chosen one, else `SELF_ONLY`." => [api::platforms::the_accounts_own_options_show_in_the_schema, api::platforms::the_accounts_defaults_show_as_defaults, api::post_settings::without_any_setting_a_post_is_for_its_creator_alone]
    "`post_mode`: `DIRECT_POST`, or `MEDIA_UPLOAD` into the creator's inbox." => [engine::inbox::photos_go_to_the_inbox_with_their_texts, api::platforms::an_account_that_grants_less_can_do_less]
    "`title` (90, images only), covers inside the post, switches that are switches." => [api::posts::settings_are_judged_by_the_accounts_schema, tiktok::validate::tests::a_photo_title_has_at_most_90_units, tiktok::validate::tests::covers_must_lie_inside_the_post]
    "`allow_comment`, `allow_duet`, `allow_stitch`: forced off, with the reason, where the account forbids it." => [api::platforms::what_the_account_forbids_is_off_and_says_why]
    "Branded content cannot be `SELF_ONLY`." => [api::posts::settings_are_judged_by_the_accounts_schema, tiktok::validate::tests::branded_content_cannot_be_private_not_even_by_default]
    "Settings are validated when a post is created (of a draft only the types)." => [api::posts::settings_are_judged_by_the_accounts_schema, api::posts::drafts_are_lenient_but_for_types]
    "They are validated again right before publishing, by options asked afresh." => [api::post_settings::options_that_went_meanwhile_are_noticed_right_before_publishing]
    "Unknown `settings` keys are kept and ignored." => [api::posts::a_null_setting_is_absent_and_an_unknown_one_ignored]
}
"Media" {
    "Upload: 201. The type comes from the bytes." => [api::uploads::a_photo_has_every_field_of_the_contract, api::uploads::each_of_the_five_types_is_known_by_its_bytes]
    "Bytes are streamed, hashed and probed; memory stays flat whatever the size." => [media::intake::tests::all_bytes_are_written_in_full_parts_and_hashed_however_they_come, media::intake::tests::no_more_parts_are_written_at_once_than_there_is_memory_for, api::uploads::an_endless_text_part_costs_no_memory_and_is_cut]
    "A declared `mimeType` that contradicts the bytes is `invalid_media_file`." => [api::uploads::claims_that_the_bytes_contradict_are_refused]
    "The order of form parts does not matter. Unknown `folderId`: `folder_not_found`." => [api::uploads::the_parts_may_come_in_any_order, api::uploads::a_folder_must_be_the_workspaces_own]
    "Images have at most 20 MB and 1–8192 px a side; videos what the plan allows." => [api::uploads::an_image_over_twenty_megabytes_is_too_large, api::uploads::an_image_has_at_most_8192_pixels_a_side, api::uploads::a_video_larger_than_the_plan_allows_is_too_large]
    "The provider's own limits are checked when a post is created, not at upload." => [api::posts::a_video_outside_the_providers_limits_is_named_with_every_problem]
    "`publicUrl` is public and unguessable (128 random bits in `storageKey`)." => [api::uploads::a_photo_has_every_field_of_the_contract, api::media::unknown_files_are_not_found]
    "It supports `Range`, `ETag`, `If-None-Match`, `If-Range` and `HEAD`." => [api::media::a_range_is_a_part_of_the_file, api::media::ranges_that_cannot_be_read_are_ignored_and_those_outside_refused, api::media::a_file_already_known_is_not_sent_again, api::media::a_range_of_another_version_is_the_whole_file, api::media::head_tells_of_the_whole_file]
    "It is served with the sniffed type, `nosniff`, a sandboxing CSP, and for a year as immutable." => [api::media::a_file_is_public_and_safe_to_embed]
    "`previewUrl`: a WebP at most 480 px wide; for a video its poster frame." => [api::media::a_preview_is_a_webp_at_most_480_wide, media::videos::with_ffmpeg_a_video_shows_a_frame_of_itself_upright]
    "`thumbnailMetadata`: size, size of the preview, blurhash, duration, codecs, frame rate; null where they do not apply." => [api::uploads::a_photo_has_every_field_of_the_contract, api::uploads::each_of_the_five_types_is_known_by_its_bytes, api::uploads::turned_media_are_measured_as_they_are_seen]
    "List order: newest first. `folderId=null` is the root; no `folderId` is everything." => [api::media::media_are_listed_newest_first, api::media::media_are_filtered_by_folder_and_type]
    "Added: `GET /media/{id}`" => [api::media_objects::a_media_object_is_read_as_it_was_uploaded]
    "Added: `PATCH /media/{id}` (`fileName`, `folderId`); `folderId: null` or `\"null\"` is the root." => [api::media_objects::a_media_object_is_renamed_and_moved_and_the_rest_stays, api::media_objects::a_wrong_change_says_where_and_changes_nothing]
    "Added: `DELETE /media/{id}` 204" => [api::media_objects::deleting_takes_the_files_and_gives_the_storage_back]
}
"Resumable uploads" {
    "tus 1.0 at `/public/v1/media/uploads`: creation with `POST /media/uploads`" => [api::tus::an_upload_can_begin_with_its_first_bytes_or_all_of_them, api::tus::refusals::a_creation_that_cannot_be_read_is_refused_with_all_its_problems]
    "`HEAD /media/uploads/{id}` says where it stands; `PATCH /media/uploads/{id}` goes on from there, else `upload_offset_conflict` or `upload_locked`." => [api::tus::a_video_in_three_parts_becomes_ready_with_the_last, api::tus::cuts::what_arrived_before_a_cut_is_kept_and_the_rest_can_follow, api::tus::refusals::bytes_must_come_as_bytes_and_where_the_upload_stands, api::tus::cuts::a_silent_connection_gives_way_to_the_client_that_comes_back, api::tus::cuts::of_requests_at_the_same_time_one_wins_and_the_others_change_nothing]
    "Termination: `DELETE /media/uploads/{id}`" => [api::tus::ends::an_upload_that_is_given_up_leaves_nothing]
    "Checksums, else `checksum_mismatch`; the version, else `unsupported_tus_version`" => [api::tus::refusals::bytes_with_a_wrong_checksum_are_thrown_away, api::tus::every_answer_names_the_version_and_other_versions_are_refused]
    "PENDING media become READY, with `finalizedAt`, when the last byte is in and checked." => [api::tus::a_video_in_three_parts_becomes_ready_with_the_last, crash::uploads::killed_at_any_point_an_upload_goes_on_or_is_finished_on_sqlite, crash::uploads::killed_at_any_point_an_upload_goes_on_or_is_finished_on_postgres]
    "What is not finished is removed after 24 hours." => [api::tus::ends::an_upload_ends_after_a_day_and_is_swept_out]
    "An upload's ID is its media ID; its URLs answer 404 until READY." => [api::tus::a_video_in_three_parts_becomes_ready_with_the_last, api::tus::refusals::pending_media_are_seen_by_nobody_and_go_into_no_post]
}
"Folders" {
    "`POST /media/folders` `{ name }` → 201: 1–255 characters, trimmed." => [api::folders::a_folder_is_made_renamed_and_listed_by_name, api::folders::a_name_has_from_1_to_255_characters]
    "Names are unique in the workspace ignoring case, else `invalid_request`." => [api::folders::names_are_unique_ignoring_case, api::folders::of_many_at_once_with_one_name_one_is_made]
    "Added: `PATCH /media/folders/{id}`" => [api::folders::a_folder_is_made_renamed_and_listed_by_name]
    "Added: `DELETE /media/folders/{id}` 204, its media move to the root" => [api::folders::a_deleted_folders_media_move_to_the_root]
}
"Creating posts" {
    "201 when at least one platform was `created`, else 200; `results` in the order of `platformIds`." => [api::posts::platforms_succeed_and_fail_each_by_itself_in_the_order_asked]
    "Duplicate platform IDs: `invalid_request`." => [api::post_requests::platform_ids_are_one_or_more_and_none_twice]
    "A failed entry is `{ platformId, status: \"failed\", error: { code, message, details? } }`: `invalid_content`, `invalid_media`, `invalid_settings`, `comments_not_supported`, or that the platform is not found." => [api::posts::a_caption_that_is_too_long_is_invalid_content, api::posts::media_that_the_provider_does_not_take_are_invalid_media, api::posts::settings_are_judged_by_the_accounts_schema, api::posts::comments_fail_where_the_account_takes_none, api::posts::accounts_that_cannot_be_posted_to_are_not_found]
    "Its `details` list all its problems." => [api::posts::the_details_of_a_failure_list_all_its_problems]
    "Unknown media, or media that are not READY, are `invalid_request` at their place, and nothing is created." => [api::post_requests::media_must_exist_and_each_that_does_not_is_named, api::tus::refusals::pending_media_are_seen_by_nobody_and_go_into_no_post]
    "`scheduledFor` is at most 5 minutes past and 2 years ahead." => [api::post_requests::a_scheduled_time_is_at_most_five_minutes_past_and_two_years_ahead]
    "At most 10 comments." => [api::post_requests::at_most_ten_comments_are_taken]
    "`now` ignores `scheduledFor`, which must be a time all the same; `draft` keeps it as the planned date." => [api::post_requests::now_ignores_when_and_a_draft_reads_it_but_both_want_a_time, api::posts::each_mode_leads_to_its_state]
    "Drafts are lenient but for types." => [api::posts::drafts_are_lenient_but_for_types]
    "Drafts accept comments; queueing them where unsupported fails." => [api::posts::drafts_are_lenient_but_for_types, api::post_changes::a_draft_that_is_not_publishable_says_why_and_stays]
    "`groupId` is one per root; every child's `parentPostId` is the root." => [api::posts::each_platform_gets_a_group_of_its_own, api::posts::a_created_post_has_every_field_of_the_contract]
}
"The monthly cap" {
    "Each root post that enters QUEUE counts once, in the calendar month (UTC) in which it enters; drafts and comments do not." => [api::post_cap::drafts_do_not_count_until_they_are_queued, api::post_cap::a_new_month_begins_at_midnight_utc, api::post_cap::comments_do_not_count, api::post_cap::platforms_that_fail_cost_nothing]
    "A post deleted before publishing gives its count back, within its month." => [api::post_cap::a_post_deleted_before_it_is_out_gives_its_count_back, api::post_cap::a_new_month_begins_at_midnight_utc, store::tests::group_changes::a_count_is_given_back_only_in_its_month_and_before_publishing]
    "Requeueing an ERROR post does not count it again." => [api::post_cap::queueing_again_does_not_count_again]
    "If the whole request does not fit, nothing is created." => [api::post_cap::a_request_that_does_not_fit_whole_creates_nothing]
    "Exact under concurrency." => [api::post_cap::a_hundred_at_once_against_a_cap_of_ten_make_exactly_ten, api::post_cap::the_last_post_of_the_month_goes_to_one_of_those_who_race_for_it, api::post_cap::one_draft_that_is_published_and_scheduled_at_once_counts_once, api::post_cap::creating_and_deleting_at_once_loses_no_count]
}
"States of a post" {
    "`draft` → DRAFT; `now` and `schedule` → QUEUE; DRAFT → QUEUE by a new time" => [api::posts::each_mode_leads_to_its_state, api::post_changes::a_draft_that_gets_a_time_is_queued]
    "QUEUE → PUBLISHED" => [engine::publishing::a_video_goes_out_once_and_gets_its_address, engine::publishing::a_slideshow_goes_out_once_with_photos_cut_to_size]
    "QUEUE → ERROR: final, `errorText` says why; every error of the provider has its ending" => [engine::errors::every_entry_of_the_error_table_is_provoked_by_a_test, engine::errors::every_fail_reason_has_its_ending, engine::errors::a_refused_handover_has_its_ending]
    "QUEUE → ACTION_REQUIRED: the account needs reconnecting; reconnecting requeues the posts that wait for it, and only those" => [engine::tokens::a_dead_grant_stops_the_account_and_reconnecting_brings_back_only_what_waited_for_it]
    "QUEUE → ACTION_REQUIRED: it waits in the creator's inbox; → PUBLISHED when the creator finished it" => [engine::inbox::a_video_finished_by_the_creator_is_published_when_the_provider_says_so, engine::inbox::a_video_finished_by_the_creator_is_found_by_asking_when_nothing_is_told]
    "QUEUE → ACTION_REQUIRED: unknown whether the provider accepted it, and only a person can tell" => [engine::at_most_once::a_fetched_post_that_nothing_tells_of_waits_for_a_person]
    "A disabled or removed account's due posts become ACTION_REQUIRED." => [engine::tokens::a_post_of_a_disabled_account_waits_for_a_person, engine::tokens::a_post_of_a_removed_account_waits_for_a_person]
    "ERROR and ACTION_REQUIRED → QUEUE by a new time" => [engine::scheduling::a_post_in_error_goes_again_when_it_is_given_a_time, engine::scheduling::an_unknown_post_goes_again_when_a_person_says_so]
    "Transient faults are retried with backoff within 24 hours, in QUEUE; then ERROR." => [engine::unclear::questions_without_a_clear_answer_are_asked_again, engine::unclear::a_provider_that_cannot_be_reached_for_a_day_ends_in_error, domain::job::tests::a_retry_is_always_later_within_its_bounds_and_before_the_deadline]
    "Daily caps wait in QUEUE up to 24 hours, then ERROR." => [engine::unclear::a_daily_cap_is_waited_for_and_then_the_post_goes_out, engine::inbox::an_inbox_that_stays_full_for_a_day_ends_in_error]
    "A provider that processes beyond the polling window is unknown: never ERROR, never posted again by itself." => [engine::at_most_once::a_post_that_is_processed_for_ever_is_unknown_and_known_when_the_news_comes_at_last, engine::at_most_once::a_pulled_post_that_is_processed_for_ever_is_never_handed_over_again]
    "`scheduledFor` is null for `now`." => [api::posts::each_mode_leads_to_its_state, api::post_publish::a_draft_goes_out_at_once_whatever_its_date]
    "`releaseId` and `releaseUrl` are null until the provider reveals them." => [engine::links::asking_finds_the_address_once_moderation_is_over, engine::links::a_private_post_never_gets_an_address_and_nobody_asks_for_one, engine::links::a_post_whose_id_is_never_told_stays_published_without_one]
    "Never twice for the same post: a crash at any instant leads to a correct state, not to a duplicate." => [crash::points::an_upload_survives_death_at_every_point_on_sqlite, crash::points::an_upload_survives_death_on_postgres, crash::points::pulled_photos_survive_death_at_every_point_on_sqlite, crash::points::a_pulled_video_survives_death_at_every_point_on_sqlite, crash::random::of_posts_killed_two_hundred_times_none_goes_out_twice_and_none_is_lost]
    "A submission is repeated by itself only when nothing can have been posted." => [engine::unclear::a_handover_without_a_clear_answer_goes_out_once, engine::unclear::bytes_without_a_clear_answer_go_out_once, engine::at_most_once::photos_whose_answer_was_lost_before_a_fetch_are_submitted_again, engine::at_most_once::fetched_photos_whose_answer_was_lost_are_found_among_the_recent_posts]
    "Publishing never begins before `scheduledFor`, and begins at it. (By the test's clock; how late under load is measured, not tested.)" => [engine::scheduling::a_post_goes_out_at_its_time_and_not_a_microsecond_before, engine::scheduling::an_account_with_two_hundred_due_posts_does_not_keep_another_waiting]
}
"Reading, changing and deleting posts" {
    "`GET /posts`: by effective date in `[startDate, endDate)`, which is `scheduledFor`, else `createdAt`; then by `id`." => [api::post_list::posts_are_listed_by_effective_date, api::post_list::the_range_holds_its_start_and_not_its_end, api::post_list::posts_of_one_instant_are_listed_by_id]
    "Added filters: `state` (repeatable), `platformId`, `q`. `startDate >= endDate`: `invalid_request`." => [api::post_list::posts_are_filtered_by_state_account_and_text, api::post_list::wrong_parameters_are_all_named]
    "`GET /posts/{id}` with a child's ID answers its whole group; changing or deleting by one acts on the group." => [api::post_changes::a_group_is_read_by_the_id_of_any_of_its_posts, api::post_changes::deleting_any_post_deletes_its_group, api::post_changes::a_comments_id_reschedules_its_group, api::post_edits::comments_are_replaced_as_a_whole_by_the_id_of_any_post]
    "`PATCH /posts/{id}/schedule` on DRAFT, QUEUE, ERROR, ACTION_REQUIRED → QUEUE, after full validation." => [api::post_changes::a_draft_that_gets_a_time_is_queued, api::post_changes::a_draft_that_is_not_publishable_says_why_and_stays, api::post_changes::a_refused_post_may_be_tried_again, store::tests::group_changes::an_action_required_post_can_be_queued_again]
    "Added: `PATCH /posts/{id}` (`content`, `mediaIds`, `settings`, `comments`) while DRAFT or QUEUE" => [api::post_edits::each_part_changes_by_itself_and_the_rest_stays, api::post_edits::only_drafts_and_queued_posts_can_be_changed, api::post_edits::whatever_an_edit_was_answered_is_what_goes_out]
    "Added: `POST /posts/{id}/publish` (DRAFT, ERROR, ACTION_REQUIRED → now)" => [api::post_publish::a_draft_goes_out_at_once_whatever_its_date, api::post_publish::a_post_that_failed_is_tried_anew_and_both_tries_are_listed, api::post_publish::a_post_in_the_creators_inbox_can_be_published_after_all]
    "Added: `GET /posts/{id}/attempts` → `{ attempts }`, every try of a post" => [api::post_publish::an_attempt_shows_its_beginning_and_its_end, api::post_publish::a_try_that_failed_before_its_handover_says_when_the_next_comes, api::post_publish::a_post_that_failed_is_tried_anew_and_both_tries_are_listed, api::post_publish::a_comment_has_tries_of_its_own, api::shapes::the_shapes_of_all_answers_are_those_that_clients_know]
    "Added: `POST /posts/validate`: the results of creating, `valid` or `failed`; creates nothing" => [api::post_validate::validating_says_of_each_platform_what_creating_does, api::post_validate::validating_creates_and_counts_nothing, api::post_validate::problems_of_the_request_itself_are_those_of_creating]
    "`DELETE /posts/{id}`: 204. Of a PUBLISHED post only our record goes." => [api::post_changes::deleting_a_published_post_removes_our_record_alone]
    "Children follow when the root is PUBLISHED, each `delayInMinutes` after the one before it." => [engine::comments::comments_follow_in_order_each_its_delay_after_the_one_before, engine::comments::comments_of_a_post_that_did_not_go_out_are_not_written]
}
"People, workspaces and keys (`/app/v1`)" {
    "`POST /app/v1/auth/sign-up` → 201 `{ token, user, organizations }`, sets the cookie; 409 `email_taken`, 403 `signup_closed`" => [people::sessions::whoever_signs_up_owns_a_workspace_and_is_in, people::sessions::an_address_signs_up_once_in_whatever_case, people::sessions::a_closed_service_takes_nobody_and_one_by_invitation_only_the_invited]
    "`POST /app/v1/auth/sign-in`, else 401 `invalid_credentials`, told alike and as slowly for known and unknown addresses" => [people::sessions::only_the_right_password_opens_and_a_wrong_address_is_told_alike, people::timing::a_wrong_password_takes_as_long_whether_there_is_such_an_account]
    "Wrong passwords are throttled by network address and by account." => [people::limits::after_ten_wrong_passwords_an_account_is_tried_once_a_minute_whether_it_exists_or_not, people::limits::an_address_may_try_only_so_often_whomever_it_tries, people::limits::behind_a_trusted_proxy_each_client_has_its_own]
    "`POST /app/v1/auth/sign-out`, everywhere too" => [people::sessions::signing_out_ends_one_session_or_all]
    "A session is an opaque random token, stored hashed, of 30 days, sliding; none can be chosen beforehand." => [people::sessions::a_session_ends_thirty_days_after_its_last_use, people::sessions::each_sign_in_begins_a_session_of_its_own_and_none_can_be_chosen]
    "Accepted as Bearer, or as the cookie `HttpOnly; SameSite=Lax; Secure` with an Origin check on every unsafe method" => [people::cookies::signing_in_sets_a_cookie_that_no_script_reads, people::cookies::with_the_cookie_only_our_own_pages_change_anything, server::api::session::tests::the_cookie_is_secure_over_https_and_on_this_machine]
    "`POST /app/v1/auth/password/forgot`, `reset`: by mail, once, within an hour" => [people::passwords::whoever_forgot_the_password_chooses_another_with_the_link_in_the_mail, people::passwords::nobody_is_told_whether_there_is_such_an_account, people::passwords::a_link_ends_after_an_hour_and_with_the_next_one]
    "`GET PATCH /app/v1/me`" => [people::sessions::people_change_their_name_freely_and_the_rest_with_their_password]
    "401 `invalid_session`: missing, unknown or expired" => [people::sessions::what_is_no_session_opens_nothing, people::sessions::the_session_comes_before_anything_else]
    "403 `forbidden`: no member of the workspace, or the role does not allow it; by one table" => [people::roles::every_operation_lets_in_whom_the_table_names_and_nobody_else, people::roles::nobody_is_let_in_without_a_session_but_where_one_begins, people::workspaces::a_workspace_is_closed_to_whoever_is_no_member_and_one_that_never_was_looks_alike]
    "`x-organization-id` names the workspace." => [people::roles::the_workspace_is_asked_for_wherever_a_role_is, people::workspaces::the_header_is_asked_for_where_the_path_names_no_workspace]
    "`GET POST /app/v1/organizations`, `PATCH DELETE …/{id}`: a deleted one goes with its media and provider tokens." => [people::workspaces::people_make_and_rename_workspaces_of_their_own, people::workspaces::a_deleted_workspace_is_gone_with_its_keys_media_posts_and_grants]
    "Members and roles; 409 `last_owner`" => [people::members::nobody_decides_about_those_above_them, people::members::the_last_owner_stays_and_others_leave_as_they_like]
    "Invitations" => [people::members::who_was_invited_joins_once_with_the_token, people::members::an_invitation_opens_nothing_to_others_after_a_week_or_once_taken_back, people::members::with_an_invitation_somebody_new_signs_up_into_the_workspace]
    "Every resource of `/public/v1` is there too, by the same handlers." => [people::shared::a_session_does_the_whole_job_and_a_key_sees_the_same, people::shared::uploads_go_on_in_a_session]
    "`GET POST /app/v1/keys`, `DELETE /app/v1/keys/{id}`" => [people::keys::a_key_is_shown_once_and_opens_its_workspace, people::keys::a_key_ends_when_it_was_told_to, people::keys::a_revoked_key_ends_here_at_once_and_elsewhere_within_two_seconds]
    "`GET /app/v1/audit` → `{ entries }`: who did what" => [people::trail::whatever_is_done_to_a_workspace_its_people_and_keys_is_noted, people::trail::the_trail_is_read_page_by_page_and_only_by_its_own]
    "OpenAPI 3.1 at `/app/v1/openapi.json`" => [people::shared::the_document_of_the_dashboards_api_is_served_to_everybody, server::api::openapi::dashboard::tests::every_operation_is_in_the_table_of_who_may_call_it]
}
"Usage and the reference" {
    "Added: `GET /usage`: plan, limits, used this month, storage" => [api::usage::usage_shows_every_limit_of_the_plan, api::usage::usage_follows_what_is_done]
    "OpenAPI 3.1 at `/openapi.json`, for everybody" => [api::served_reference::the_openapi_document_is_served_without_a_key, server::api::openapi::tests::every_operation_says_what_it_is_and_shows_it, server::api::openapi::tests::every_reference_leads_somewhere]
    "It tells the truth: its examples are recorded from the service." => [api::reference::the_examples_are_what_the_service_answers]
    "Readable reference at `/docs`; its commands work." => [api::served_reference::the_readable_reference_shows_every_operation_and_loads_nothing_from_elsewhere, api::reference::every_command_of_the_reference_works_in_a_shell]
    "`/llms.txt`" => [api::served_reference::the_reference_for_language_models_names_every_operation]
}
};
