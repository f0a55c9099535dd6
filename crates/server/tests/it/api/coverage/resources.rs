//! What the API promises of each resource and operation.

use super::{Proof, Row, Section, proof, sections};

/// Every heading, in order.
pub(super) const HEADINGS: [&str; 36] = [
    "Introduction",
    "What the service does",
    "Resources and their fields",
    "Platform (connected account)",
    "Platform schema",
    "Post",
    "Post group",
    "Media object",
    "Media folder",
    "Error body",
    "States and transitions",
    "Post `state`",
    "Media `status`",
    "Device authorization",
    "Endpoints",
    "GET /public/v1/platforms",
    "GET /public/v1/platforms/{id}/schema",
    "GET /public/v1/media",
    "POST /public/v1/media",
    "GET /public/v1/media/folders",
    "POST /public/v1/media/folders (create a media folder)",
    "GET /public/v1/posts",
    "POST /public/v1/posts",
    "GET /public/v1/posts/{id}",
    "DELETE /public/v1/posts/{id}",
    "PATCH /public/v1/posts/{id}/schedule",
    "POST /public/v1/slides/composite",
    "POST /public/v1/slides/captions (generate slideshow captions, AI)",
    "POST /auth/device/start",
    "POST /auth/device/token",
    "POST /auth/device/approve",
    "Authentication",
    "Events",
    "Errors",
    "Limits",
    "Versioning",
];

/// The headings under which nothing is promised.
pub(super) const SILENT: [&str; 3] = ["Resources and their fields", "States and transitions", "Events"];

