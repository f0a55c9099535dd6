-- {"workspace":"01a1f8d3-ea00-7159-bc92-110d0ce4183e","key":"svc_sk_wOgq6zG7WaxYYlNqh5D461SgcTPOxPwOD9u65hNXMII4HaDXx","keyOfAda":"svc_sk_HjqtM8cEpStxL7lMlwWxoI2Bg1nN0Zo4hQDx3jHguyT2M5Dao","revokedKey":"svc_sk_VvsYdEu09YIhEUbrM0IxdVqoBXqDBxzBjLwKWNCFRUH07l47j","sessionOfBob":"276df0e20c23f40dcd57e0b6a931204b1142b4547501d7a641c7c687e55cfc32","recoveryCodes":["QCGH-2HP5-XGWC-SW5U","WTDI-5VZL-V66A-M3NP","DBVO-CQOB-RU7P-G3LU","PCIE-KBBX-7UZQ-XV7V","GO25-DDYN-Z2FM-ZBXE","ZHEA-A5G3-PRRB-Q7AJ","AQDS-EVX7-BNHK-WIMI","D3RU-A5AX-CU7C-MXH4","NIFH-4CVH-22PZ-ALF5","TQGC-JYRZ-MLOV-OLND"],"codeOfAda":{"at":"2026-11-20T14:00:00.000Z","code":"101567"},"webhook":"01a1f8d3-ea00-73a1-a2ef-250653c59eaa","posts":{"creator":"01a1f8d3-ea00-7000-8c55-621118298e1b","business":"01a1f8d3-ea00-7000-9047-f9c4b827ec95","gone":"01a1f8d3-ea00-7000-94ab-1c06cc57b207","published":"01a1f8d3-ea00-7320-89a4-2b83c48c4a05","commented":"01a1f8d3-ea00-7206-8f73-8ede375f3fdb","inbox":"01a1f8d8-81c8-7db3-bedb-277bc1aa20ea","failed":"01a1f8d8-81c8-7ac7-b7c2-9360d0b438cc","draft":"01a1f8d8-81c8-758e-ba58-ef9dc9b30183","planned":"01a1f8d8-81c8-76e8-95bc-3c5fafe1d482","plannedRequest":{"platformIds":["01a1f8d3-ea00-7000-8c55-621118298e1b"],"content":"planned","mode":"schedule","mediaIds":["01a1f8d3-ea00-74b8-b37f-173d694387b0"],"settings":{"privacy_level":"PUBLIC_TO_EVERYONE"},"scheduledFor":"2026-11-20T13:05:01.000Z"},"open":"01a1f8d8-81c8-716e-8fee-ee11d2f4b2a0"},"now":"2026-11-20T12:05:01.000Z"}
SELECT pg_catalog.set_config('search_path', '', false);
CREATE TABLE public._sqlx_migrations (
    version bigint NOT NULL,
    description text NOT NULL,
    installed_on timestamp with time zone DEFAULT now() NOT NULL,
    success boolean NOT NULL,
    checksum bytea NOT NULL,
    execution_time bigint NOT NULL
);
CREATE TABLE public.activity (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    actor_kind text NOT NULL,
    actor_id uuid,
    actor_name text,
    session_id uuid,
    address text,
    action text NOT NULL,
    minute bigint,
    times bigint NOT NULL,
    detail jsonb,
    created_at bigint NOT NULL,
    CONSTRAINT activity_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['user'::text, 'system'::text])))
);
CREATE TABLE public.allowances (
    kind text NOT NULL,
    subject bytea NOT NULL,
    used_until bigint NOT NULL
);
CREATE TABLE public.audit (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    actor_kind text NOT NULL,
    actor_id uuid,
    actor_name text,
    session_id uuid,
    address text,
    action text NOT NULL,
    target text,
    detail jsonb,
    created_at bigint NOT NULL,
    CONSTRAINT trail_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['user'::text, 'key'::text, 'system'::text])))
);
CREATE TABLE public.authorizations (
    state_hash bytea NOT NULL,
    workspace_id uuid NOT NULL,
    user_id uuid,
    session_hash bytea,
    provider text NOT NULL,
    verifier bytea NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    connection text DEFAULT 'creator'::text NOT NULL,
    CONSTRAINT authorizations_connection_check CHECK ((connection = ANY (ARRAY['creator'::text, 'business'::text])))
);
CREATE TABLE public.compatibility (
    id bigint NOT NULL,
    oldest bigint NOT NULL,
    CONSTRAINT compatibility_id_check CHECK ((id = 1))
);
CREATE TABLE public.device_authorizations (
    id uuid NOT NULL,
    device_code_hash bytea NOT NULL,
    user_code_hash bytea NOT NULL,
    client_name text,
    client_id text,
    client_address text,
    interval_seconds bigint NOT NULL,
    last_polled_at bigint,
    state text NOT NULL,
    workspace_id uuid,
    approved_by uuid,
    approved_name text,
    approved_session uuid,
    approved_address text,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    CONSTRAINT device_authorizations_check CHECK (((state <> 'approved'::text) OR ((workspace_id IS NOT NULL) AND (approved_by IS NOT NULL)))),
    CONSTRAINT device_authorizations_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'approved'::text, 'denied'::text, 'used'::text])))
);
CREATE TABLE public.email_verifications (
    token_hash bytea NOT NULL,
    user_id uuid NOT NULL,
    email text NOT NULL,
    session_id uuid,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL
);
CREATE TABLE public.ended_workspaces (
    id uuid NOT NULL,
    name text NOT NULL,
    ended_at bigint NOT NULL
);
CREATE TABLE public.events (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL,
    payload jsonb NOT NULL,
    created_at bigint NOT NULL
);
CREATE TABLE public.folders (
    id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    name text NOT NULL,
    name_key text NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE public.idempotency (
    workspace_id uuid NOT NULL,
    key text NOT NULL,
    fingerprint bytea NOT NULL,
    state text NOT NULL,
    status bigint,
    headers jsonb,
    body bytea,
    created_at bigint NOT NULL,
    CONSTRAINT idempotency_check CHECK (((state = 'completed'::text) = (status IS NOT NULL))),
    CONSTRAINT idempotency_state_check CHECK ((state = ANY (ARRAY['started'::text, 'completed'::text])))
);
CREATE TABLE public.instance (
    id bigint NOT NULL,
    signup_open boolean NOT NULL,
    canary bytea,
    storage_id uuid,
    home text,
    pulse bigint DEFAULT 0 NOT NULL,
    pulse_at bigint,
    held_at bigint,
    held_since bigint,
    held_because text,
    hold_ended_at bigint,
    last_held_at bigint,
    last_hold_left bigint,
    CONSTRAINT instance_id_check CHECK ((id = 1))
);
CREATE TABLE public.invitations (
    id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    email text NOT NULL,
    role text NOT NULL,
    token_hash bytea NOT NULL,
    invited_by uuid,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    accepted_at bigint,
    CONSTRAINT invitations_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'member'::text])))
);
CREATE TABLE public.jobs (
    id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    platform_id uuid NOT NULL,
    post_id uuid,
    kind text NOT NULL,
    run_at bigint NOT NULL,
    due_at bigint NOT NULL,
    attempt bigint NOT NULL,
    failures bigint NOT NULL,
    checks bigint NOT NULL,
    leased_until bigint,
    lease_owner text,
    deadline_at bigint NOT NULL,
    planned_at bigint,
    first_claimed_at bigint,
    queue text DEFAULT 'start'::text NOT NULL,
    CONSTRAINT jobs_check CHECK ((due_at = COALESCE(leased_until, run_at))),
    CONSTRAINT jobs_check1 CHECK (((leased_until IS NULL) = (lease_owner IS NULL))),
    CONSTRAINT jobs_check2 CHECK (((kind = 'refresh_platform'::text) = (post_id IS NULL))),
    CONSTRAINT jobs_kind_check CHECK ((kind = ANY (ARRAY['publish_post'::text, 'publish_comment'::text, 'resolve_link'::text, 'refresh_platform'::text]))),
    CONSTRAINT jobs_queue_check CHECK ((queue = ANY (ARRAY['start'::text, 'upload'::text, 'check'::text, 'housekeeping'::text])))
);
CREATE TABLE public.keys (
    id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    hash bytea NOT NULL,
    name text NOT NULL,
    last_four text NOT NULL,
    created_by uuid,
    created_at bigint NOT NULL,
    last_used_at bigint,
    expires_at bigint,
    revoked_at bigint
);
CREATE TABLE public.media (
    id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    folder_id uuid,
    storage_key text NOT NULL,
    preview_key text,
    mime text NOT NULL,
    media_type text NOT NULL,
    size_bytes bigint,
    file_name text NOT NULL,
    status text NOT NULL,
    probe jsonb,
    sha256 bytea,
    upload_length bigint,
    upload_received bigint,
    upload_metadata text,
    upload_expires_at bigint,
    finalized_at bigint,
    created_at bigint NOT NULL,
    upload_attempts bigint DEFAULT 0 NOT NULL,
    failure_code text,
    failure_message text,
    CONSTRAINT media_check CHECK (((status = 'READY'::text) = (finalized_at IS NOT NULL))),
    CONSTRAINT media_media_type_check CHECK ((media_type = ANY (ARRAY['image'::text, 'video'::text, 'audio'::text, 'file'::text]))),
    CONSTRAINT media_size_bytes_check CHECK ((size_bytes >= 0)),
    CONSTRAINT media_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'READY'::text])))
);
CREATE TABLE public.members (
    workspace_id uuid NOT NULL,
    user_id uuid NOT NULL,
    role text NOT NULL,
    created_at bigint NOT NULL,
    CONSTRAINT members_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'member'::text])))
);
CREATE TABLE public.password_resets (
    token_hash bytea NOT NULL,
    user_id uuid NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL
);
CREATE TABLE public.platforms (
    id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    provider text NOT NULL,
    provider_account_id text NOT NULL,
    display_name text,
    display_handle text,
    display_image_url text,
    disabled boolean DEFAULT false NOT NULL,
    refresh_needed boolean DEFAULT false NOT NULL,
    access_token bytea,
    access_expires_at bigint,
    refresh_token bytea,
    refresh_expires_at bigint,
    scopes jsonb NOT NULL,
    token_version bigint NOT NULL,
    refresh_owner text,
    refresh_lease_until bigint,
    capabilities jsonb NOT NULL,
    metadata jsonb NOT NULL,
    settings jsonb NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    removed_at bigint,
    connection text DEFAULT 'creator'::text NOT NULL,
    tokens_at bigint,
    refresh_notice text,
    refused_token_version bigint,
    CONSTRAINT platforms_connection_check CHECK ((connection = ANY (ARRAY['creator'::text, 'business'::text])))
);
CREATE TABLE public.post_media (
    workspace_id uuid NOT NULL,
    post_id uuid NOT NULL,
    "position" bigint NOT NULL,
    media_id uuid NOT NULL
);
CREATE TABLE public.posts (
    id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    group_id uuid NOT NULL,
    parent_id uuid,
    "position" bigint NOT NULL,
    platform_id uuid NOT NULL,
    content text NOT NULL,
    state text NOT NULL,
    waiting text,
    publishing boolean NOT NULL,
    scheduled_for bigint,
    delay_minutes bigint,
    release_id text,
    release_url text,
    settings jsonb NOT NULL,
    error_text text,
    effective_at bigint NOT NULL,
    counted_month text,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    version bigint NOT NULL,
    hidden_at bigint,
    created_by jsonb,
    updated_by jsonb,
    look_since bigint,
    looked_at bigint,
    is_overdue boolean DEFAULT false NOT NULL,
    look_content text,
    CONSTRAINT posts_check CHECK (((state = 'ACTION_REQUIRED'::text) = (waiting IS NOT NULL))),
    CONSTRAINT posts_check1 CHECK (((parent_id IS NULL) = ("position" = 0))),
    CONSTRAINT posts_state_check CHECK ((state = ANY (ARRAY['DRAFT'::text, 'QUEUE'::text, 'PUBLISHED'::text, 'ACTION_REQUIRED'::text, 'ERROR'::text]))),
    CONSTRAINT posts_waiting_check CHECK ((waiting = ANY (ARRAY['reconnect'::text, 'inbox'::text, 'unconfirmed'::text, 'account_unavailable'::text])))
);
CREATE TABLE public.recovery_codes (
    user_id uuid NOT NULL,
    code_hash bytea NOT NULL
);
CREATE TABLE public.removed_files (
    storage_key text NOT NULL,
    removed_at bigint NOT NULL
);
CREATE TABLE public.removed_submissions (
    id uuid NOT NULL,
    provider text NOT NULL,
    provider_account_id text NOT NULL,
    handle text,
    release_id text,
    text_mark bytea NOT NULL,
    is_lost boolean NOT NULL,
    may_be_out boolean NOT NULL,
    removed_at bigint NOT NULL
);
CREATE TABLE public.restrictions (
    provider text NOT NULL,
    provider_account_id text NOT NULL,
    kind text NOT NULL,
    code text NOT NULL,
    message text NOT NULL,
    since bigint NOT NULL,
    said_at bigint NOT NULL,
    next_try_at bigint NOT NULL,
    CONSTRAINT restrictions_kind_check CHECK ((kind = ANY (ARRAY['direct_posts'::text, 'inbox_shares'::text, 'active_users'::text, 'requests'::text, 'banned'::text])))
);
CREATE TABLE public.revocations (
    grant_id uuid NOT NULL,
    version bigint NOT NULL,
    provider text NOT NULL,
    provider_account_id text NOT NULL,
    access_token bytea NOT NULL,
    refresh_token bytea,
    dies_at bigint NOT NULL,
    due_at bigint NOT NULL,
    leased_until bigint,
    attempt bigint NOT NULL,
    failures bigint NOT NULL,
    connection text DEFAULT 'creator'::text NOT NULL,
    CONSTRAINT revocations_connection_check CHECK ((connection = ANY (ARRAY['creator'::text, 'business'::text])))
);
CREATE TABLE public.second_factors (
    user_id uuid NOT NULL,
    secret bytea NOT NULL,
    last_step bigint NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint
);
CREATE TABLE public.sessions (
    token_hash bytea NOT NULL,
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    address text,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    program text,
    noted_at bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.sign_ins (
    token_hash bytea NOT NULL,
    user_id uuid NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL
);
CREATE TABLE public.storage (
    workspace_id uuid NOT NULL,
    bytes bigint NOT NULL,
    CONSTRAINT storage_bytes_check CHECK ((bytes >= 0))
);
CREATE TABLE public.storage_reservations (
    storage_key text NOT NULL,
    workspace_id uuid NOT NULL,
    bytes bigint NOT NULL,
    lease_until bigint NOT NULL,
    CONSTRAINT storage_reservations_bytes_check CHECK ((bytes >= 0))
);
CREATE TABLE public.submissions (
    id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    platform_id uuid NOT NULL,
    post_id uuid NOT NULL,
    transfer text,
    handle text,
    upload bytea,
    sent_bytes bigint NOT NULL,
    token_hash bytea,
    last_byte_at bigint,
    fetched_at bigint,
    revoked_at bigint,
    started_at bigint NOT NULL,
    closed_at bigint,
    outcome text,
    code text,
    message text,
    log_id text,
    next_retry_at bigint,
    transfer_reason text,
    content text,
    CONSTRAINT submissions_check CHECK (((closed_at IS NULL) = (outcome IS NULL))),
    CONSTRAINT submissions_check1 CHECK (((transfer IS NOT NULL) OR (closed_at IS NOT NULL))),
    CONSTRAINT submissions_outcome_check CHECK ((outcome = ANY (ARRAY['published'::text, 'in_inbox'::text, 'rejected'::text, 'abandoned'::text, 'reauthorize'::text, 'unknown'::text]))),
    CONSTRAINT submissions_transfer_check CHECK ((transfer = ANY (ARRAY['upload'::text, 'pull'::text, 'text'::text])))
);
CREATE TABLE public.unnamed_files (
    file_key text NOT NULL,
    storage_key text NOT NULL,
    found_at bigint NOT NULL,
    seen_at bigint NOT NULL
);
CREATE TABLE public.usage (
    workspace_id uuid NOT NULL,
    month text NOT NULL,
    posts bigint DEFAULT 0 NOT NULL,
    ai_credits bigint DEFAULT 0 NOT NULL,
    CONSTRAINT usage_ai_credits_check CHECK ((ai_credits >= 0)),
    CONSTRAINT usage_posts_check CHECK ((posts >= 0))
);
CREATE TABLE public.users (
    id uuid NOT NULL,
    email text NOT NULL,
    password_hash text NOT NULL,
    name text,
    created_at bigint NOT NULL,
    email_verified_at bigint,
    is_operator boolean DEFAULT false NOT NULL
);
CREATE TABLE public.webhook_deliveries (
    id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    event_id uuid NOT NULL,
    kind text NOT NULL,
    body text NOT NULL,
    state text NOT NULL,
    attempt bigint DEFAULT 0 NOT NULL,
    due_at bigint NOT NULL,
    leased_until bigint,
    lease_owner text,
    response_status bigint,
    response_text text,
    created_at bigint NOT NULL,
    finished_at bigint,
    failures bigint DEFAULT 0 NOT NULL,
    attempted_at bigint,
    deadline_at bigint,
    problem text,
    CONSTRAINT webhook_deliveries_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
);
CREATE TABLE public.webhooks (
    id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    url text NOT NULL,
    events jsonb NOT NULL,
    secret bytea NOT NULL,
    disabled boolean DEFAULT false NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    previous_secret bytea,
    previous_until bigint,
    disabled_reason text,
    held_by uuid,
    CONSTRAINT webhooks_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['paused'::text, 'failing'::text, 'gone'::text])))
);
CREATE TABLE public.workspaces (
    id uuid NOT NULL,
    name text NOT NULL,
    plan text NOT NULL,
    created_at bigint NOT NULL,
    time_zone text DEFAULT 'UTC'::text NOT NULL,
    created_by uuid,
    ask_after bigint DEFAULT '86400000000'::bigint
);
INSERT INTO public._sqlx_migrations VALUES (1, 'people', '2026-11-26 03:43:47.887954+00', true, '\xc967e103aa2714dd61a3122b353f96997a073165ebc095da8d1d8cecf81ce67976383f3cff29ce14476a76c943b03a9c', 7389798);
INSERT INTO public._sqlx_migrations VALUES (2, 'accounts and media', '2026-11-26 03:43:47.895685+00', true, '\x47cdaad71406159befde750f26c575a31b1617896aaddc97b39baf3f251dcb9f74c69d38148f79cf2be9db683d36264c', 5389552);
INSERT INTO public._sqlx_migrations VALUES (3, 'posts', '2026-11-26 03:43:47.901251+00', true, '\x587fef0358bb15df4929d2c37612bddfe85c494f2bf51959d5cb16e07a1bccc3ed7b4270a8a6d7cd5e5485b39aaacfb8', 7407525);
INSERT INTO public._sqlx_migrations VALUES (4, 'log and webhooks', '2026-11-26 03:43:47.908851+00', true, '\xb46f05abdd279b40cdb87b4aebd3edfd98fb4b547f40d42ac21e22b4fb56d7748589e7c6b72c7bfef32550e32c71163d', 4757721);
INSERT INTO public._sqlx_migrations VALUES (5, 'removed files', '2026-11-26 03:43:47.913804+00', true, '\x1f15e579c71d9370a43360805c7b5dd53fa1448cd424fd2e010e12cca275dfdfefadeeb06081ca8af0e1a29ee304aa42', 861002);
INSERT INTO public._sqlx_migrations VALUES (6, 'sessions and audit', '2026-11-26 03:43:47.914788+00', true, '\x732ecfd8856d575cde2c0bb66a14ab52bf6870d1f4d79f7b5f502d05a81fc978f9ec2ff4cf3b56f44caf16ea9b10d673', 3690383);
INSERT INTO public._sqlx_migrations VALUES (7, 'password resets', '2026-11-26 03:43:47.918661+00', true, '\x7728131d29a19c8fea516165405f212c501b7db1eaf58d54670872687d226e478b449ebf5124691e0b5b63205fafe9a4', 1432071);
INSERT INTO public._sqlx_migrations VALUES (8, 'revocations', '2026-11-26 03:43:47.920209+00', true, '\x3d696912997d9cdf8a1591a1735549fa9110e0c3347be91ee53e70e7d6e530b89e79f50ac9cb70d770635f9e1571326b', 1112976);
INSERT INTO public._sqlx_migrations VALUES (9, 'device authorizations', '2026-11-26 03:43:47.92142+00', true, '\x80973a491a2bbaf58b6a2cfdb71c67b917af83ff24799967b0db9e63c8775372eaedd1d13ef5d1bd7f97cc234a79452b', 2789862);
INSERT INTO public._sqlx_migrations VALUES (10, 'second factors', '2026-11-26 03:43:47.924327+00', true, '\xb6b9acd35f25ac396d99c3901df3c63f615fdc32dc261e02cc9e07b77888174de08b95ea456b7e7d9f2dc38b83301164', 2617606);
INSERT INTO public._sqlx_migrations VALUES (11, 'provider events', '2026-11-26 03:43:47.927068+00', true, '\x2b46d8533dd989f7b3a461dce6149e549066997eeafb10852a8c6509ec462eaff4c76723ab3fba320cadfca2db6b79d9', 945978);
INSERT INTO public._sqlx_migrations VALUES (12, 'connections', '2026-11-26 03:43:47.928107+00', true, '\x1d7872b96eec9f8987b37955748bf50a375472d245804580ab4a5a96fe046df2859e53b2709fe057b4dd6bea433bff7b', 897636);
INSERT INTO public._sqlx_migrations VALUES (13, 'limits', '2026-11-26 03:43:47.929103+00', true, '\x7306a9d658c9622421758d586043ef7b9c77ca25aefac4612c9e42b05118ed5de27fe32d159515d7ee61b3ec8beee36e', 1357501);
INSERT INTO public._sqlx_migrations VALUES (14, 'time zones', '2026-11-26 03:43:47.930569+00', true, '\x9b24ba76e61ea6e2c3e3861a9c90d3d86eb266395d5d44c69b45b0424a4e3ed5af036790793e4b6e9721c81c63f6bd79', 436720);
INSERT INTO public._sqlx_migrations VALUES (15, 'webhooks', '2026-11-26 03:43:47.931099+00', true, '\xc48959ea626299a8f8d51599ce6bdaa2fad7f6ca8c962352a5eae95551fdbe6b73835dc67514e59d712d3f1d6719e664', 1194709);
INSERT INTO public._sqlx_migrations VALUES (16, 'programs of sessions', '2026-11-26 03:43:47.932412+00', true, '\x1698424c72b27d21f18ae72718d6b5941f891c60f8d7eab521758e954edceedeb3cad4397d42255ca549decd5793664a', 361829);
INSERT INTO public._sqlx_migrations VALUES (17, 'failed uploads', '2026-11-26 03:43:47.93286+00', true, '\x0521954884debcb667bc7d153ad692f586eadd9e6667473317720caf773c79031099236f23b808c0c897323d1f22b77c', 1348136);
INSERT INTO public._sqlx_migrations VALUES (18, 'verified addresses', '2026-11-26 03:43:47.93432+00', true, '\xab341de906c129ba623f43cca6b839625c676ceea243ecf9b1ef786c30a4be953b3701917d7a468d3d8944666ef32d42', 2109640);
INSERT INTO public._sqlx_migrations VALUES (19, 'instance', '2026-11-26 03:43:47.936539+00', true, '\xd21a41f12bb871a233c28ad650059b4c5fa00256d350214883cc5c518382c9d269a18b6b517b27986701b1d74125790c', 2242768);
INSERT INTO public._sqlx_migrations VALUES (20, 'trail', '2026-11-26 03:43:47.938899+00', true, '\x75c8979c9c094e16a88921947dc1cbab93a485692fda90ca1b4bb77331d06a264c4b78033aca8b3f049fe3dcc009b3aa', 4452262);
INSERT INTO public._sqlx_migrations VALUES (21, 'unnamed files', '2026-11-26 03:43:47.943547+00', true, '\x87520c905c850f61fc531b4efc4c6754d843bdb0758d2d9fa4e11dfb9a6f0e882e28d1cc695eb51863f2a6a6c2847fc0', 923004);
INSERT INTO public._sqlx_migrations VALUES (22, 'webhook turns', '2026-11-26 03:43:47.944611+00', true, '\x06b7b70f61ace9b2a882b323897df788681feb3f41943fbe95166289c34a8477e98cb63db865c7114a88ce8e1fe0a8ae', 883134);
INSERT INTO public._sqlx_migrations VALUES (23, 'counts', '2026-11-26 03:43:47.945624+00', true, '\xdeff11c3683c63dead642ff9b1a9b7e21f1fef20cb2e98de16be8cf3c0e32b50984af4aedaee0714bd9e71a0d61b5031', 886069);
INSERT INTO public._sqlx_migrations VALUES (24, 'hold', '2026-11-26 03:43:47.946654+00', true, '\x0483dbd8d6ec4b83f943f789707a48e976ef2df211a451207862a12fbd8d30a2b4a01fc04470f61527b64d5777d9662c', 1092326);
INSERT INTO public._sqlx_migrations VALUES (25, 'lateness', '2026-11-26 03:43:47.947896+00', true, '\x04dc54465599763d4b08ccfa42fcf26937ec92fbc38372b3b4d1e7965aa7bd302dbe0b6953f6c51edcc10ab2d3df0561', 1153577);
INSERT INTO public._sqlx_migrations VALUES (26, 'job queues', '2026-11-26 03:43:47.949202+00', true, '\xda602fe6f21ec499fe973b2fd05252848b9be99e7d695eea1db2124a95162426562d480121c51908767cadc3ddb21abe', 1255008);
INSERT INTO public._sqlx_migrations VALUES (27, 'compatibility', '2026-11-26 03:43:47.950608+00', true, '\xb9817278d76a6779bda4a3c75463669d5a627d629606bb8fad67df1b1061d2026280b7a6e89a270736a036eb806d542b', 909313);
INSERT INTO public._sqlx_migrations VALUES (28, 'refused tokens', '2026-11-26 03:43:47.95167+00', true, '\x6b1a7ed886ce794e9382d4366080e09e63dfd9997f6f23866a568b3973b8856d6ffe767d05ee315bf6f831fe252a6cd1', 521366);
INSERT INTO public._sqlx_migrations VALUES (29, 'hold ended', '2026-11-26 03:43:47.952332+00', true, '\xd5fbb93947d9df5eef8c584c1e5b68e3376afc5c88f38be770bc92cf9334844d77ea88f68040c457e6366640caec8fe1', 500005);
INSERT INTO public._sqlx_migrations VALUES (30, 'sent texts', '2026-11-26 03:43:47.952971+00', true, '\x8555cde62cb64f23988d5a221981e0346ceb479448b4ac588fa28dfa2d5b92de24396a96abba43efbd9a39900d09fc34', 1506662);
INSERT INTO public._sqlx_migrations VALUES (31, 'last hold', '2026-11-26 03:43:47.954626+00', true, '\x6259fcfdb1982a3eed1de79fdea0a9c5e0166e365e57874f9d98ab4f75a152af9b0eca3aa3d169a87bd21f1265536a61', 619842);
INSERT INTO public.activity VALUES ('01a1f8d3-ea00-7f43-a7b6-66e1b31ab1c1', '01a1f8d3-ea00-7000-839d-745c7d1c5b00', 'user', '01a1f8d3-ea00-7f43-a7b6-66e1b31ab1c1', 'ada@example.org', '01a1f8d3-ea00-7932-984a-1a8a15f6a6f1', '127.0.0.1', 'signed_up', NULL, 1, NULL, 1795176000000000);
INSERT INTO public.activity VALUES ('01a1f8d3-ea00-7f43-a7b6-66e1b31ab1c1', '01a1f8d3-ea00-7000-84b7-89f65ad676df', 'user', '01a1f8d3-ea00-7f43-a7b6-66e1b31ab1c1', 'ada@example.org', '01a1f8d3-ea00-7932-984a-1a8a15f6a6f1', '127.0.0.1', 'second_factor.enabled', NULL, 1, NULL, 1795176000000000);
INSERT INTO public.activity VALUES ('01a1f8d3-ea00-74c0-839d-e0931a6a6aa9', '01a1f8d3-ea00-7000-860d-7d010d127d8c', 'user', '01a1f8d3-ea00-74c0-839d-e0931a6a6aa9', 'bob@example.org', '01a1f8d3-ea00-7e65-827d-fc3b75b3f106', '127.0.0.1', 'signed_up', NULL, 1, NULL, 1795176000000000);
INSERT INTO public.allowances VALUES ('invitations by', '\x4c8abc9c9da4fcd4f890e513b2fc575ec72cd9ab18f7027430609c924791a22e', 1795180320000000);
INSERT INTO public.allowances VALUES ('invitations to workspace', '\x14cec14b5f9e4471d951b7fdffea72b2a838f2bc494333ae7adf83ab2a0861e8', 1795177728000000);
INSERT INTO public.allowances VALUES ('invitations for', '\x29bf507952f12f841d90ac6eea1c8fb0d79bee6a855c6621307037cabd1f0225', 1795177200000000);
INSERT INTO public.allowances VALUES ('mails for', '\x9908d79fedc3a7933451c69430f8f9559a95e2bb063fdc7249995e41b4435c61', 1795177200000000);
INSERT INTO public.allowances VALUES ('stored answers of', '\x14cec14b5f9e4471d951b7fdffea72b2a838f2bc494333ae7adf83ab2a0861e8', 1795176301341865);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-7000-80da-26f1a5770a41', 'system', NULL, NULL, NULL, NULL, 'workspace.created', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', '{"name": "Test"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-7000-81ca-b919cea5e4b1', 'system', NULL, NULL, NULL, NULL, 'key.created', '01a1f8d3-ea00-70fb-ab4e-fbcd2d911924', '{"name": "test"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-7a16-9bb3-1b4f490f1105', '01a1f8d3-ea00-7000-824f-5e1e15e8e554', 'user', '01a1f8d3-ea00-7f43-a7b6-66e1b31ab1c1', 'ada@example.org', '01a1f8d3-ea00-7932-984a-1a8a15f6a6f1', '127.0.0.1', 'workspace.created', '01a1f8d3-ea00-7a16-9bb3-1b4f490f1105', '{"name": "ada''s workspace"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-78dd-88c4-23b5efc8598f', '01a1f8d3-ea00-7000-858b-a5395b143eec', 'user', '01a1f8d3-ea00-74c0-839d-e0931a6a6aa9', 'bob@example.org', '01a1f8d3-ea00-7e65-827d-fc3b75b3f106', '127.0.0.1', 'workspace.created', '01a1f8d3-ea00-78dd-88c4-23b5efc8598f', '{"name": "bob''s workspace"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-7000-872a-52033fa97145', 'user', '01a1f8d3-ea00-7f43-a7b6-66e1b31ab1c1', 'ada@example.org', '01a1f8d3-ea00-7932-984a-1a8a15f6a6f1', '127.0.0.1', 'key.created', '01a1f8d3-ea00-7527-9512-ccc240d3bd99', '{"name": "Ada''s"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-7000-886c-f73287b50c4a', 'user', '01a1f8d3-ea00-7f43-a7b6-66e1b31ab1c1', 'ada@example.org', '01a1f8d3-ea00-7932-984a-1a8a15f6a6f1', '127.0.0.1', 'key.created', '01a1f8d3-ea00-7956-a877-959d7706f481', '{"name": "lost"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-7000-89b5-cc79da973646', 'user', '01a1f8d3-ea00-7f43-a7b6-66e1b31ab1c1', 'ada@example.org', '01a1f8d3-ea00-7932-984a-1a8a15f6a6f1', '127.0.0.1', 'key.revoked', '01a1f8d3-ea00-7956-a877-959d7706f481', '{"name": "lost"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-7000-8a96-3e616a8bf36f', 'user', '01a1f8d3-ea00-7f43-a7b6-66e1b31ab1c1', 'ada@example.org', '01a1f8d3-ea00-7932-984a-1a8a15f6a6f1', '127.0.0.1', 'invitation.created', '01a1f8d3-ea00-75a7-9e54-1aff2611f91c', '{"role": "member", "email": "cay@example.org"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-7000-8bbb-dfa2e52ad08c', 'key', '01a1f8d3-ea00-70fb-ab4e-fbcd2d911924', 'test', NULL, NULL, 'webhook.created', '01a1f8d3-ea00-73a1-a2ef-250653c59eaa', '{"url": "http://127.0.0.1:35961/hook", "events": ["post.queued", "post.published", "post.failed", "media.ready"]}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-7000-8f6f-85abbc5ad784', 'system', NULL, NULL, NULL, NULL, 'platform.connected', '01a1f8d3-ea00-7000-8c55-621118298e1b', '{"account": "Kite Studio", "provider": "tiktok", "connection": "creator"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-7000-9380-52f75a1ae9f5', 'system', NULL, NULL, NULL, NULL, 'platform.connected', '01a1f8d3-ea00-7000-9047-f9c4b827ec95', '{"account": "kiteshop", "provider": "tiktok", "connection": "business"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-7000-97bc-603db33cbd56', 'system', NULL, NULL, NULL, NULL, 'platform.connected', '01a1f8d3-ea00-7000-94ab-1c06cc57b207', '{"account": "kitesgone", "provider": "tiktok", "connection": "creator"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-7000-9957-ad583544a8ef', 'key', '01a1f8d3-ea00-70fb-ab4e-fbcd2d911924', 'test', NULL, NULL, 'folder.created', '01a1f8d3-ea00-7000-9817-aee3c0f2504f', NULL, 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-7000-ad37-d47acdae4c85', 'key', '01a1f8d3-ea00-70fb-ab4e-fbcd2d911924', 'test', NULL, NULL, 'post.deleted', '01a1f8d3-ea00-7110-b230-127444a80f5e', '{"state": "PUBLISHED"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d8-81c8-7001-8780-688a916f8505', 'system', NULL, NULL, NULL, NULL, 'platform.disconnected', '01a1f8d3-ea00-7000-94ab-1c06cc57b207', '{"account": "kitesgone", "provider": "tiktok"}', 1795176301000000);
INSERT INTO public.authorizations VALUES ('\x10f0b53a664e72f2dac93d965cbbb89747490bc7643add5bad62fa68e27abc7b', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', NULL, NULL, 'tiktok', '\x4bb06f8e4c8c1a321d79f1617cf73f01f195f418ebf18563780f29c92bd7f91927b4f8a828f53765694cb370bbdabd037818561c1be67fba47a23a644a5438781dc9045839f868dca914afd9248b618214c993b5cac8a59edfa69214c88dbd8560fb7b38e0088a9f826ba4a2', 1795176301000000, 1795177201000000, 'creator');
INSERT INTO public.compatibility VALUES (1, 1);
INSERT INTO public.device_authorizations VALUES ('01a1f8d3-ea00-737c-b2ce-64aa54cdb1a3', '\x210cd2259c94f094ca0273d62a332efc338ff50eb3101ff6006d4129e8407d45', '\x8caf1a03a9b52a5e7a5572b8c13102f6be9e836e44b5c71416cafce3dc3ab63e', NULL, NULL, '127.0.0.1', 5, NULL, 'pending', NULL, NULL, NULL, NULL, NULL, 1795176000000000, 1795176600000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-7000-8e7a-051cff01eef9', 'platform.connected', '{"isNew": true, "provider": "tiktok", "platformId": "01a1f8d3-ea00-7000-8c55-621118298e1b"}', 1795176000000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-7000-9226-fac5d7c46abf', 'platform.connected', '{"isNew": true, "provider": "tiktok", "platformId": "01a1f8d3-ea00-7000-9047-f9c4b827ec95"}', 1795176000000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-7000-96d6-040e5051df05', 'platform.connected', '{"isNew": true, "provider": "tiktok", "platformId": "01a1f8d3-ea00-7000-94ab-1c06cc57b207"}', 1795176000000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-7000-9ab5-ff6fc91a4792', 'media.ready', '{"mediaId": "01a1f8d3-ea00-7539-b274-5bfc33519656", "mediaType": "image"}', 1795176000000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-7000-9cca-422df54fb593', 'media.ready', '{"mediaId": "01a1f8d3-ea00-74b8-b37f-173d694387b0", "mediaType": "video"}', 1795176000000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-7000-9f53-07eb1befff13', 'post.queued', '{"state": "QUEUE", "postId": "01a1f8d3-ea00-7320-89a4-2b83c48c4a05", "groupId": "01a1f8d3-ea00-75d2-aa1d-7c8ab11f8e87", "errorText": null, "releaseId": null, "platformId": "01a1f8d3-ea00-7000-8c55-621118298e1b", "releaseUrl": null, "parentPostId": null, "scheduledFor": null}', 1795176000000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-7000-a14b-3b13e4b49cfc', 'post.published', '{"state": "PUBLISHED", "postId": "01a1f8d3-ea00-7320-89a4-2b83c48c4a05", "groupId": "01a1f8d3-ea00-75d2-aa1d-7c8ab11f8e87", "errorText": null, "releaseId": null, "platformId": "01a1f8d3-ea00-7000-8c55-621118298e1b", "releaseUrl": null, "parentPostId": null, "scheduledFor": null}', 1795176000000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-7000-a5e3-63d2f5a0ae4a', 'post.queued', '{"state": "QUEUE", "postId": "01a1f8d3-ea00-7110-b230-127444a80f5e", "groupId": "01a1f8d3-ea00-7318-aad2-53f04ffaa650", "errorText": null, "releaseId": null, "platformId": "01a1f8d3-ea00-7000-8c55-621118298e1b", "releaseUrl": null, "parentPostId": null, "scheduledFor": null}', 1795176000000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-7000-a797-3f7f09ca3730', 'post.published', '{"state": "PUBLISHED", "postId": "01a1f8d3-ea00-7110-b230-127444a80f5e", "groupId": "01a1f8d3-ea00-7318-aad2-53f04ffaa650", "errorText": null, "releaseId": null, "platformId": "01a1f8d3-ea00-7000-8c55-621118298e1b", "releaseUrl": null, "parentPostId": null, "scheduledFor": null}', 1795176000000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-7000-ac8b-10960c27a8be', 'post.deleted', '{"state": "PUBLISHED", "postId": "01a1f8d3-ea00-7110-b230-127444a80f5e", "groupId": "01a1f8d3-ea00-7318-aad2-53f04ffaa650", "errorText": null, "releaseId": "7710222213275034419", "platformId": "01a1f8d3-ea00-7000-8c55-621118298e1b", "releaseUrl": "http://127.0.0.1:34723/@kitestudio/video/7710222213275034419", "parentPostId": null, "scheduledFor": null}', 1795176000000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-7000-af67-b9bb6640e63d', 'post.queued', '{"state": "QUEUE", "postId": "01a1f8d3-ea00-7206-8f73-8ede375f3fdb", "groupId": "01a1f8d3-ea00-7183-8d70-76267ba6f07f", "errorText": null, "releaseId": null, "platformId": "01a1f8d3-ea00-7000-9047-f9c4b827ec95", "releaseUrl": null, "parentPostId": null, "scheduledFor": null}', 1795176000000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ede8-7000-b100-4a4d00c76755', 'post.published', '{"state": "PUBLISHED", "postId": "01a1f8d3-ea00-7206-8f73-8ede375f3fdb", "groupId": "01a1f8d3-ea00-7183-8d70-76267ba6f07f", "errorText": null, "releaseId": "7710222213662311336", "platformId": "01a1f8d3-ea00-7000-9047-f9c4b827ec95", "releaseUrl": "http://127.0.0.1:34723/@kiteshop/video/7710222213662311336", "parentPostId": null, "scheduledFor": null}', 1795176001000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d8-81c8-7000-b4a8-920c63d35a55', 'post.published', '{"state": "PUBLISHED", "postId": "01a1f8d3-ea00-72eb-9e56-22590114f030", "groupId": "01a1f8d3-ea00-7183-8d70-76267ba6f07f", "errorText": null, "releaseId": "7710223505820840123", "platformId": "01a1f8d3-ea00-7000-9047-f9c4b827ec95", "releaseUrl": null, "parentPostId": "01a1f8d3-ea00-7206-8f73-8ede375f3fdb", "scheduledFor": null}', 1795176301000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d8-81c8-7000-b81a-f441145ede1d', 'post.queued', '{"state": "QUEUE", "postId": "01a1f8d8-81c8-7db3-bedb-277bc1aa20ea", "groupId": "01a1f8d8-81c8-7d75-8848-26e7aedc0106", "errorText": null, "releaseId": null, "platformId": "01a1f8d3-ea00-7000-8c55-621118298e1b", "releaseUrl": null, "parentPostId": null, "scheduledFor": null}', 1795176301000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d8-81c8-7000-ba06-9b601c73f4a5', 'post.action_required', '{"state": "ACTION_REQUIRED", "postId": "01a1f8d8-81c8-7db3-bedb-277bc1aa20ea", "groupId": "01a1f8d8-81c8-7d75-8848-26e7aedc0106", "errorText": "The post is in the creator''s inbox. Open the notification in the provider''s app and publish it there.", "releaseId": null, "platformId": "01a1f8d3-ea00-7000-8c55-621118298e1b", "releaseUrl": null, "parentPostId": null, "scheduledFor": null}', 1795176301000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d8-81c8-7000-bdf6-a3b4efe5a92d', 'post.queued', '{"state": "QUEUE", "postId": "01a1f8d8-81c8-7ac7-b7c2-9360d0b438cc", "groupId": "01a1f8d8-81c8-7667-89d0-b236ffbac8ae", "errorText": null, "releaseId": null, "platformId": "01a1f8d3-ea00-7000-8c55-621118298e1b", "releaseUrl": null, "parentPostId": null, "scheduledFor": null}', 1795176301000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d8-81c8-7000-bf05-8fe17539b6a7', 'post.failed', '{"state": "ERROR", "postId": "01a1f8d8-81c8-7ac7-b7c2-9360d0b438cc", "groupId": "01a1f8d8-81c8-7667-89d0-b236ffbac8ae", "errorText": "TikTok cannot read one of the files. Videos must be MP4, MOV or WebM with H.264, H.265, VP8 or VP9; photos must be JPEG or WebP. Replace the file and schedule the post again. (file_format_check_failed)", "releaseId": null, "platformId": "01a1f8d3-ea00-7000-8c55-621118298e1b", "releaseUrl": null, "parentPostId": null, "scheduledFor": null}', 1795176301000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d8-81c8-7001-824a-f3cc0fd8cfa0', 'post.queued', '{"state": "QUEUE", "postId": "01a1f8d8-81c8-76e8-95bc-3c5fafe1d482", "groupId": "01a1f8d8-81c8-789e-9931-bae609b25127", "errorText": null, "releaseId": null, "platformId": "01a1f8d3-ea00-7000-8c55-621118298e1b", "releaseUrl": null, "parentPostId": null, "scheduledFor": "2026-11-20T13:05:01.000Z"}', 1795176301000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d8-81c8-7001-8517-cbcdb6b98ada', 'post.queued', '{"state": "QUEUE", "postId": "01a1f8d8-81c8-716e-8fee-ee11d2f4b2a0", "groupId": "01a1f8d8-81c8-7b24-ab46-3747917eec4f", "errorText": null, "releaseId": null, "platformId": "01a1f8d3-ea00-7000-8c55-621118298e1b", "releaseUrl": null, "parentPostId": null, "scheduledFor": null}', 1795176301000000);
INSERT INTO public.folders VALUES ('01a1f8d3-ea00-7000-9817-aee3c0f2504f', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', 'Wind', 'wind', 1795176000000000, 1795176000000000);
INSERT INTO public.idempotency VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', 'kept', '\x8721963602355c358cd218ea8b3bb6798c60f144f7237c3640c6a6b1281f0095', 'completed', 201, '[["content-type", "application/json"]]', '\x7b22726573756c7473223a5b7b22737461747573223a2263726561746564222c22706c6174666f726d4964223a2230316131663864332d656130302d373030302d386335352d363231313138323938653162222c22706f7374223a7b22726f6f74223a7b226964223a2230316131663864382d383163382d373665382d393562632d336335666166653164343832222c2267726f75704964223a2230316131663864382d383163382d373839652d393933312d626165363039623235313237222c22706172656e74506f73744964223a6e756c6c2c22696e746567726174696f6e4964223a2230316131663864332d656130302d373030302d386335352d363231313138323938653162222c22636f6e74656e74223a22706c616e6e6564222c227374617465223a225155455545222c227363686564756c6564466f72223a22323032362d31312d32305431333a30353a30312e3030305a222c2264656c6179496e4d696e75746573223a6e756c6c2c2272656c656173654964223a6e756c6c2c2272656c6561736555726c223a6e756c6c2c2273657474696e6773223a7b22707269766163795f6c6576656c223a225055424c49435f544f5f45564552594f4e45227d2c226d65646961496473223a5b2230316131663864332d656130302d373462382d623337662d313733643639343338376230225d2c226572726f7254657874223a6e756c6c2c22637265617465644174223a22323032362d31312d32305431323a30353a30312e3030305a222c22757064617465644174223a22323032362d31312d32305431323a30353a30312e3030305a222c22637265617465644279223a7b226b696e64223a226b6579222c226964223a2230316131663864332d656130302d373066622d616234652d666263643264393131393234222c226e616d65223a2274657374227d2c22757064617465644279223a6e756c6c7d2c226368696c6472656e223a5b5d7d2c2277696c6c5075626c6973684174223a22323032362d31312d32305431333a30353a30312e3030305a222c227761726e696e6773223a5b5d7d5d7d', 1795176301000000);
INSERT INTO public.instance VALUES (1, false, '\x4bb06f8eda79fd32e2dbb3251bbc4512d0fff4feaf2d08c2e3f1b818def15db2483fb72d4601ad4923a7a6d466305af900805b', NULL, NULL, 3, 1795176301000000, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.invitations VALUES ('01a1f8d3-ea00-75a7-9e54-1aff2611f91c', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', 'cay@example.org', 'member', '\x7091a974dce7263225f064d6bbda0bad6377797242451a191d08e399fdaa90a7', '01a1f8d3-ea00-7f43-a7b6-66e1b31ab1c1', 1795176000000000, 1795780800000000, NULL);
INSERT INTO public.jobs VALUES ('01a1f8d3-ea00-7000-8da1-566aad2955d9', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-7000-8c55-621118298e1b', NULL, 'refresh_platform', 1795243918236380, 1795243918236380, 0, 0, 0, NULL, NULL, 1795348800000000, NULL, NULL, 'housekeeping');
INSERT INTO public.jobs VALUES ('01a1f8d3-ea00-7000-91a5-2d0b23b039ab', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-7000-9047-f9c4b827ec95', NULL, 'refresh_platform', 1795239445482165, 1795239445482165, 0, 0, 0, NULL, NULL, 1795348800000000, NULL, NULL, 'housekeeping');
INSERT INTO public.jobs VALUES ('01a1f8d8-81c8-7000-b6da-28d9673c35f1', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-7000-9047-f9c4b827ec95', '01a1f8d3-ea00-7936-8a52-24b6e89ff845', 'publish_comment', 1795236301000000, 1795236301000000, 0, 0, 0, NULL, NULL, 1795322701000000, 1795236301000000, NULL, 'check');
INSERT INTO public.jobs VALUES ('01a1f8d8-81c8-7000-bbd7-5fc6eef857ef', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-7000-8c55-621118298e1b', '01a1f8d8-81c8-7db3-bedb-277bc1aa20ea', 'resolve_link', 1795176311000000, 1795176311000000, 0, 0, 0, NULL, NULL, 1795262711000000, 1795176311000000, NULL, 'housekeeping');
INSERT INTO public.jobs VALUES ('01a1f8d8-81c8-7001-815f-fd21c6a458a2', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-7000-8c55-621118298e1b', '01a1f8d8-81c8-76e8-95bc-3c5fafe1d482', 'publish_post', 1795179901000000, 1795179901000000, 0, 0, 0, NULL, NULL, 1795266301000000, 1795179901000000, NULL, 'start');
INSERT INTO public.jobs VALUES ('01a1f8d8-81c8-7001-84fb-8dac1f3c1b5c', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-7000-8c55-621118298e1b', '01a1f8d8-81c8-716e-8fee-ee11d2f4b2a0', 'publish_post', 1795176302000000, 1795176302000000, 1, 0, 1, NULL, NULL, 1795262701000000, 1795176301000000, 1795176301000000, 'check');
INSERT INTO public.keys VALUES ('01a1f8d3-ea00-7527-9512-ccc240d3bd99', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', '\x994f17c30f2f19bd0f52638c2914dbda6cf325b5974f92b06b1be98d789d89f2', 'Ada''s', '5Dao', '01a1f8d3-ea00-7f43-a7b6-66e1b31ab1c1', 1795176000000000, NULL, NULL, NULL);
INSERT INTO public.keys VALUES ('01a1f8d3-ea00-7956-a877-959d7706f481', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', '\x14e00ca4b89f5073cf7d25d00a05b1032b2a81e6b7af4d384c8d0a5872d85649', 'lost', 'l47j', '01a1f8d3-ea00-7f43-a7b6-66e1b31ab1c1', 1795176000000000, NULL, NULL, 1795176000000000);
INSERT INTO public.keys VALUES ('01a1f8d3-ea00-70fb-ab4e-fbcd2d911924', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', '\x99d81400a2370643510bb6934f0dd4f2841fbee5cc365fbf5a049653eef71f1f', 'test', 'aDXx', NULL, 1795176000000000, 1795176301000000, NULL, NULL);
INSERT INTO public.media VALUES ('01a1f8d3-ea00-7539-b274-5bfc33519656', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-7000-9817-aee3c0f2504f', 'e97d5de4ef9f212e3b3211691e17fdf8', 'e97d5de4ef9f212e3b3211691e17fdf8.preview.webp', 'image/jpeg', 'image', 10203, 'photo.jpg', 'READY', '{"width": 360, "height": 640, "blurhash": "LzHV9Z2?wxkVl}WDjte;gJfjfQfj", "frameRate": null, "audioCodec": null, "durationMs": null, "videoCodec": null, "previewWidth": 360, "previewHeight": 640, "rotationDegrees": 0}', '\xb37806b495aa6181e4fedb79007ff7f8dde1f1cb491fd37149cbdf1bfeee2720', NULL, NULL, NULL, NULL, 1795176000000000, 1795176000000000, 0, NULL, NULL);
INSERT INTO public.media VALUES ('01a1f8d3-ea00-74b8-b37f-173d694387b0', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', NULL, 'a17c50cdf26548cab42b618a727ee1bb', 'a17c50cdf26548cab42b618a727ee1bb.preview.webp', 'video/mp4', 'video', 221936, 'clip.mp4', 'READY', '{"width": 720, "height": 1280, "blurhash": "LsFzp$s:RRn,xZj[WCf70zWCt6bG", "frameRate": 30.0, "audioCodec": "aac", "durationMs": 6000, "videoCodec": "h264", "previewWidth": 480, "previewHeight": 853, "rotationDegrees": 0}', '\x68a4bf064b6e0fcb556eefb10b016a8e4ebc59a3bd1070c40ba7075d677a70cc', NULL, NULL, NULL, NULL, 1795176000000000, 1795176000000000, 0, NULL, NULL);
INSERT INTO public.media VALUES ('01a1f8d8-81c8-7720-a46f-2b04b4a3129e', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', NULL, '3d7e4a959a3cf36a0aef39e9cebeb429', NULL, 'video/mp4', 'video', 221936, 'upload.mp4', 'PENDING', NULL, NULL, 221936, 0, NULL, 1795262701000000, NULL, 1795176301000000, 0, NULL, NULL);
INSERT INTO public.members VALUES ('01a1f8d3-ea00-7a16-9bb3-1b4f490f1105', '01a1f8d3-ea00-7f43-a7b6-66e1b31ab1c1', 'owner', 1795176000000000);
INSERT INTO public.members VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-7f43-a7b6-66e1b31ab1c1', 'owner', 1795176000000000);
INSERT INTO public.members VALUES ('01a1f8d3-ea00-78dd-88c4-23b5efc8598f', '01a1f8d3-ea00-74c0-839d-e0931a6a6aa9', 'owner', 1795176000000000);
INSERT INTO public.members VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-74c0-839d-e0931a6a6aa9', 'member', 1795176000000000);
INSERT INTO public.password_resets VALUES ('\xa74890ede6201c1a0403ba587ff8cf39152e3596cde9ebb2b2435a59b412ac4a', '01a1f8d3-ea00-74c0-839d-e0931a6a6aa9', 1795176000000000, 1795179600000000);
INSERT INTO public.platforms VALUES ('01a1f8d3-ea00-7000-8c55-621118298e1b', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', 'tiktok', '-000s8NHWCpY72ild6TJ7o4xnXKC2U1np0O3', 'Kite Studio', 'kitestudio', 'http://127.0.0.1:34723/sim/avatar/kitestudio.svg', false, false, '\x4bb06f8ed1fb9e3f96e0c1421693db488ec9f78374c36d4219b0d54bd8d721af37f92952127d216d00ce3d22abba9aef3eb322b7f7b3786fa207725151b94c8c5025af41214eb4a338a661da8d434de4751dbdc55ec006401732e1', 1795262400000000, '\x4bb06f8e94ea2c64ecb06d403acb4e0d800ba1370780061168a40bdcd4f3ba2e7fb66e76d7ff46dfda5d65f5ed10287c63ed111e167bfd7007670c89a7078435714b6e218572c81ec76468d8af1111f887c8488ebdda390f992975', 1826712000000000, '["user.info.basic", "user.info.profile", "video.publish", "video.upload", "video.list"]', 1, NULL, NULL, '["video", "photos", "direct_post", "inbox_draft"]', '{"scopes": ["user.info.basic", "user.info.profile", "video.publish", "video.upload", "video.list"], "username": "kitestudio", "refreshedAt": "2026-11-20T12:00:00.000Z", "duetDisabled": false, "stitchDisabled": false, "commentDisabled": false, "privacyLevelOptions": ["PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", "SELF_ONLY"], "maxVideoPostDurationSec": 600}', '{}', 1795176000000000, 1795176000000000, NULL, 'creator', 1795176000000000, NULL, NULL);
INSERT INTO public.platforms VALUES ('01a1f8d3-ea00-7000-9047-f9c4b827ec95', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', 'tiktok', '_000iLELiIB8IxBR2EMDFYNpDze3006ARVkm', 'kiteshop', 'kiteshop', 'http://127.0.0.1:34723/sim/avatar/kiteshop.svg', false, false, '\x4bb06f8ecb27ac0fbffb51b8bc1d6db87bf6d26c0eb5416de9f65c31c069597939fc6ac6cccc843358612b880e399379ed4e19e6467c8653631f463e305d79680e3d5494b6ac0148324c08d8a567965bb30275aa3a43263221e501', 1795262400000000, '\x4bb06f8eecfad404c10b309fd3305b9ba2722bc5394f97d92273a338bd45e89e7f59c8cd6d37140926e46d978b94d751469fe6a373975ca7142e1c1072d062b55921cc928e9433c7b884458bec51303da5f14fafa718cbdaf67a03', 1826712000000000, '["user.info.basic", "user.info.username", "video.publish", "video.upload", "video.list", "comment.list", "comment.list.manage"]', 1, NULL, NULL, '["video", "photos", "direct_post", "inbox_draft", "comments"]', '{"scopes": ["user.info.basic", "user.info.username", "video.publish", "video.upload", "video.list", "comment.list", "comment.list.manage"], "username": "kiteshop", "refreshedAt": "2026-11-20T12:00:00.000Z", "duetDisabled": false, "stitchDisabled": false, "commentDisabled": false, "privacyLevelOptions": ["PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", "SELF_ONLY"], "maxVideoPostDurationSec": 600}', '{}', 1795176000000000, 1795176000000000, NULL, 'business', 1795176000000000, NULL, NULL);
INSERT INTO public.platforms VALUES ('01a1f8d3-ea00-7000-94ab-1c06cc57b207', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', 'tiktok', '-000ZYMtVgQkSKN5fx4Asc1bJWPWfeMNbeCC', 'kitesgone', 'kitesgone', 'http://127.0.0.1:34723/sim/avatar/kitesgone.svg', false, false, NULL, NULL, NULL, NULL, '["user.info.basic", "user.info.profile", "video.publish", "video.upload", "video.list"]', 2, NULL, NULL, '["video", "photos", "direct_post", "inbox_draft"]', '{"scopes": ["user.info.basic", "user.info.profile", "video.publish", "video.upload", "video.list"], "username": "kitesgone", "refreshedAt": "2026-11-20T12:00:00.000Z", "duetDisabled": false, "stitchDisabled": false, "commentDisabled": false, "privacyLevelOptions": ["PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", "SELF_ONLY"], "maxVideoPostDurationSec": 600}', '{}', 1795176000000000, 1795176301000000, 1795176301000000, 'creator', 1795176000000000, NULL, NULL);
INSERT INTO public.post_media VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-7320-89a4-2b83c48c4a05', 0, '01a1f8d3-ea00-74b8-b37f-173d694387b0');
INSERT INTO public.post_media VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-7206-8f73-8ede375f3fdb', 0, '01a1f8d3-ea00-74b8-b37f-173d694387b0');
INSERT INTO public.post_media VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d8-81c8-7db3-bedb-277bc1aa20ea', 0, '01a1f8d3-ea00-74b8-b37f-173d694387b0');
INSERT INTO public.post_media VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d8-81c8-7ac7-b7c2-9360d0b438cc', 0, '01a1f8d3-ea00-74b8-b37f-173d694387b0');
INSERT INTO public.post_media VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d8-81c8-758e-ba58-ef9dc9b30183', 0, '01a1f8d3-ea00-74b8-b37f-173d694387b0');
INSERT INTO public.post_media VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d8-81c8-76e8-95bc-3c5fafe1d482', 0, '01a1f8d3-ea00-74b8-b37f-173d694387b0');
INSERT INTO public.post_media VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d8-81c8-716e-8fee-ee11d2f4b2a0', 0, '01a1f8d3-ea00-74b8-b37f-173d694387b0');
INSERT INTO public.posts VALUES ('01a1f8d8-81c8-716e-8fee-ee11d2f4b2a0', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d8-81c8-7b24-ab46-3747917eec4f', NULL, 0, '01a1f8d3-ea00-7000-8c55-621118298e1b', 'open', 'QUEUE', NULL, true, NULL, NULL, NULL, NULL, '{"privacy_level": "PUBLIC_TO_EVERYONE"}', NULL, 1795176301000000, '2026-11', 1795176301000000, 1795176301000000, 1, NULL, '{"id": "01a1f8d3-ea00-70fb-ab4e-fbcd2d911924", "kind": "key", "name": "test"}', NULL, NULL, NULL, false, NULL);
INSERT INTO public.posts VALUES ('01a1f8d3-ea00-7320-89a4-2b83c48c4a05', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-75d2-aa1d-7c8ab11f8e87', NULL, 0, '01a1f8d3-ea00-7000-8c55-621118298e1b', 'published', 'PUBLISHED', NULL, false, NULL, NULL, '7710222211873853276', 'http://127.0.0.1:34723/@kitestudio/video/7710222211873853276', '{"privacy_level": "PUBLIC_TO_EVERYONE"}', NULL, 1795176000000000, '2026-11', 1795176000000000, 1795176000000000, 1, NULL, '{"id": "01a1f8d3-ea00-70fb-ab4e-fbcd2d911924", "kind": "key", "name": "test"}', NULL, NULL, NULL, false, NULL);
INSERT INTO public.posts VALUES ('01a1f8d3-ea00-7936-8a52-24b6e89ff845', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-7183-8d70-76267ba6f07f', '01a1f8d3-ea00-7206-8f73-8ede375f3fdb', 2, '01a1f8d3-ea00-7000-9047-f9c4b827ec95', 'in the evening', 'QUEUE', NULL, false, NULL, 1000, NULL, NULL, '{}', NULL, 1795176000000000, NULL, 1795176000000000, 1795176000000000, 1, NULL, '{"id": "01a1f8d3-ea00-70fb-ab4e-fbcd2d911924", "kind": "key", "name": "test"}', NULL, NULL, NULL, false, NULL);
INSERT INTO public.posts VALUES ('01a1f8d3-ea00-7206-8f73-8ede375f3fdb', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-7183-8d70-76267ba6f07f', NULL, 0, '01a1f8d3-ea00-7000-9047-f9c4b827ec95', 'commented', 'PUBLISHED', NULL, false, NULL, NULL, '7710222213662311336', 'http://127.0.0.1:34723/@kiteshop/video/7710222213662311336', '{"allow_comment": true}', NULL, 1795176000000000, '2026-11', 1795176000000000, 1795176001000000, 1, NULL, '{"id": "01a1f8d3-ea00-70fb-ab4e-fbcd2d911924", "kind": "key", "name": "test"}', NULL, NULL, NULL, false, NULL);
INSERT INTO public.posts VALUES ('01a1f8d3-ea00-72eb-9e56-22590114f030', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-7183-8d70-76267ba6f07f', '01a1f8d3-ea00-7206-8f73-8ede375f3fdb', 1, '01a1f8d3-ea00-7000-9047-f9c4b827ec95', 'first', 'PUBLISHED', NULL, false, NULL, 5, '7710223505820840123', NULL, '{}', NULL, 1795176000000000, NULL, 1795176000000000, 1795176301000000, 1, NULL, '{"id": "01a1f8d3-ea00-70fb-ab4e-fbcd2d911924", "kind": "key", "name": "test"}', NULL, NULL, NULL, false, NULL);
INSERT INTO public.posts VALUES ('01a1f8d8-81c8-7db3-bedb-277bc1aa20ea', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d8-81c8-7d75-8848-26e7aedc0106', NULL, 0, '01a1f8d3-ea00-7000-8c55-621118298e1b', 'inbox', 'ACTION_REQUIRED', 'inbox', false, NULL, NULL, NULL, NULL, '{"post_mode": "MEDIA_UPLOAD"}', 'The post is in the creator''s inbox. Open the notification in the provider''s app and publish it there.', 1795176301000000, '2026-11', 1795176301000000, 1795176301000000, 1, NULL, '{"id": "01a1f8d3-ea00-70fb-ab4e-fbcd2d911924", "kind": "key", "name": "test"}', NULL, NULL, NULL, false, NULL);
INSERT INTO public.posts VALUES ('01a1f8d8-81c8-7ac7-b7c2-9360d0b438cc', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d8-81c8-7667-89d0-b236ffbac8ae', NULL, 0, '01a1f8d3-ea00-7000-8c55-621118298e1b', 'failed', 'ERROR', NULL, false, NULL, NULL, NULL, NULL, '{"privacy_level": "PUBLIC_TO_EVERYONE"}', 'TikTok cannot read one of the files. Videos must be MP4, MOV or WebM with H.264, H.265, VP8 or VP9; photos must be JPEG or WebP. Replace the file and schedule the post again. (file_format_check_failed)', 1795176301000000, '2026-11', 1795176301000000, 1795176301000000, 1, NULL, '{"id": "01a1f8d3-ea00-70fb-ab4e-fbcd2d911924", "kind": "key", "name": "test"}', NULL, NULL, NULL, false, NULL);
INSERT INTO public.posts VALUES ('01a1f8d8-81c8-758e-ba58-ef9dc9b30183', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d8-81c8-7148-bf45-b3fda773bc09', NULL, 0, '01a1f8d3-ea00-7000-8c55-621118298e1b', 'draft', 'DRAFT', NULL, false, NULL, NULL, NULL, NULL, '{"privacy_level": "PUBLIC_TO_EVERYONE"}', NULL, 1795176301000000, NULL, 1795176301000000, 1795176301000000, 1, NULL, '{"id": "01a1f8d3-ea00-70fb-ab4e-fbcd2d911924", "kind": "key", "name": "test"}', NULL, NULL, NULL, false, NULL);
INSERT INTO public.posts VALUES ('01a1f8d8-81c8-76e8-95bc-3c5fafe1d482', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d8-81c8-789e-9931-bae609b25127', NULL, 0, '01a1f8d3-ea00-7000-8c55-621118298e1b', 'planned', 'QUEUE', NULL, false, 1795179901000000, NULL, NULL, NULL, '{"privacy_level": "PUBLIC_TO_EVERYONE"}', NULL, 1795179901000000, '2026-11', 1795176301000000, 1795176301000000, 1, NULL, '{"id": "01a1f8d3-ea00-70fb-ab4e-fbcd2d911924", "kind": "key", "name": "test"}', NULL, NULL, NULL, false, NULL);
INSERT INTO public.recovery_codes VALUES ('01a1f8d3-ea00-7f43-a7b6-66e1b31ab1c1', '\x4b86af2c88ca5a81f7f862a0f4e47333ce85315c845bd708121041c437be7901');
INSERT INTO public.recovery_codes VALUES ('01a1f8d3-ea00-7f43-a7b6-66e1b31ab1c1', '\x960392b6711dc7f1525217dddd8b6e2e47ab47c22b72748f0c73bc14a5a95c66');
INSERT INTO public.recovery_codes VALUES ('01a1f8d3-ea00-7f43-a7b6-66e1b31ab1c1', '\x1c9e498772aa804c982542e511a913cfd79031f8bf4bb5b9af376d800474402c');
INSERT INTO public.recovery_codes VALUES ('01a1f8d3-ea00-7f43-a7b6-66e1b31ab1c1', '\xb266ec4c7bf4090fd4dcb61e5bac37aea59fb4306e4c651dc4c7b6be77aa95fd');
INSERT INTO public.recovery_codes VALUES ('01a1f8d3-ea00-7f43-a7b6-66e1b31ab1c1', '\x0d8a691c6acaef22b102d578bc784983e495f22484ae32acbfd61f068cf39afe');
INSERT INTO public.recovery_codes VALUES ('01a1f8d3-ea00-7f43-a7b6-66e1b31ab1c1', '\x1e1ed0f23bbcc15855b167f90ebd0b273196547e369886c28ef7983848d54b02');
INSERT INTO public.recovery_codes VALUES ('01a1f8d3-ea00-7f43-a7b6-66e1b31ab1c1', '\x1994c93d664671a9a458642ba1737e80dff9e7fbfcd8a144ad3437edfa542381');
INSERT INTO public.recovery_codes VALUES ('01a1f8d3-ea00-7f43-a7b6-66e1b31ab1c1', '\xe3fb220f432464c1d260f57e5ecafa2718f692ad1d71c5d77321f0ee7c97afb2');
INSERT INTO public.recovery_codes VALUES ('01a1f8d3-ea00-7f43-a7b6-66e1b31ab1c1', '\x92d057960ea0bd186a88f9f035feaa9bfbd30aa02491888d6baa24debee90dc3');
INSERT INTO public.recovery_codes VALUES ('01a1f8d3-ea00-7f43-a7b6-66e1b31ab1c1', '\x0ea87db90de0fe94e442cc1e5f1b72f08698197f0eb9bdaeb8f52912a23a6d1d');
INSERT INTO public.removed_submissions VALUES ('01a1f8d3-ea00-7000-aa8b-c175a7ee571b', 'tiktok', '-000s8NHWCpY72ild6TJ7o4xnXKC2U1np0O3', NULL, '7710222213275034419', '\xe1f79758cc42e6fe6037941205d1fbc37f5780f13aa077d0ba8287fd93cecd52', false, false, 1795176000000000);
INSERT INTO public.removed_submissions VALUES ('01a1f8d3-ea00-7000-abe5-bb64d268dde8', 'tiktok', '-000s8NHWCpY72ild6TJ7o4xnXKC2U1np0O3', 'v_pub_file~v2-1.7710222211247225967', NULL, '\xe1f79758cc42e6fe6037941205d1fbc37f5780f13aa077d0ba8287fd93cecd52', false, false, 1795176000000000);
INSERT INTO public.revocations VALUES ('01a1f8d3-ea00-7000-94ab-1c06cc57b207', 1, 'tiktok', '-000ZYMtVgQkSKN5fx4Asc1bJWPWfeMNbeCC', '\x4bb06f8e2163ebfe58e50f7c3ecc0441cb909fb4119b8e7c586e6683ece5b350383eb1263e2cf7e3db4bce1b80755a55aa2d59526aafd055d0026164a85fbab513dea84e8f8979bd9f2de41d525792d6d0157bf597f15e46d38ac2', '\x4bb06f8e9717d49c844e28af205edc836a2acf99128d82fbafd9248c99bdde42205aff21b2fe3d397b579b6a169260a5ce8120d388c962cdc7764c1eeb31259644882277d7e00542785d53935675aa9795a6f756cc9b1509830fca', 1826712000000000, 1795176301000000, NULL, 0, 0, 'creator');
INSERT INTO public.second_factors VALUES ('01a1f8d3-ea00-7f43-a7b6-66e1b31ab1c1', '\x4bb06f8e1c3621dcaaaff2f2422ed7f9e2780d6cb3d3fef33b8da2ad99d9506c4a3ea8b68e66c5f97d2fea06341a868343901ef4043674e05d99e4f242ab016aa137ed9a800faa919bf161c5', 59839200, 1795176000000000, NULL);
INSERT INTO public.sessions VALUES ('\x83afeb4c697f955d9e1ca542a491f459afda3167f7de3cb6dc8945511bad0467', '01a1f8d3-ea00-7932-984a-1a8a15f6a6f1', '01a1f8d3-ea00-7f43-a7b6-66e1b31ab1c1', '127.0.0.1', 1795176000000000, 1797768000000000, NULL, 1795176000000000);
INSERT INTO public.sessions VALUES ('\x02ca8635cd1af0361ae2087c7fcd2a0cd798bbbcd56e7103524c3386e74330f3', '01a1f8d3-ea00-7e65-827d-fc3b75b3f106', '01a1f8d3-ea00-74c0-839d-e0931a6a6aa9', '127.0.0.1', 1795176000000000, 1797768000000000, NULL, 1795176000000000);
INSERT INTO public.storage VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', 454075);
INSERT INTO public.submissions VALUES ('01a1f8d8-81c8-7414-be7c-a4e1f2d0915e', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-7000-8c55-621118298e1b', '01a1f8d8-81c8-7db3-bedb-277bc1aa20ea', 'upload', 'v_inbox_file~v2.7710223505194212814', '\x4bb06f8e85bb5533ad4918c8aed7eda9d0a3fb531d137ef9e00df86c266192c2953686441794386d3655252ae45bce881469472362f8e6541b905c1133e8925631ae9c81f7a3dbbc359b0939bb0183acc553590db5e2f786a5f5a8fc3ba430387efe8c245d0fa98a8d52cbad390a3a8a9468253ec336b10150bd09df893498fd53d2deccbfcc21fabfac6ee86f84727ea64b2e5f26f623d638cae95750dd446d4a2b9812be99214bf1905bb8fc64942ae75b4936c2f102dc086c72b1f90f09ce321edbf3729cc6fda7d21382365e891587c60de20632896d5008ddf4878d43c324d491af316180ca446e2601eb7df62d68bf61', 221936, NULL, 1795176301000000, NULL, NULL, 1795176301000000, 1795176301000000, 'in_inbox', NULL, NULL, NULL, NULL, 'Videos are uploaded: an upload can be resumed, and nothing can be published before its last byte.', 'inbox');
INSERT INTO public.submissions VALUES ('01a1f8d3-ea00-75d0-9806-f2401f3fb77b', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-7000-8c55-621118298e1b', '01a1f8d3-ea00-7320-89a4-2b83c48c4a05', 'upload', 'v_pub_file~v2-1.7710222214141012120', '\x4bb06f8e4dd9be0d74832bdb0ae6c6217e47fa8c18450ee8bcf7a27fe5dd531747f0f70fa8d0a0783ffea770c3e7072b06aff2102fd051fe17dc47920f6737f987f4ab6b87da9281e849cf555ce7827a474cc4f5b33911f2c673fad3e99ef74c88e06335a9e73b3f90ca228e83d78fc187a27ee1acba093812e749a2067d53009f161d28bc4dbcca02b4e8f6682307958f7dd7ede1921e0d15ad14dca9938808fa3b1e6bb937a2fc32ae2b617d0660fd5269935631ae09dddd5d45ae9f860eacd160dd6c95f727d29d63fe82a228000bda59ac16f4262d6600be9ebb12441820d602c650e3841ab8a057ba4a393ec7beb7ce82', 221936, NULL, 1795176000000000, NULL, NULL, 1795176000000000, 1795176000000000, 'published', NULL, NULL, NULL, NULL, 'Videos are uploaded: an upload can be resumed, and nothing can be published before its last byte.', 'published');
INSERT INTO public.submissions VALUES ('01a1f8d3-ea00-7010-9c6a-a0d3ca9d4543', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-7000-9047-f9c4b827ec95', '01a1f8d3-ea00-7206-8f73-8ede375f3fdb', 'pull', 'v_pub_url~v1.7710222212648407110', NULL, 0, '\x58205759f01917dd07b78f86a1b9009498d59db5dda8cb357f1ae4baa13f39e9', NULL, 1795176000000000, NULL, 1795176000000000, 1795176001000000, 'published', NULL, NULL, NULL, NULL, 'TikTok''s business API takes media only by fetching them from this service.', 'commented');
INSERT INTO public.submissions VALUES ('01a1f8d8-81c8-7c56-a936-0cf7e76c234b', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-7000-9047-f9c4b827ec95', '01a1f8d3-ea00-72eb-9e56-22590114f030', 'text', NULL, NULL, 0, NULL, NULL, NULL, NULL, 1795176301000000, 1795176301000000, 'published', NULL, NULL, NULL, NULL, NULL, 'first');
INSERT INTO public.submissions VALUES ('01a1f8d8-81c8-7d91-bf6a-7527dbcd99fc', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-7000-8c55-621118298e1b', '01a1f8d8-81c8-7ac7-b7c2-9360d0b438cc', 'upload', 'v_pub_file~v2-1.7710223503940958196', '\x4bb06f8e4332fe6ee8bb4ccf987d36569a903f3d8518121fe4e4f7382ffc9cd7d70aae5da442af4bbe198228a9ae910934af39c47bb1f85d4934b1ecf633175d725ed998aa30a42c8379a1bdfc635689f85309ec7b6978a05cbdd3867385c8a93e252d012c504023ed105e444cd9bce7b2367e45312e30b3ed7569067401518b9ccdef38ee7ba51c2afc0bd520f62ee85476f88ffd2da040b6ea18608f8e0ab8fcbe95dc03c4bfa313c7df3b508215e25c558254f234a461ccb1827f42f6166ba5b58de89bdac80e5073b1be61c33dd45882a2cd048783ec2e2fd8b80099b5f75388f92350bc419204f1f18cfbd319d32d354d', 221936, NULL, 1795176301000000, NULL, NULL, 1795176301000000, 1795176301000000, 'rejected', 'file_format_check_failed', 'TikTok cannot read one of the files. Videos must be MP4, MOV or WebM with H.264, H.265, VP8 or VP9; photos must be JPEG or WebP. Replace the file and schedule the post again.', NULL, NULL, 'Videos are uploaded: an upload can be resumed, and nothing can be published before its last byte.', 'failed');
INSERT INTO public.submissions VALUES ('01a1f8d8-81c8-7fb1-9403-1840472bfdf6', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-7000-8c55-621118298e1b', '01a1f8d8-81c8-716e-8fee-ee11d2f4b2a0', 'upload', 'v_pub_file~v2-1.7710223506982670874', '\x4bb06f8e5662d3d07804db8d3d0abad458598151298e31f72a5e700bff8a2e6ca91e23028cb4081787617816c57e530102ddde678feb01df3f148583c8ca31963d2a4576859955bd29a3ae4bb98feb6d353525f8bb82db4f4f4efecf0837f79c81caee9e366158ab5a7e35b91960e78a317bf4705b6004d9076534e7b89864e1f64ec52b7418c158ab0b4c16aac0449a789cdfcf3216602d6d341e3dbe854b2a6a6346534b0c6620a91ad0c344db9b8444a8abc108db617a3014a534d34cc497ecf26abbdad58eaff35c5deb77c085c42fa9b70b99d12ae800bf6916c87d05c754e326085eb520e5d596e5088fda80fd00aaee', 221936, NULL, 1795176301000000, NULL, NULL, 1795176301000000, NULL, NULL, NULL, NULL, NULL, NULL, 'Videos are uploaded: an upload can be resumed, and nothing can be published before its last byte.', 'open');
INSERT INTO public.usage VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', '2026-11', 7, 0);
INSERT INTO public.users VALUES ('01a1f8d3-ea00-7f43-a7b6-66e1b31ab1c1', 'ada@example.org', '$argon2id$v=19$m=19456,t=2,p=1$DQCLbbyXbhdrzdSzT3baHw$/UpQbk+BQOnAPbAbZe4535tnjOd5Fyec4mNIUUJVYZQ', NULL, 1795176000000000, NULL, true);
INSERT INTO public.users VALUES ('01a1f8d3-ea00-74c0-839d-e0931a6a6aa9', 'bob@example.org', '$argon2id$v=19$m=19456,t=2,p=1$LMId/APoSvJf/JK83rgCQw$LFnoyHqKaBKduZnH0WNPFa82SzqatRj9CkEpcTrO5Gc', NULL, 1795176000000000, NULL, false);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d3-ea00-7000-9bf6-bf5332f3e4d6', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-73a1-a2ef-250653c59eaa', '01a1f8d3-ea00-7000-9ab5-ff6fc91a4792', 'media.ready', '{"type":"media.ready","timestamp":"2026-11-20T12:00:00.000Z","data":{"id":"01a1f8d3-ea00-7539-b274-5bfc33519656","storageKey":"e97d5de4ef9f212e3b3211691e17fdf8","publicUrl":"http://127.0.0.1:19663/media/e97d5de4ef9f212e3b3211691e17fdf8","previewUrl":"http://127.0.0.1:19663/media/e97d5de4ef9f212e3b3211691e17fdf8.preview.webp","mimeType":"image/jpeg","size":10203,"mediaType":"image","originalFileName":"photo.jpg","status":"READY","thumbnailMetadata":{"width":360,"height":640,"previewWidth":360,"previewHeight":640,"blurhash":"LzHV9Z2?wxkVl}WDjte;gJfjfQfj","durationMs":null,"videoCodec":null,"audioCodec":null,"frameRate":null},"finalizedAt":"2026-11-20T12:00:00.000Z","folderId":"01a1f8d3-ea00-7000-9817-aee3c0f2504f","failure":null,"createdAt":"2026-11-20T12:00:00.000Z"}}', 'delivered', 1, 1795176075000000, NULL, NULL, 204, '', 1795176000000000, 1795176000000000, 0, 1795176000000000, 1795435200000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d3-ea00-7000-9d8e-63808a17a013', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-73a1-a2ef-250653c59eaa', '01a1f8d3-ea00-7000-9cca-422df54fb593', 'media.ready', '{"type":"media.ready","timestamp":"2026-11-20T12:00:00.000Z","data":{"id":"01a1f8d3-ea00-74b8-b37f-173d694387b0","storageKey":"a17c50cdf26548cab42b618a727ee1bb","publicUrl":"http://127.0.0.1:19663/media/a17c50cdf26548cab42b618a727ee1bb","previewUrl":"http://127.0.0.1:19663/media/a17c50cdf26548cab42b618a727ee1bb.preview.webp","mimeType":"video/mp4","size":221936,"mediaType":"video","originalFileName":"clip.mp4","status":"READY","thumbnailMetadata":{"width":720,"height":1280,"previewWidth":480,"previewHeight":853,"blurhash":"LsFzp$s:RRn,xZj[WCf70zWCt6bG","durationMs":6000,"videoCodec":"h264","audioCodec":"aac","frameRate":30.0},"finalizedAt":"2026-11-20T12:00:00.000Z","folderId":null,"failure":null,"createdAt":"2026-11-20T12:00:00.000Z"}}', 'delivered', 1, 1795176075000000, NULL, NULL, 204, '', 1795176000000000, 1795176000000000, 0, 1795176000000000, 1795435200000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d3-ea00-7000-a076-484d9fa0e438', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-73a1-a2ef-250653c59eaa', '01a1f8d3-ea00-7000-9f53-07eb1befff13', 'post.queued', '{"type":"post.queued","timestamp":"2026-11-20T12:00:00.000Z","data":{"id":"01a1f8d3-ea00-7320-89a4-2b83c48c4a05","groupId":"01a1f8d3-ea00-75d2-aa1d-7c8ab11f8e87","parentPostId":null,"integrationId":"01a1f8d3-ea00-7000-8c55-621118298e1b","content":"published","state":"QUEUE","scheduledFor":null,"delayInMinutes":null,"releaseId":null,"releaseUrl":null,"settings":{"privacy_level":"PUBLIC_TO_EVERYONE"},"mediaIds":["01a1f8d3-ea00-74b8-b37f-173d694387b0"],"errorText":null,"createdAt":"2026-11-20T12:00:00.000Z","updatedAt":"2026-11-20T12:00:00.000Z","createdBy":{"kind":"key","id":"01a1f8d3-ea00-70fb-ab4e-fbcd2d911924","name":"test"},"updatedBy":null}}', 'delivered', 1, 1795176075000000, NULL, NULL, 204, '', 1795176000000000, 1795176000000000, 0, 1795176000000000, 1795435200000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d3-ea00-7000-a24f-1b6ecb9f2305', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-73a1-a2ef-250653c59eaa', '01a1f8d3-ea00-7000-a14b-3b13e4b49cfc', 'post.published', '{"type":"post.published","timestamp":"2026-11-20T12:00:00.000Z","data":{"id":"01a1f8d3-ea00-7320-89a4-2b83c48c4a05","groupId":"01a1f8d3-ea00-75d2-aa1d-7c8ab11f8e87","parentPostId":null,"integrationId":"01a1f8d3-ea00-7000-8c55-621118298e1b","content":"published","state":"PUBLISHED","scheduledFor":null,"delayInMinutes":null,"releaseId":null,"releaseUrl":null,"settings":{"privacy_level":"PUBLIC_TO_EVERYONE"},"mediaIds":["01a1f8d3-ea00-74b8-b37f-173d694387b0"],"errorText":null,"createdAt":"2026-11-20T12:00:00.000Z","updatedAt":"2026-11-20T12:00:00.000Z","createdBy":{"kind":"key","id":"01a1f8d3-ea00-70fb-ab4e-fbcd2d911924","name":"test"},"updatedBy":null}}', 'delivered', 1, 1795176075000000, NULL, NULL, 204, '', 1795176000000000, 1795176000000000, 0, 1795176000000000, 1795435200000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d3-ea00-7000-a607-a5c33507df6c', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-73a1-a2ef-250653c59eaa', '01a1f8d3-ea00-7000-a5e3-63d2f5a0ae4a', 'post.queued', '{"type":"post.queued","timestamp":"2026-11-20T12:00:00.000Z","data":{"id":"01a1f8d3-ea00-7110-b230-127444a80f5e","groupId":"01a1f8d3-ea00-7318-aad2-53f04ffaa650","parentPostId":null,"integrationId":"01a1f8d3-ea00-7000-8c55-621118298e1b","content":"removed","state":"QUEUE","scheduledFor":null,"delayInMinutes":null,"releaseId":null,"releaseUrl":null,"settings":{"privacy_level":"PUBLIC_TO_EVERYONE"},"mediaIds":["01a1f8d3-ea00-74b8-b37f-173d694387b0"],"errorText":null,"createdAt":"2026-11-20T12:00:00.000Z","updatedAt":"2026-11-20T12:00:00.000Z","createdBy":{"kind":"key","id":"01a1f8d3-ea00-70fb-ab4e-fbcd2d911924","name":"test"},"updatedBy":null}}', 'delivered', 1, 1795176075000000, NULL, NULL, 204, '', 1795176000000000, 1795176000000000, 0, 1795176000000000, 1795435200000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d3-ea00-7000-a8a5-2d64e9bff278', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-73a1-a2ef-250653c59eaa', '01a1f8d3-ea00-7000-a797-3f7f09ca3730', 'post.published', '{"type":"post.published","timestamp":"2026-11-20T12:00:00.000Z","data":{"id":"01a1f8d3-ea00-7110-b230-127444a80f5e","groupId":"01a1f8d3-ea00-7318-aad2-53f04ffaa650","parentPostId":null,"integrationId":"01a1f8d3-ea00-7000-8c55-621118298e1b","content":"removed","state":"PUBLISHED","scheduledFor":null,"delayInMinutes":null,"releaseId":null,"releaseUrl":null,"settings":{"privacy_level":"PUBLIC_TO_EVERYONE"},"mediaIds":["01a1f8d3-ea00-74b8-b37f-173d694387b0"],"errorText":null,"createdAt":"2026-11-20T12:00:00.000Z","updatedAt":"2026-11-20T12:00:00.000Z","createdBy":{"kind":"key","id":"01a1f8d3-ea00-70fb-ab4e-fbcd2d911924","name":"test"},"updatedBy":null}}', 'delivered', 1, 1795176075000000, NULL, NULL, 204, '', 1795176000000000, 1795176000000000, 0, 1795176000000000, 1795435200000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d3-ea00-7000-b052-389da08212f4', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-73a1-a2ef-250653c59eaa', '01a1f8d3-ea00-7000-af67-b9bb6640e63d', 'post.queued', '{"type":"post.queued","timestamp":"2026-11-20T12:00:00.000Z","data":{"id":"01a1f8d3-ea00-7206-8f73-8ede375f3fdb","groupId":"01a1f8d3-ea00-7183-8d70-76267ba6f07f","parentPostId":null,"integrationId":"01a1f8d3-ea00-7000-9047-f9c4b827ec95","content":"commented","state":"QUEUE","scheduledFor":null,"delayInMinutes":null,"releaseId":null,"releaseUrl":null,"settings":{"allow_comment":true},"mediaIds":["01a1f8d3-ea00-74b8-b37f-173d694387b0"],"errorText":null,"createdAt":"2026-11-20T12:00:00.000Z","updatedAt":"2026-11-20T12:00:00.000Z","createdBy":{"kind":"key","id":"01a1f8d3-ea00-70fb-ab4e-fbcd2d911924","name":"test"},"updatedBy":null}}', 'delivered', 1, 1795176075000000, NULL, NULL, 204, '', 1795176000000000, 1795176000000000, 0, 1795176000000000, 1795435200000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d3-ede8-7000-b283-1bad8dbf3bed', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-73a1-a2ef-250653c59eaa', '01a1f8d3-ede8-7000-b100-4a4d00c76755', 'post.published', '{"type":"post.published","timestamp":"2026-11-20T12:00:01.000Z","data":{"id":"01a1f8d3-ea00-7206-8f73-8ede375f3fdb","groupId":"01a1f8d3-ea00-7183-8d70-76267ba6f07f","parentPostId":null,"integrationId":"01a1f8d3-ea00-7000-9047-f9c4b827ec95","content":"commented","state":"PUBLISHED","scheduledFor":null,"delayInMinutes":null,"releaseId":"7710222213662311336","releaseUrl":"http://127.0.0.1:34723/@kiteshop/video/7710222213662311336","settings":{"allow_comment":true},"mediaIds":["01a1f8d3-ea00-74b8-b37f-173d694387b0"],"errorText":null,"createdAt":"2026-11-20T12:00:00.000Z","updatedAt":"2026-11-20T12:00:01.000Z","createdBy":{"kind":"key","id":"01a1f8d3-ea00-70fb-ab4e-fbcd2d911924","name":"test"},"updatedBy":null}}', 'delivered', 1, 1795176076000000, NULL, NULL, 204, '', 1795176001000000, 1795176001000000, 0, 1795176001000000, 1795435201000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d8-81c8-7000-b595-6e1c8a47e569', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-73a1-a2ef-250653c59eaa', '01a1f8d8-81c8-7000-b4a8-920c63d35a55', 'post.published', '{"type":"post.published","timestamp":"2026-11-20T12:05:01.000Z","data":{"id":"01a1f8d3-ea00-72eb-9e56-22590114f030","groupId":"01a1f8d3-ea00-7183-8d70-76267ba6f07f","parentPostId":"01a1f8d3-ea00-7206-8f73-8ede375f3fdb","integrationId":"01a1f8d3-ea00-7000-9047-f9c4b827ec95","content":"first","state":"PUBLISHED","scheduledFor":null,"delayInMinutes":5,"releaseId":"7710223505820840123","releaseUrl":null,"settings":{},"mediaIds":[],"errorText":null,"createdAt":"2026-11-20T12:00:00.000Z","updatedAt":"2026-11-20T12:05:01.000Z","createdBy":{"kind":"key","id":"01a1f8d3-ea00-70fb-ab4e-fbcd2d911924","name":"test"},"updatedBy":null}}', 'delivered', 1, 1795176376000000, NULL, NULL, 204, '', 1795176301000000, 1795176301000000, 0, 1795176301000000, 1795435501000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d8-81c8-7000-b9a0-32883fbad54e', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-73a1-a2ef-250653c59eaa', '01a1f8d8-81c8-7000-b81a-f441145ede1d', 'post.queued', '{"type":"post.queued","timestamp":"2026-11-20T12:05:01.000Z","data":{"id":"01a1f8d8-81c8-7db3-bedb-277bc1aa20ea","groupId":"01a1f8d8-81c8-7d75-8848-26e7aedc0106","parentPostId":null,"integrationId":"01a1f8d3-ea00-7000-8c55-621118298e1b","content":"inbox","state":"QUEUE","scheduledFor":null,"delayInMinutes":null,"releaseId":null,"releaseUrl":null,"settings":{"post_mode":"MEDIA_UPLOAD"},"mediaIds":["01a1f8d3-ea00-74b8-b37f-173d694387b0"],"errorText":null,"createdAt":"2026-11-20T12:05:01.000Z","updatedAt":"2026-11-20T12:05:01.000Z","createdBy":{"kind":"key","id":"01a1f8d3-ea00-70fb-ab4e-fbcd2d911924","name":"test"},"updatedBy":null}}', 'delivered', 1, 1795176376000000, NULL, NULL, 204, '', 1795176301000000, 1795176301000000, 0, 1795176301000000, 1795435501000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d8-81c8-7000-beba-f659bbc03230', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-73a1-a2ef-250653c59eaa', '01a1f8d8-81c8-7000-bdf6-a3b4efe5a92d', 'post.queued', '{"type":"post.queued","timestamp":"2026-11-20T12:05:01.000Z","data":{"id":"01a1f8d8-81c8-7ac7-b7c2-9360d0b438cc","groupId":"01a1f8d8-81c8-7667-89d0-b236ffbac8ae","parentPostId":null,"integrationId":"01a1f8d3-ea00-7000-8c55-621118298e1b","content":"failed","state":"QUEUE","scheduledFor":null,"delayInMinutes":null,"releaseId":null,"releaseUrl":null,"settings":{"privacy_level":"PUBLIC_TO_EVERYONE"},"mediaIds":["01a1f8d3-ea00-74b8-b37f-173d694387b0"],"errorText":null,"createdAt":"2026-11-20T12:05:01.000Z","updatedAt":"2026-11-20T12:05:01.000Z","createdBy":{"kind":"key","id":"01a1f8d3-ea00-70fb-ab4e-fbcd2d911924","name":"test"},"updatedBy":null}}', 'delivered', 1, 1795176376000000, NULL, NULL, 204, '', 1795176301000000, 1795176301000000, 0, 1795176301000000, 1795435501000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d8-81c8-7001-8097-5ea9781eedca', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-73a1-a2ef-250653c59eaa', '01a1f8d8-81c8-7000-bf05-8fe17539b6a7', 'post.failed', '{"type":"post.failed","timestamp":"2026-11-20T12:05:01.000Z","data":{"id":"01a1f8d8-81c8-7ac7-b7c2-9360d0b438cc","groupId":"01a1f8d8-81c8-7667-89d0-b236ffbac8ae","parentPostId":null,"integrationId":"01a1f8d3-ea00-7000-8c55-621118298e1b","content":"failed","state":"ERROR","scheduledFor":null,"delayInMinutes":null,"releaseId":null,"releaseUrl":null,"settings":{"privacy_level":"PUBLIC_TO_EVERYONE"},"mediaIds":["01a1f8d3-ea00-74b8-b37f-173d694387b0"],"errorText":"TikTok cannot read one of the files. Videos must be MP4, MOV or WebM with H.264, H.265, VP8 or VP9; photos must be JPEG or WebP. Replace the file and schedule the post again. (file_format_check_failed)","createdAt":"2026-11-20T12:05:01.000Z","updatedAt":"2026-11-20T12:05:01.000Z","createdBy":{"kind":"key","id":"01a1f8d3-ea00-70fb-ab4e-fbcd2d911924","name":"test"},"updatedBy":null}}', 'pending', 1, 1795176305789914, NULL, NULL, 500, '', 1795176301000000, NULL, 1, 1795176301000000, 1795435501000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d8-81c8-7001-8304-f87dc7ad4195', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-73a1-a2ef-250653c59eaa', '01a1f8d8-81c8-7001-824a-f3cc0fd8cfa0', 'post.queued', '{"type":"post.queued","timestamp":"2026-11-20T12:05:01.000Z","data":{"id":"01a1f8d8-81c8-76e8-95bc-3c5fafe1d482","groupId":"01a1f8d8-81c8-789e-9931-bae609b25127","parentPostId":null,"integrationId":"01a1f8d3-ea00-7000-8c55-621118298e1b","content":"planned","state":"QUEUE","scheduledFor":"2026-11-20T13:05:01.000Z","delayInMinutes":null,"releaseId":null,"releaseUrl":null,"settings":{"privacy_level":"PUBLIC_TO_EVERYONE"},"mediaIds":["01a1f8d3-ea00-74b8-b37f-173d694387b0"],"errorText":null,"createdAt":"2026-11-20T12:05:01.000Z","updatedAt":"2026-11-20T12:05:01.000Z","createdBy":{"kind":"key","id":"01a1f8d3-ea00-70fb-ab4e-fbcd2d911924","name":"test"},"updatedBy":null}}', 'delivered', 1, 1795176376000000, NULL, NULL, 204, '', 1795176301000000, 1795176301000000, 0, 1795176301000000, 1795435501000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d8-81c8-7001-86c2-e33b28b465f9', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', '01a1f8d3-ea00-73a1-a2ef-250653c59eaa', '01a1f8d8-81c8-7001-8517-cbcdb6b98ada', 'post.queued', '{"type":"post.queued","timestamp":"2026-11-20T12:05:01.000Z","data":{"id":"01a1f8d8-81c8-716e-8fee-ee11d2f4b2a0","groupId":"01a1f8d8-81c8-7b24-ab46-3747917eec4f","parentPostId":null,"integrationId":"01a1f8d3-ea00-7000-8c55-621118298e1b","content":"open","state":"QUEUE","scheduledFor":null,"delayInMinutes":null,"releaseId":null,"releaseUrl":null,"settings":{"privacy_level":"PUBLIC_TO_EVERYONE"},"mediaIds":["01a1f8d3-ea00-74b8-b37f-173d694387b0"],"errorText":null,"createdAt":"2026-11-20T12:05:01.000Z","updatedAt":"2026-11-20T12:05:01.000Z","createdBy":{"kind":"key","id":"01a1f8d3-ea00-70fb-ab4e-fbcd2d911924","name":"test"},"updatedBy":null}}', 'delivered', 1, 1795176376000000, NULL, NULL, 204, '', 1795176301000000, 1795176301000000, 0, 1795176301000000, 1795435501000000, NULL);
INSERT INTO public.webhooks VALUES ('01a1f8d3-ea00-73a1-a2ef-250653c59eaa', '01a1f8d3-ea00-7159-bc92-110d0ce4183e', 'http://127.0.0.1:35961/hook', '["post.queued", "post.published", "post.failed", "media.ready"]', '\x4bb06f8e3e6743eaa334f7e8d64d1f38936e8ecfd0e6d966448d317881e958d9c7851d51fd0f6825f993606772ff1aece6cf754b027f7d83917e40e5b7b910582395b4949aba10f51e0549f6683add2a590a87a3eb1915539c0daab4edbd', false, 1795176000000000, 1795176000000000, NULL, NULL, NULL, NULL);
INSERT INTO public.workspaces VALUES ('01a1f8d3-ea00-7159-bc92-110d0ce4183e', 'Test', 'unlimited', 1795176000000000, 'UTC', NULL, 86400000000);
INSERT INTO public.workspaces VALUES ('01a1f8d3-ea00-7a16-9bb3-1b4f490f1105', 'ada''s workspace', 'unlimited', 1795176000000000, 'UTC', '01a1f8d3-ea00-7f43-a7b6-66e1b31ab1c1', 86400000000);
INSERT INTO public.workspaces VALUES ('01a1f8d3-ea00-78dd-88c4-23b5efc8598f', 'bob''s workspace', 'unlimited', 1795176000000000, 'UTC', '01a1f8d3-ea00-74c0-839d-e0931a6a6aa9', 86400000000);
ALTER TABLE ONLY public._sqlx_migrations
    ADD CONSTRAINT _sqlx_migrations_pkey PRIMARY KEY (version);
ALTER TABLE ONLY public.activity
    ADD CONSTRAINT activity_pkey PRIMARY KEY (user_id, id);
ALTER TABLE ONLY public.allowances
    ADD CONSTRAINT allowances_pkey PRIMARY KEY (kind, subject);
ALTER TABLE ONLY public.authorizations
    ADD CONSTRAINT authorizations_pkey PRIMARY KEY (state_hash);
ALTER TABLE ONLY public.compatibility
    ADD CONSTRAINT compatibility_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.device_authorizations
    ADD CONSTRAINT device_authorizations_device_code_hash_key UNIQUE (device_code_hash);
ALTER TABLE ONLY public.device_authorizations
    ADD CONSTRAINT device_authorizations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.device_authorizations
    ADD CONSTRAINT device_authorizations_user_code_hash_key UNIQUE (user_code_hash);
ALTER TABLE ONLY public.email_verifications
    ADD CONSTRAINT email_verifications_pkey PRIMARY KEY (token_hash);
ALTER TABLE ONLY public.ended_workspaces
    ADD CONSTRAINT ended_workspaces_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.folders
    ADD CONSTRAINT folders_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.folders
    ADD CONSTRAINT folders_workspace_id_name_key_key UNIQUE (workspace_id, name_key);
ALTER TABLE ONLY public.idempotency
    ADD CONSTRAINT idempotency_pkey PRIMARY KEY (workspace_id, key);
ALTER TABLE ONLY public.instance
    ADD CONSTRAINT instance_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_token_hash_key UNIQUE (token_hash);
ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.keys
    ADD CONSTRAINT keys_hash_key UNIQUE (hash);
ALTER TABLE ONLY public.keys
    ADD CONSTRAINT keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.media
    ADD CONSTRAINT media_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.media
    ADD CONSTRAINT media_preview_key_key UNIQUE (preview_key);
ALTER TABLE ONLY public.media
    ADD CONSTRAINT media_storage_key_key UNIQUE (storage_key);
ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_pkey PRIMARY KEY (workspace_id, user_id);
ALTER TABLE ONLY public.password_resets
    ADD CONSTRAINT password_resets_pkey PRIMARY KEY (token_hash);
ALTER TABLE ONLY public.platforms
    ADD CONSTRAINT platforms_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.platforms
    ADD CONSTRAINT platforms_workspace_id_provider_provider_account_id_key UNIQUE (workspace_id, provider, provider_account_id);
ALTER TABLE ONLY public.post_media
    ADD CONSTRAINT post_media_pkey PRIMARY KEY (post_id, "position");
ALTER TABLE ONLY public.posts
    ADD CONSTRAINT posts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.recovery_codes
    ADD CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, code_hash);
ALTER TABLE ONLY public.removed_files
    ADD CONSTRAINT removed_files_pkey PRIMARY KEY (storage_key);
ALTER TABLE ONLY public.removed_submissions
    ADD CONSTRAINT removed_submissions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.restrictions
    ADD CONSTRAINT restrictions_pkey PRIMARY KEY (provider, provider_account_id, kind);
ALTER TABLE ONLY public.revocations
    ADD CONSTRAINT revocations_pkey PRIMARY KEY (grant_id, version);
ALTER TABLE ONLY public.second_factors
    ADD CONSTRAINT second_factors_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_id_key UNIQUE (id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (token_hash);
ALTER TABLE ONLY public.sign_ins
    ADD CONSTRAINT sign_ins_pkey PRIMARY KEY (token_hash);
ALTER TABLE ONLY public.storage
    ADD CONSTRAINT storage_pkey PRIMARY KEY (workspace_id);
ALTER TABLE ONLY public.storage_reservations
    ADD CONSTRAINT storage_reservations_pkey PRIMARY KEY (storage_key);
ALTER TABLE ONLY public.submissions
    ADD CONSTRAINT submissions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.submissions
    ADD CONSTRAINT submissions_token_hash_key UNIQUE (token_hash);
ALTER TABLE ONLY public.audit
    ADD CONSTRAINT trail_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.unnamed_files
    ADD CONSTRAINT unnamed_files_pkey PRIMARY KEY (file_key);
ALTER TABLE ONLY public.usage
    ADD CONSTRAINT usage_pkey PRIMARY KEY (workspace_id, month);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_email_key UNIQUE (email);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_webhook_id_event_id_key UNIQUE (webhook_id, event_id);
ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT webhooks_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.workspaces
    ADD CONSTRAINT workspaces_pkey PRIMARY KEY (id);
CREATE INDEX activity_list ON public.activity USING btree (user_id, created_at, id);
CREATE UNIQUE INDEX activity_minute ON public.activity USING btree (user_id, action, minute) WHERE (minute IS NOT NULL);
CREATE INDEX allowances_expiry ON public.allowances USING btree (used_until);
CREATE INDEX audit_action ON public.audit USING btree (workspace_id, action, created_at, id);
CREATE INDEX audit_actor ON public.audit USING btree (workspace_id, actor_id, created_at, id) WHERE (actor_id IS NOT NULL);
CREATE INDEX audit_list ON public.audit USING btree (workspace_id, created_at, id);
CREATE INDEX authorizations_expiry ON public.authorizations USING btree (expires_at);
CREATE INDEX device_authorizations_expiry ON public.device_authorizations USING btree (expires_at);
CREATE INDEX device_authorizations_workspace ON public.device_authorizations USING btree (workspace_id);
CREATE INDEX email_verifications_expiry ON public.email_verifications USING btree (expires_at);
CREATE INDEX email_verifications_user ON public.email_verifications USING btree (user_id);
CREATE INDEX ended_workspaces_end ON public.ended_workspaces USING btree (ended_at);
CREATE INDEX idempotency_age ON public.idempotency USING btree (created_at);
CREATE INDEX invitations_workspace ON public.invitations USING btree (workspace_id, created_at);
CREATE INDEX jobs_due ON public.jobs USING btree (queue, due_at, platform_id, workspace_id, id);
CREATE UNIQUE INDEX jobs_one_per_platform ON public.jobs USING btree (platform_id, kind) WHERE (post_id IS NULL);
CREATE UNIQUE INDEX jobs_one_per_post ON public.jobs USING btree (post_id, kind) WHERE (post_id IS NOT NULL);
CREATE INDEX jobs_platform ON public.jobs USING btree (platform_id);
CREATE INDEX keys_creator ON public.keys USING btree (created_by) WHERE (revoked_at IS NULL);
CREATE INDEX keys_not_revoked ON public.keys USING btree (workspace_id) WHERE (revoked_at IS NULL);
CREATE INDEX keys_workspace ON public.keys USING btree (workspace_id, created_at, id);
CREATE INDEX media_folder ON public.media USING btree (workspace_id, folder_id, created_at, id);
CREATE INDEX media_list ON public.media USING btree (workspace_id, created_at, id);
CREATE INDEX media_unfinished ON public.media USING btree (workspace_id, upload_expires_at) WHERE ((status = 'PENDING'::text) AND (failure_code IS NULL));
CREATE INDEX media_upload_expiry ON public.media USING btree (upload_expires_at) WHERE (status = 'PENDING'::text);
CREATE INDEX members_user ON public.members USING btree (user_id, created_at);
CREATE INDEX password_resets_expiry ON public.password_resets USING btree (expires_at);
CREATE INDEX password_resets_user ON public.password_resets USING btree (user_id);
CREATE INDEX platforms_account ON public.platforms USING btree (provider, provider_account_id);
CREATE INDEX post_media_media ON public.post_media USING btree (media_id);
CREATE UNIQUE INDEX posts_group ON public.posts USING btree (workspace_id, group_id, "position");
CREATE INDEX posts_list ON public.posts USING btree (workspace_id, effective_at, id) WHERE (parent_id IS NULL);
CREATE INDEX posts_platform ON public.posts USING btree (workspace_id, platform_id, effective_at, id) WHERE (parent_id IS NULL);
CREATE INDEX posts_release ON public.posts USING btree (release_id) WHERE (release_id IS NOT NULL);
CREATE INDEX posts_to_look_for ON public.posts USING btree (platform_id) WHERE ((look_since IS NOT NULL) AND (looked_at IS NULL));
CREATE INDEX posts_waiting ON public.posts USING btree (platform_id) WHERE (waiting IS NOT NULL);
CREATE INDEX removed_submissions_account ON public.removed_submissions USING btree (provider, provider_account_id, removed_at);
CREATE INDEX removed_submissions_handle ON public.removed_submissions USING btree (handle) WHERE (handle IS NOT NULL);
CREATE INDEX removed_submissions_release ON public.removed_submissions USING btree (release_id) WHERE (release_id IS NOT NULL);
CREATE INDEX restrictions_said ON public.restrictions USING btree (said_at);
CREATE INDEX revocations_account ON public.revocations USING btree (provider, provider_account_id);
CREATE INDEX revocations_due ON public.revocations USING btree (due_at);
CREATE INDEX second_factors_expiry ON public.second_factors USING btree (expires_at);
CREATE INDEX sessions_expiry ON public.sessions USING btree (expires_at);
CREATE INDEX sessions_user ON public.sessions USING btree (user_id);
CREATE INDEX sign_ins_expiry ON public.sign_ins USING btree (expires_at);
CREATE INDEX sign_ins_user ON public.sign_ins USING btree (user_id);
CREATE INDEX storage_reservations_lease ON public.storage_reservations USING btree (lease_until);
CREATE INDEX submissions_handle ON public.submissions USING btree (handle, platform_id) WHERE (handle IS NOT NULL);
CREATE INDEX submissions_lost ON public.submissions USING btree (platform_id) WHERE ((handle IS NULL) AND (fetched_at IS NOT NULL));
CREATE UNIQUE INDEX submissions_one_open ON public.submissions USING btree (post_id) WHERE (closed_at IS NULL);
CREATE INDEX submissions_post ON public.submissions USING btree (post_id, started_at, id);
CREATE INDEX submissions_recent ON public.submissions USING btree (platform_id, started_at);
CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (due_at, webhook_id, workspace_id) WHERE (state = 'pending'::text);
CREATE INDEX webhook_deliveries_finished ON public.webhook_deliveries USING btree (finished_at) WHERE (finished_at IS NOT NULL);
CREATE INDEX webhook_deliveries_list ON public.webhook_deliveries USING btree (webhook_id, created_at, id);
CREATE INDEX webhooks_workspace ON public.webhooks USING btree (workspace_id, created_at, id);
CREATE INDEX workspaces_created_by ON public.workspaces USING btree (created_by);
ALTER TABLE ONLY public.activity
    ADD CONSTRAINT activity_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.authorizations
    ADD CONSTRAINT authorizations_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.authorizations
    ADD CONSTRAINT authorizations_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.device_authorizations
    ADD CONSTRAINT device_authorizations_approved_by_fkey FOREIGN KEY (approved_by) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.device_authorizations
    ADD CONSTRAINT device_authorizations_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.email_verifications
    ADD CONSTRAINT email_verifications_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.folders
    ADD CONSTRAINT folders_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.idempotency
    ADD CONSTRAINT idempotency_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES public.users(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES public.platforms(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_post_id_fkey FOREIGN KEY (post_id) REFERENCES public.posts(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.keys
    ADD CONSTRAINT keys_created_by_fkey FOREIGN KEY (created_by) REFERENCES public.users(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.keys
    ADD CONSTRAINT keys_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.media
    ADD CONSTRAINT media_folder_id_fkey FOREIGN KEY (folder_id) REFERENCES public.folders(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.media
    ADD CONSTRAINT media_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.password_resets
    ADD CONSTRAINT password_resets_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.platforms
    ADD CONSTRAINT platforms_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.post_media
    ADD CONSTRAINT post_media_media_id_fkey FOREIGN KEY (media_id) REFERENCES public.media(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.post_media
    ADD CONSTRAINT post_media_post_id_fkey FOREIGN KEY (post_id) REFERENCES public.posts(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.posts
    ADD CONSTRAINT posts_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES public.platforms(id);
ALTER TABLE ONLY public.posts
    ADD CONSTRAINT posts_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.recovery_codes
    ADD CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.second_factors(user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.second_factors
    ADD CONSTRAINT second_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.sign_ins
    ADD CONSTRAINT sign_ins_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.storage_reservations
    ADD CONSTRAINT storage_reservations_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.storage
    ADD CONSTRAINT storage_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.submissions
    ADD CONSTRAINT submissions_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES public.platforms(id);
ALTER TABLE ONLY public.submissions
    ADD CONSTRAINT submissions_post_id_fkey FOREIGN KEY (post_id) REFERENCES public.posts(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.submissions
    ADD CONSTRAINT submissions_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.usage
    ADD CONSTRAINT usage_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES public.webhooks(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT webhooks_held_by_fkey FOREIGN KEY (held_by) REFERENCES public.users(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT webhooks_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.workspaces
    ADD CONSTRAINT workspaces_created_by_fkey FOREIGN KEY (created_by) REFERENCES public.users(id) ON DELETE SET NULL;