/// What each heading promises.
pub(super) const SECTIONS: &[Section] = sections! {
"Introduction" {
    "Public endpoints live under {base_url}/public/v1." => [api::keys::every_operation_answers_401_without_a_key_and_with_a_wrong_one, api::isolation::the_table_has_every_operation_of_the_reference]
    "Device-authorization endpoints live at the host root under {base_url}/auth/device." => [people::device::standard::whatever_the_metadata_announces_is_there, people::device::codes::rfc8628_3_2_the_answer_has_every_parameter_as_json]
    "All bodies are JSON (application/json) unless stated. (Whatever any test is answered is compared with the reference, its content type too.)" => [api::reference::the_examples_are_what_the_service_answers, api::bodies::only_json_content_types_are_read, api::manners::what_the_client_would_accept_changes_nothing]
    "Identifiers are UUID strings. Timestamps are ISO 8601 date-time strings." => [api::values::identifiers_are_uuids_of_version_7_and_times_are_in_utc_with_milliseconds, api::shapes::the_shapes_of_all_answers_are_those_that_clients_know]
}
"What the service does" {
    "It publishes posts to social accounts (‘platforms’) that a workspace has connected." => [engine::publishing::a_video_goes_out_once_and_gets_its_address, engine::publishing::a_slideshow_goes_out_once_with_photos_cut_to_size]
    "Its provider identifier is returned in the `provider` field of a platform." => [api::platforms::a_platform_has_every_field_of_the_contract]
    "The short-video provider ingests only media hosted by the service. Uploading media through the service is therefore a prerequisite for posting." => [api::posts::refusals::media_that_the_provider_does_not_take_are_invalid_media, api::post_requests::media_must_exist_and_each_that_does_not_is_named, api::media::an_address_for_the_provider_ends_with_its_post]
    "A post can be published immediately, scheduled, or saved as a draft." => [api::posts::each_mode_leads_to_its_state, engine::scheduling::a_post_goes_out_at_its_time_and_not_a_microsecond_before]
    "A create request may target several platforms. Each platform is processed independently and the response carries one result per platform, so one failure does not block the others." => [api::posts::platforms_succeed_and_fail_each_by_itself_in_the_order_asked, api::posts::each_platform_gets_a_group_of_its_own]
    "It bakes captions onto already-uploaded images and returns new composited media." => [api::slides::slides_come_in_the_order_asked_and_are_media_as_any, api::slides::slides_make_a_post]
    "It organises media in folders." => [api::folders::a_folder_is_made_renamed_and_listed_by_name, api::media::media_are_filtered_by_folder_and_type]
    "It offers an RFC 8628 device-authorization flow so a command-line client can obtain an API key after a user approves in a browser." => [people::device::page::rfc8628_3_3_a_person_signs_in_types_the_code_is_told_who_asks_and_approves, people::device::polling::rfc8628_3_5_success_is_that_of_oauth_and_comes_once]
    "Every workspace has exactly one scope. A key belongs to one workspace and can never see another workspace's data." => [api::isolation::what_is_foreign_looks_like_what_never_was, api::isolation::lists_and_counts_show_only_the_workspaces_own, api::isolation::the_same_account_in_two_workspaces_is_two_accounts]
    "The API is available on every plan, including the free one. The plan governs how much can be done, not whether the API works." => [api::keys::a_key_works_on_every_plan, api::usage::every_refusal_for_want_of_room_says_how_much_there_is]
}
"Resources and their fields" {}
"Platform (connected account)" {
    "`id`: Used as a platform ID in post creation and in the schema path" => [api::platforms::a_platform_has_every_field_of_the_contract, api::posts::a_created_post_has_every_field_of_the_contract]
    "`provider`, `providerName`, `providerAccountId`, `displayName`, `displayHandle`, `displayImageUrl`: strings, the last three or null" => [api::platforms::a_platform_has_every_field_of_the_contract, api::platforms::what_an_account_does_not_reveal_is_null, api::shapes::the_shapes_of_all_answers_are_those_that_clients_know]
    "`disabled`, `refreshNeeded`: boolean; `tokenExpiresAt`: string date-time or null" => [api::platforms::a_platform_has_every_field_of_the_contract, api::platforms::accounts_that_must_reconnect_are_left_out_until_they_have]
    "`capabilities`: array of string" => [api::platforms::a_platform_has_every_field_of_the_contract, api::platforms::an_account_that_grants_less_can_do_less]
    "`metadata`, `settings`: Free-form key/value, any values." => [api::platforms::a_platform_has_every_field_of_the_contract, api::platforms::the_accounts_defaults_show_as_defaults]
    "The platform list omits disabled accounts and accounts that need re-authentication." => [api::platforms::disabled_accounts_are_left_out, api::platforms::accounts_that_must_reconnect_are_left_out_until_they_have]
}
"Platform schema" {
    "Returned together with a platform by the schema endpoint." => [api::platforms::a_platform_has_every_field_of_the_contract, api::platforms::the_schema_is_the_contracts]
    "`provider`; `content.required`, `content.maxLength` (Maximum caption length)" => [api::platforms::the_schema_is_the_contracts, api::posts::refusals::a_caption_that_is_too_long_is_invalid_content]
    "`media.required`, `media.allowedTypes`, `media.minItems`, `media.maxItems`, `media.supportsMixedTypes`" => [api::platforms::the_schema_is_the_contracts, api::posts::refusals::media_that_the_provider_does_not_take_are_invalid_media]
    "`media.rules`: array of string" => [api::platforms::the_schema_is_the_contracts]
    "`comments.supported`, `comments.mediaSupported`, `comments.delayInMinutesSupported`" => [api::platforms::the_schema_is_the_contracts, api::post_settings::an_account_that_can_comment_says_so_and_takes_text_alone]
    "`settings`: Contains a `fields` array of descriptors; each descriptor has at least `name` and `type` (strings)." => [api::platforms::the_schema_is_the_contracts]
    "The schema supplies account-specific setting options (for example the options for the `privacy_level` setting)." => [api::platforms::the_accounts_own_options_show_in_the_schema, api::platforms::what_the_account_forbids_is_off_and_says_why]
}
"Post" {
    "`id`; `groupId`: Shared by the root and its children; `parentPostId`: Null for a root post" => [api::posts::a_created_post_has_every_field_of_the_contract]
    "`integrationId`: The platform the post targets; `content`" => [api::posts::a_created_post_has_every_field_of_the_contract, api::bodies::text_may_hold_any_character_that_is_shown]
    "`state`: One of DRAFT, QUEUE, PUBLISHED, ACTION_REQUIRED, ERROR" => [api::posts::each_mode_leads_to_its_state, api::post_changes::a_refused_post_may_be_tried_again, engine::inbox::a_video_finished_by_the_creator_is_published_when_the_provider_says_so]
    "`scheduledFor`: string date-time or null; `delayInMinutes`: integer or null" => [api::posts::a_created_post_has_every_field_of_the_contract, api::posts::times_come_back_in_utc_with_milliseconds]
    "`releaseId`, `releaseUrl`: string or null" => [engine::publishing::a_video_goes_out_once_and_gets_its_address, engine::links::a_private_post_never_gets_an_address_and_nobody_asks_for_one]
    "`settings`: Free-form, provider-specific" => [api::posts::a_created_post_has_every_field_of_the_contract, api::posts::settings::a_null_setting_is_absent_and_an_unknown_one_ignored]
    "`mediaIds`: array of string; `errorText`: string or null" => [api::posts::a_created_post_has_every_field_of_the_contract, api::post_changes::a_refused_post_may_be_tried_again]
    "`createdAt`, `updatedAt`" => [api::posts::a_created_post_has_every_field_of_the_contract, api::post_changes::a_new_time_moves_a_post]
}
"Post group" {
    "Object with `root` (a Post, required) and `children` (array of Post, required)." => [api::posts::a_created_post_has_every_field_of_the_contract]
    "Children are the comments or thread items of the root." => [api::posts::a_created_post_has_every_field_of_the_contract, engine::comments::comments_follow_in_order_each_its_delay_after_the_one_before]
}
"Media object" {
    "`id`, `storageKey`, `mimeType`, `size`, `originalFileName`, `createdAt`" => [api::uploads::a_photo_has_every_field_of_the_contract]
    "`publicUrl`, `previewUrl`: uri" => [api::media::a_file_is_public_and_safe_to_embed, api::media::a_preview_is_a_jpeg_at_most_480_wide]
    "`mediaType`: One of image, video, audio, file (an upload is an image or a video, so the others do not occur)" => [api::uploads::each_of_the_five_types_is_known_by_its_bytes, api::uploads::files_of_other_types_are_refused]
    "`status`: One of PENDING, READY; `finalizedAt`: string date-time or null" => [api::uploads::a_photo_has_every_field_of_the_contract, api::media_objects::an_upload_that_is_not_finished_ends_when_it_is_deleted, api::tus::a_video_in_three_parts_becomes_ready_with_the_last]
    "`thumbnailMetadata`: object or null" => [api::uploads::a_photo_has_every_field_of_the_contract, api::shapes::the_shapes_of_all_answers_are_those_that_clients_know]
    "`folderId`: Null means the root folder" => [api::uploads::a_photo_has_every_field_of_the_contract, api::uploads::a_folder_must_be_the_workspaces_own, api::media::media_are_filtered_by_folder_and_type]
}
"Media folder" {
    "`id`, `organizationId`, `name`, `createdAt`, `updatedAt`" => [api::media::folders_are_listed_by_name, api::folders::a_folder_is_made_renamed_and_listed_by_name]
}
"Error body" {
    "`code`: Stable machine-readable code to branch on; `message`: Human-readable description (asserted of every refusal that a test meets)" => [api::conventions::unknown_paths_answer_in_json, api::shapes::the_shapes_of_all_answers_are_those_that_clients_know]
    "`details`: for example an array of schema-validation issues, each with a `path` (array) and a `message`" => [api::post_requests::all_problems_come_at_once_in_document_order]
    "The device-token endpoint uses a different error body" => [people::device::polling::rfc8628_3_5_until_somebody_decides_it_is_authorization_pending, people::device::polling::rfc8628_3_4_the_device_code_is_required]
}
"States and transitions" {}
"Post `state`" {
    "Values: DRAFT, QUEUE, PUBLISHED, ACTION_REQUIRED, ERROR. (The transitions are among the rules.)" => [api::posts::each_mode_leads_to_its_state, api::post_list::wrong_parameters_are_all_named]
}
"Media `status`" {
    "A media object returned by the upload endpoint is immediately READY." => [api::uploads::a_photo_has_every_field_of_the_contract]
}
"Device authorization" {
    "Polled before approval: HTTP 400 with error `authorization_pending`; too frequently: `slow_down`; client must back off" => [people::device::polling::rfc8628_3_5_until_somebody_decides_it_is_authorization_pending, people::device::polling::rfc8628_3_5_slow_down_adds_five_seconds_each_time]
    "Approved: Key minted, scoped to the workspace in `x-organization-id`; the key is returned exactly once" => [people::device::decisions::an_approved_client_gets_a_key_of_that_workspace_in_the_name_of_who_approved, people::device::polling::twenty_polls_at_once_get_exactly_one_key]
    "Code expired: `expired_token`; User refuses: `access_denied`" => [people::device::polling::rfc8628_3_5_an_expired_code_is_expired_token, people::device::polling::rfc8628_3_5_a_refusal_is_access_denied]
}
"Endpoints" {
    "All `/public/v1` endpoints require the Bearer key (see Authentication) and act on the key's workspace." => [api::manners::every_operation_needs_a_key, api::isolation::what_is_foreign_looks_like_what_never_was]
    "Every one of them can answer 401 with `missing_api_key` or `invalid_api_key`." => [api::keys::every_operation_answers_401_without_a_key_and_with_a_wrong_one]
    "Each operation's status on success is in the reference, and asserted with its example." => [api::reference::the_examples_are_what_the_service_answers]
}
"GET /public/v1/platforms" {
    "`GET /platforms`: Lists the workspace's connected, ready-to-post platforms." => [api::platforms::connected_accounts_are_listed_by_name, api::isolation::lists_and_counts_show_only_the_workspaces_own]
    "A valid key returns 200 with the `platforms` array." => [api::platforms::connected_accounts_are_listed_by_name, api::conventions::head_answers_as_get_without_the_body]
}
"GET /public/v1/platforms/{id}/schema" {
    "`GET /platforms/{id}/schema`: Response 200: `{ platform: Platform, schema: Platform schema }`, both required." => [api::platforms::the_schema_is_the_contracts, api::platforms::a_platform_has_every_field_of_the_contract]
    "`id` is a uuid" => [api::bodies::ids_in_paths_must_be_uuids, api::platforms::an_unknown_platform_is_not_found]
    "platform missing, disabled or needing refresh gives error code `platform_not_found`" => [api::platforms::an_unknown_platform_is_not_found, api::platforms::disabled_accounts_are_left_out, api::platforms::accounts_that_must_reconnect_are_left_out_until_they_have]
}
"GET /public/v1/media" {
    "`GET /media`: Lists media of the workspace. Response 200: `{ media: Media object[] }`." => [api::media::media_are_listed_newest_first, api::isolation::lists_and_counts_show_only_the_workspaces_own]
    "`folderId`: Folder UUID, or the literal string `null` for the root folder; `mediaType`: image or video" => [api::media::media_are_filtered_by_folder_and_type, api::media::wrong_filters_are_all_named]
}
"POST /public/v1/media" {
    "`POST /media`: Uploads an image or video. Content type multipart/form-data." => [api::uploads::a_photo_has_every_field_of_the_contract, api::uploads::a_form_without_a_file_is_refused, api::uploads::the_parts_may_come_in_any_order]
    "`file`: required" => [api::uploads::a_form_without_a_file_is_refused]
    "`fileName`: Overrides the uploaded file's name" => [api::uploads::the_name_is_the_given_one_else_the_files_own]
    "`mimeType`: One of image/jpeg, image/webp, video/mp4, video/webm, video/quicktime; inferred from the file when omitted" => [api::uploads::each_of_the_five_types_is_known_by_its_bytes, api::uploads::claims_that_hold_are_taken, api::uploads::claims_that_the_bytes_contradict_are_refused]
    "`mediaType`: image or video; inferred from the MIME type when omitted" => [api::uploads::each_of_the_five_types_is_known_by_its_bytes, api::uploads::claims_that_hold_are_taken, api::uploads::claims_that_the_bytes_contradict_are_refused]
    "`folderId`: Target folder UUID, or the literal string `null` for the root" => [api::uploads::a_folder_must_be_the_workspaces_own]
    "Response: the Media object, status READY. Its `id` is passed to post creation." => [api::uploads::a_photo_has_every_field_of_the_contract, engine::publishing::a_video_goes_out_once_and_gets_its_address]
    "missing `file` field or unsupported type gives code `invalid_media_file`" => [api::uploads::a_form_without_a_file_is_refused, api::uploads::files_of_other_types_are_refused]
}
"GET /public/v1/media/folders" {
    "`GET /media/folders`: Response 200: `{ folders: Media folder[] }`." => [api::media::folders_are_listed_by_name, api::isolation::lists_and_counts_show_only_the_workspaces_own]
}
"POST /public/v1/media/folders (create a media folder)" {
    "`POST /media/folders`: Exists." => [api::folders::a_folder_is_made_renamed_and_listed_by_name]
}
"GET /public/v1/posts" {
    "`GET /posts`: Lists root posts only. Response 200: `{ posts: Post[] }`." => [api::post_list::only_roots_are_listed_and_as_they_are_read, api::isolation::lists_and_counts_show_only_the_workspaces_own]
    "`startDate`: Start of the range; `endDate`: End of the range" => [api::post_list::the_range_holds_its_start_and_not_its_end, api::post_list::wrong_parameters_are_all_named]
}
"POST /public/v1/posts" {
    "`POST /posts`: Creates a post on one or more platforms." => [api::posts::a_created_post_has_every_field_of_the_contract, api::posts::each_platform_gets_a_group_of_its_own]
    "`platformIds`: required, At least 1 item; platform IDs from the platform list" => [api::post_requests::what_is_required_is_missed, api::post_requests::platform_ids_are_one_or_more_and_none_twice, api::posts::platforms_succeed_and_fail_each_by_itself_in_the_order_asked]
    "`content`: required, At least 1 character" => [api::post_requests::what_is_required_is_missed, api::post_requests::content_has_at_least_one_character_also_in_drafts]
    "`mode`: required; `draft` saves without publishing; `now` publishes immediately; `schedule` requires scheduledFor" => [api::post_requests::the_mode_is_one_of_three_words, api::posts::each_mode_leads_to_its_state, api::post_requests::what_is_required_is_missed, engine::scheduling::a_draft_goes_out_only_when_it_is_given_a_time]
    "`scheduledFor`: ISO 8601, required when mode is `schedule`" => [api::post_requests::what_is_required_is_missed, api::post_requests::a_scheduled_time_carries_an_offset]
    "`mediaIds`: Media IDs from upload; required for the short-video provider" => [api::post_requests::media_ids_are_uuids_and_none_is_listed_twice, api::post_requests::media_must_exist_and_each_that_does_not_is_named, api::posts::refusals::media_that_the_provider_does_not_take_are_invalid_media]
    "`settings`: Provider-specific, any key/value; see the platform schema" => [api::post_requests::settings_are_an_object, api::posts::settings::settings_are_judged_by_the_accounts_schema, api::posts::settings::a_null_setting_is_absent_and_an_unknown_one_ignored]
    "`comments`: `content` (at least 1 character, required), `delayInMinutes` (integer or null), `settings`, `mediaIds`" => [api::post_requests::every_comment_is_checked_at_its_place, api::posts::a_created_post_has_every_field_of_the_contract]
    "Response: `{ results: [...] }`, one entry per platform." => [api::posts::platforms_succeed_and_fail_each_by_itself_in_the_order_asked]
    "A successful entry is `{ platformId: uuid, status: \"created\", post: Post group }`." => [api::posts::a_created_post_has_every_field_of_the_contract]
    "validation failure gives code `invalid_request` (with `details`)" => [api::post_requests::all_problems_come_at_once_in_document_order]
    "plan limit reached, for example the monthly post cap, gives code `post_limit_reached`" => [api::post_cap::the_free_plan_takes_thirty_posts_a_month]
}
"GET /public/v1/posts/{id}" {
    "`GET /posts/{id}`: Returns the Post group (root and children)." => [api::posts::a_created_post_has_every_field_of_the_contract, api::post_changes::a_group_is_read_by_the_id_of_any_of_its_posts]
    "`id` (uuid, required); 404 class ‘resource not found in this workspace’" => [api::bodies::ids_in_paths_must_be_uuids, api::post_changes::a_group_is_read_by_the_id_of_any_of_its_posts, api::isolation::what_is_foreign_looks_like_what_never_was]
}
"DELETE /public/v1/posts/{id}" {
    "`DELETE /posts/{id}`: Deletes the post and the whole group it belongs to. Response has no body." => [api::post_changes::deleting_any_post_deletes_its_group, api::post_changes::a_deleted_post_never_goes_out]
    "resource not found in this workspace" => [api::post_changes::deleting_any_post_deletes_its_group, api::isolation::what_is_foreign_looks_like_what_never_was]
}
"PATCH /public/v1/posts/{id}/schedule" {
    "`PATCH /posts/{id}/schedule`: Response: the updated Post group." => [api::post_changes::a_new_time_moves_a_post]
    "`scheduledFor` (string date-time, required, at least 1 character); validation failure `invalid_request`" => [api::post_changes::a_new_time_has_the_limits_of_any_time]
    "resource not found in this workspace" => [api::post_changes::a_new_time_has_the_limits_of_any_time, api::isolation::what_is_foreign_looks_like_what_never_was]
}
"POST /public/v1/slides/composite" {
    "Bakes captions onto already-uploaded images and produces new composited media. The returned media IDs are fed into post creation." => [api::slides::slides_come_in_the_order_asked_and_are_media_as_any, api::slides::slides_make_a_post]
    "`slides` (`index`, `mediaId`, `caption`), `captionSize`; validation failure `invalid_request`" => [wire::slides::tests::all_problems_of_all_slides_come_at_once_with_their_paths, api::slides::each_image_that_is_none_of_the_workspaces_is_named]
}
"POST /public/v1/slides/captions (generate slideshow captions, AI)" {
    "Exists." => [api::slide_captions::captions_are_written_as_many_as_were_asked_for_and_cost_a_credit]
}
"POST /auth/device/start" {
    "Starts a device authorization and yields a `device_code` and a user code." => [people::device::codes::rfc8628_3_2_the_answer_has_every_parameter_as_json]
}
"POST /auth/device/token" {
    "No Bearer header; the device code is the secret. Approved: `{ status: string, api_key: string }`, both required. Pending or terminal: HTTP 400 with `{ error: string }`" => [people::device::polling::rfc8628_3_5_success_is_that_of_oauth_and_comes_once, people::device::polling::rfc8628_3_5_an_expired_code_is_expired_token]
}
"POST /auth/device/approve" {
    "Called by the service's web app, with the user's session and `x-organization-id`; user codes look like `SVC-XXXX-XXXX`" => [people::device::decisions::an_approved_client_gets_a_key_of_that_workspace_in_the_name_of_who_approved, people::device::codes::rfc8628_6_1_a_code_is_read_however_it_is_typed]
}
"Authentication" {
    "1. Every `/public/v1` request carries a workspace API key as a Bearer token" => [api::keys::every_operation_answers_401_without_a_key_and_with_a_wrong_one, api::authorization::the_scheme_is_read_whatever_its_case, api::authorization::the_key_is_checked_before_anything_else]
    "2. There are no unauthenticated public endpoints." => [api::manners::every_operation_needs_a_key, api::keys::every_operation_answers_401_without_a_key_and_with_a_wrong_one]
    "2. The sole exception is the device flow, where the device code is itself the secret." => [people::device::polling::rfc8628_3_5_success_is_that_of_oauth_and_comes_once]
    "3. Keys are created in the dashboard (name plus workspace)" => [people::keys::a_key_is_shown_once_and_opens_its_workspace]
    "3. A key has the form prefix `svc_sk_` followed by a random secret." => [api::keys::two_keys_of_a_workspace_differ_and_open_the_same, domain::key::tests::every_made_key_is_well_formed_and_no_changed_one_is]
    "3. The full key is shown only once; only a hash is stored, so it cannot be retrieved later." => [api::keys::of_a_key_only_a_hash_is_stored, api::cli::administration::admin_provisions_users_workspaces_keys_and_plans]
    "3. A lost key is revoked and replaced." => [api::authorization::a_revoked_key_ends_at_once, store::tests::people::a_key_opens_its_workspace_until_it_is_revoked_or_expires]
    "4. A key is scoped to exactly one workspace." => [api::isolation::what_is_foreign_looks_like_what_never_was, api::isolation::lists_and_counts_show_only_the_workspaces_own]
    "5. Keys work on every plan." => [api::keys::a_key_works_on_every_plan]
    "6. A missing key gives 401 with code `missing_api_key` (message says a Bearer API key is required)." => [api::authorization::without_a_bearer_key_the_key_is_missing]
    "6. An invalid key gives 401 with code `invalid_api_key` (message says the key is invalid)." => [api::authorization::a_key_that_was_never_issued_is_invalid]
    "7. The device-approve endpoint uses the user's session and `x-organization-id` instead of an API key." => [people::device::decisions::nobody_decides_without_a_session, people::device::decisions::a_workspace_is_named_and_one_must_be_its_admin]
}
"Events" {}
"Errors" {
    "Error bodies follow the Error body shape" => [api::conventions::unknown_paths_answer_in_json, api::conventions::paths_that_are_no_text_are_answered_in_json, api::manners::a_panic_is_answered_in_json_and_logged_with_its_request]
    "`missing_api_key`, `invalid_api_key`: status 401, all `/public/v1`" => [api::keys::every_operation_answers_401_without_a_key_and_with_a_wrong_one]
    "`invalid_request`: Body fails validation; `details` may list issues, on post creation and rescheduling" => [api::post_requests::all_problems_come_at_once_in_document_order, api::post_changes::a_new_time_has_the_limits_of_any_time]
    "`invalid_request` on composite" => [api::slides::each_image_that_is_none_of_the_workspaces_is_named, api::slides::when_slides_cannot_be_made_every_reason_is_told_and_nothing_is_left]
    "`post_limit_reached`: Plan limit reached, e.g. monthly post cap" => [api::post_cap::the_free_plan_takes_thirty_posts_a_month, api::post_cap::a_request_that_does_not_fit_whole_creates_nothing]
    "`platform_not_found`: Platform missing, disabled, or needs refresh" => [api::platforms::an_unknown_platform_is_not_found, api::platforms::disabled_accounts_are_left_out, api::platforms::accounts_that_must_reconnect_are_left_out_until_they_have]
    "`invalid_media_file`: `file` field missing or type unsupported" => [api::uploads::a_form_without_a_file_is_refused, api::uploads::files_of_other_types_are_refused]
    "Not-found on post read, delete and reschedule means the resource is not in the caller's workspace" => [api::isolation::what_is_foreign_looks_like_what_never_was]
}
"Limits" {
    "A monthly post cap exists per plan (error `post_limit_reached`)" => [api::post_cap::the_free_plan_takes_thirty_posts_a_month, server::plans::tests::the_built_in_plans_are_those_of_the_contract]
    "Plan tiers govern how much can be done" => [api::usage::usage_shows_every_limit_of_the_plan, api::usage::accounts_beyond_the_plan_are_refused_and_known_ones_may_always_reconnect, api::upload_limits::what_exceeds_the_plans_storage_is_refused_and_leaves_nothing, api::upload_limits::a_video_larger_than_the_plan_allows_is_too_large]
    "Per-platform content and media limits … come from the platform schema endpoint" => [api::platforms::the_schema_is_the_contracts, api::platforms::what_the_account_forbids_is_off_and_says_why]
    "Allowed upload MIME types: image/jpeg, image/webp, video/mp4, video/webm, video/quicktime." => [api::uploads::each_of_the_five_types_is_known_by_its_bytes, api::uploads::files_of_other_types_are_refused]
    "`platformIds` needs at least 1 item; `content` needs at least 1 character." => [api::post_requests::platform_ids_are_one_or_more_and_none_twice, api::post_requests::content_has_at_least_one_character_also_in_drafts]
    "Device-code polling must honour the interval and back off on `slow_down`." => [people::device::polling::rfc8628_3_5_slow_down_adds_five_seconds_each_time]
}
"Versioning" {
    "Public endpoints carry the version in the path prefix `/public/v1`." => [api::keys::every_operation_answers_401_without_a_key_and_with_a_wrong_one, api::conventions::unknown_paths_answer_in_json]
    "Device-authorization endpoints are unversioned and sit at `/auth/device`." => [people::device::codes::rfc8628_3_2_the_answer_has_every_parameter_as_json]
}
};
