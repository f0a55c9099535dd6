-- {"workspace":"01a1f8d3-ea00-737c-b2a8-035535d5683e","key":"svc_sk_Wcfb8WdKiQ5M7Zu0kAKYq8lGjL0TPtkchNndCdJGq6N3uncsx","keyOfAda":"svc_sk_0HuDZmxLon1GwtJyIKHxRqRbapu0pR6XEXHeJDBe3De1lIpmW","revokedKey":"svc_sk_9Urbd9MbQRGliCN15W1DPyytDivsU1LjuRCimDAzzAE2fUIVm","sessionOfBob":"6c085dab03d89dd0d0027a5419390ad01a7988da525e07a854f91b24ab30f513","recoveryCodes":["DUEA-OM7L-ZRQO-4IDJ","LRL3-LVPM-YHXS-4NZ7","RU2K-AIYG-VPHZ-HUA5","67NJ-H5IH-56XX-RWII","HHKO-7HS4-Z7Z2-2TZG","5Z2T-ECPQ-DKUW-B4OD","MLRF-H4Z7-UW5O-OCDU","MSTV-B5AI-6KWO-M3WT","GWHD-2V6F-5XIO-J2QI","RAD7-43MQ-R4QL-CLLO"],"codeOfAda":{"at":"2026-11-20T14:00:00.000Z","code":"516394"},"webhook":"01a1f8d3-ea00-7fd9-8c5f-8e2eb00d6ab6","posts":{"creator":"01a1f8d3-ea00-7000-8cbc-ce81de55d3f3","business":"01a1f8d3-ea00-7000-90b9-7f6d703cf187","gone":"01a1f8d3-ea00-7000-9453-41c5b9f60ccf","published":"01a1f8d3-ea00-779f-a918-f5c3c631e84f","commented":"01a1f8d3-ea00-786f-9246-d5c8b3afc9fd","inbox":"01a1f8d8-81c8-7658-bb02-1e1741c5eb03","failed":"01a1f8d8-81c8-7426-8cec-8eda01959cf4","draft":"01a1f8d8-81c8-7c5c-80b2-202d8f8d80ab","planned":"01a1f8d8-81c8-7d79-b243-22307da2ce5c","plannedRequest":{"platformIds":["01a1f8d3-ea00-7000-8cbc-ce81de55d3f3"],"content":"planned","mode":"schedule","mediaIds":["01a1f8d3-ea00-778b-9655-7b77fded9562"],"settings":{"privacy_level":"PUBLIC_TO_EVERYONE"},"scheduledFor":"2026-11-20T13:05:01.000Z"},"open":"01a1f8d8-81c8-751a-a6fc-150ce1150d0e"},"now":"2026-11-20T12:05:01.000Z"}
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
INSERT INTO public._sqlx_migrations VALUES (1, 'people', '2026-11-26 02:19:55.743959+00', true, '\xc967e103aa2714dd61a3122b353f96997a073165ebc095da8d1d8cecf81ce67976383f3cff29ce14476a76c943b03a9c', 8386983);
INSERT INTO public._sqlx_migrations VALUES (2, 'accounts and media', '2026-11-26 02:19:55.752758+00', true, '\x47cdaad71406159befde750f26c575a31b1617896aaddc97b39baf3f251dcb9f74c69d38148f79cf2be9db683d36264c', 6005979);
INSERT INTO public._sqlx_migrations VALUES (3, 'posts', '2026-11-26 02:19:55.758984+00', true, '\x587fef0358bb15df4929d2c37612bddfe85c494f2bf51959d5cb16e07a1bccc3ed7b4270a8a6d7cd5e5485b39aaacfb8', 8304085);
INSERT INTO public._sqlx_migrations VALUES (4, 'log and webhooks', '2026-11-26 02:19:55.767558+00', true, '\xb46f05abdd279b40cdb87b4aebd3edfd98fb4b547f40d42ac21e22b4fb56d7748589e7c6b72c7bfef32550e32c71163d', 5257596);
INSERT INTO public._sqlx_migrations VALUES (5, 'removed files', '2026-11-26 02:19:55.773047+00', true, '\x1f15e579c71d9370a43360805c7b5dd53fa1448cd424fd2e010e12cca275dfdfefadeeb06081ca8af0e1a29ee304aa42', 849784);
INSERT INTO public._sqlx_migrations VALUES (6, 'sessions and audit', '2026-11-26 02:19:55.774035+00', true, '\x732ecfd8856d575cde2c0bb66a14ab52bf6870d1f4d79f7b5f502d05a81fc978f9ec2ff4cf3b56f44caf16ea9b10d673', 4325798);
INSERT INTO public._sqlx_migrations VALUES (7, 'password resets', '2026-11-26 02:19:55.778557+00', true, '\x7728131d29a19c8fea516165405f212c501b7db1eaf58d54670872687d226e478b449ebf5124691e0b5b63205fafe9a4', 1273931);
INSERT INTO public._sqlx_migrations VALUES (8, 'revocations', '2026-11-26 02:19:55.779893+00', true, '\x3d696912997d9cdf8a1591a1735549fa9110e0c3347be91ee53e70e7d6e530b89e79f50ac9cb70d770635f9e1571326b', 1164257);
INSERT INTO public._sqlx_migrations VALUES (9, 'device authorizations', '2026-11-26 02:19:55.7812+00', true, '\x80973a491a2bbaf58b6a2cfdb71c67b917af83ff24799967b0db9e63c8775372eaedd1d13ef5d1bd7f97cc234a79452b', 3352730);
INSERT INTO public._sqlx_migrations VALUES (10, 'second factors', '2026-11-26 02:19:55.784677+00', true, '\xb6b9acd35f25ac396d99c3901df3c63f615fdc32dc261e02cc9e07b77888174de08b95ea456b7e7d9f2dc38b83301164', 2625173);
INSERT INTO public._sqlx_migrations VALUES (11, 'provider events', '2026-11-26 02:19:55.787409+00', true, '\x2b46d8533dd989f7b3a461dce6149e549066997eeafb10852a8c6509ec462eaff4c76723ab3fba320cadfca2db6b79d9', 782014);
INSERT INTO public._sqlx_migrations VALUES (12, 'connections', '2026-11-26 02:19:55.788256+00', true, '\x1d7872b96eec9f8987b37955748bf50a375472d245804580ab4a5a96fe046df2859e53b2709fe057b4dd6bea433bff7b', 678500);
INSERT INTO public._sqlx_migrations VALUES (13, 'limits', '2026-11-26 02:19:55.789009+00', true, '\x7306a9d658c9622421758d586043ef7b9c77ca25aefac4612c9e42b05118ed5de27fe32d159515d7ee61b3ec8beee36e', 1307296);
INSERT INTO public._sqlx_migrations VALUES (14, 'time zones', '2026-11-26 02:19:55.790401+00', true, '\x9b24ba76e61ea6e2c3e3861a9c90d3d86eb266395d5d44c69b45b0424a4e3ed5af036790793e4b6e9721c81c63f6bd79', 405985);
INSERT INTO public._sqlx_migrations VALUES (15, 'webhooks', '2026-11-26 02:19:55.790869+00', true, '\xc48959ea626299a8f8d51599ce6bdaa2fad7f6ca8c962352a5eae95551fdbe6b73835dc67514e59d712d3f1d6719e664', 1006969);
INSERT INTO public._sqlx_migrations VALUES (16, 'programs of sessions', '2026-11-26 02:19:55.791949+00', true, '\x1698424c72b27d21f18ae72718d6b5941f891c60f8d7eab521758e954edceedeb3cad4397d42255ca549decd5793664a', 185416);
INSERT INTO public._sqlx_migrations VALUES (17, 'failed uploads', '2026-11-26 02:19:55.792172+00', true, '\x0521954884debcb667bc7d153ad692f586eadd9e6667473317720caf773c79031099236f23b808c0c897323d1f22b77c', 2626018);
INSERT INTO public._sqlx_migrations VALUES (18, 'verified addresses', '2026-11-26 02:19:55.794916+00', true, '\xab341de906c129ba623f43cca6b839625c676ceea243ecf9b1ef786c30a4be953b3701917d7a468d3d8944666ef32d42', 2109169);
INSERT INTO public._sqlx_migrations VALUES (19, 'instance', '2026-11-26 02:19:55.797111+00', true, '\xd21a41f12bb871a233c28ad650059b4c5fa00256d350214883cc5c518382c9d269a18b6b517b27986701b1d74125790c', 1990342);
INSERT INTO public._sqlx_migrations VALUES (20, 'trail', '2026-11-26 02:19:55.79919+00', true, '\x75c8979c9c094e16a88921947dc1cbab93a485692fda90ca1b4bb77331d06a264c4b78033aca8b3f049fe3dcc009b3aa', 3871323);
INSERT INTO public._sqlx_migrations VALUES (21, 'unnamed files', '2026-11-26 02:19:55.803157+00', true, '\x87520c905c850f61fc531b4efc4c6754d843bdb0758d2d9fa4e11dfb9a6f0e882e28d1cc695eb51863f2a6a6c2847fc0', 672020);
INSERT INTO public._sqlx_migrations VALUES (22, 'webhook turns', '2026-11-26 02:19:55.803903+00', true, '\x06b7b70f61ace9b2a882b323897df788681feb3f41943fbe95166289c34a8477e98cb63db865c7114a88ce8e1fe0a8ae', 625721);
INSERT INTO public._sqlx_migrations VALUES (23, 'counts', '2026-11-26 02:19:55.8046+00', true, '\xdeff11c3683c63dead642ff9b1a9b7e21f1fef20cb2e98de16be8cf3c0e32b50984af4aedaee0714bd9e71a0d61b5031', 993018);
INSERT INTO public._sqlx_migrations VALUES (24, 'hold', '2026-11-26 02:19:55.805691+00', true, '\x0483dbd8d6ec4b83f943f789707a48e976ef2df211a451207862a12fbd8d30a2b4a01fc04470f61527b64d5777d9662c', 870997);
INSERT INTO public._sqlx_migrations VALUES (25, 'lateness', '2026-11-26 02:19:55.806637+00', true, '\x04dc54465599763d4b08ccfa42fcf26937ec92fbc38372b3b4d1e7965aa7bd302dbe0b6953f6c51edcc10ab2d3df0561', 765410);
INSERT INTO public._sqlx_migrations VALUES (26, 'job queues', '2026-11-26 02:19:55.807477+00', true, '\xda602fe6f21ec499fe973b2fd05252848b9be99e7d695eea1db2124a95162426562d480121c51908767cadc3ddb21abe', 1632169);
INSERT INTO public._sqlx_migrations VALUES (27, 'compatibility', '2026-11-26 02:19:55.809178+00', true, '\xb9817278d76a6779bda4a3c75463669d5a627d629606bb8fad67df1b1061d2026280b7a6e89a270736a036eb806d542b', 593914);
INSERT INTO public._sqlx_migrations VALUES (28, 'refused tokens', '2026-11-26 02:19:55.809857+00', true, '\x6b1a7ed886ce794e9382d4366080e09e63dfd9997f6f23866a568b3973b8856d6ffe767d05ee315bf6f831fe252a6cd1', 251414);
INSERT INTO public._sqlx_migrations VALUES (29, 'hold ended', '2026-11-26 02:19:55.810315+00', true, '\xd5fbb93947d9df5eef8c584c1e5b68e3376afc5c88f38be770bc92cf9334844d77ea88f68040c457e6366640caec8fe1', 226768);
INSERT INTO public._sqlx_migrations VALUES (30, 'sent texts', '2026-11-26 02:19:55.810594+00', true, '\x8555cde62cb64f23988d5a221981e0346ceb479448b4ac588fa28dfa2d5b92de24396a96abba43efbd9a39900d09fc34', 1265294);
INSERT INTO public._sqlx_migrations VALUES (31, 'last hold', '2026-11-26 02:19:55.81214+00', true, '\x6259fcfdb1982a3eed1de79fdea0a9c5e0166e365e57874f9d98ab4f75a152af9b0eca3aa3d169a87bd21f1265536a61', 450030);
INSERT INTO public.activity VALUES ('01a1f8d3-ea00-78b6-8263-adba39c7a424', '01a1f8d3-ea00-7000-8359-42a26b494f80', 'user', '01a1f8d3-ea00-78b6-8263-adba39c7a424', 'ada@example.org', '01a1f8d3-ea00-7ae2-aee4-f169cc0651f2', '127.0.0.1', 'signed_up', NULL, 1, NULL, 1795176000000000);
INSERT INTO public.activity VALUES ('01a1f8d3-ea00-78b6-8263-adba39c7a424', '01a1f8d3-ea00-7000-845f-8cb58a865404', 'user', '01a1f8d3-ea00-78b6-8263-adba39c7a424', 'ada@example.org', '01a1f8d3-ea00-7ae2-aee4-f169cc0651f2', '127.0.0.1', 'second_factor.enabled', NULL, 1, NULL, 1795176000000000);
INSERT INTO public.activity VALUES ('01a1f8d3-ea00-75ef-8fb8-69da3f3e1e52', '01a1f8d3-ea00-7000-861a-f7e2298ea86b', 'user', '01a1f8d3-ea00-75ef-8fb8-69da3f3e1e52', 'bob@example.org', '01a1f8d3-ea00-7d4c-a3a2-1df442921349', '127.0.0.1', 'signed_up', NULL, 1, NULL, 1795176000000000);
INSERT INTO public.allowances VALUES ('invitations by', '\xed96c53a6ad9e873b62ebf2ac31b9f0a6237c42c995fbcacf077704aa6cdd827', 1795180320000000);
INSERT INTO public.allowances VALUES ('invitations to workspace', '\x39a60e0f74b9afacbdb609b839ffe8a084767ba240171cd7985f0be45901dc09', 1795177728000000);
INSERT INTO public.allowances VALUES ('invitations for', '\x29bf507952f12f841d90ac6eea1c8fb0d79bee6a855c6621307037cabd1f0225', 1795177200000000);
INSERT INTO public.allowances VALUES ('mails for', '\x9908d79fedc3a7933451c69430f8f9559a95e2bb063fdc7249995e41b4435c61', 1795177200000000);
INSERT INTO public.allowances VALUES ('stored answers of', '\x39a60e0f74b9afacbdb609b839ffe8a084767ba240171cd7985f0be45901dc09', 1795176301341865);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7000-80d0-969c8e06b312', 'system', NULL, NULL, NULL, NULL, 'workspace.created', '01a1f8d3-ea00-737c-b2a8-035535d5683e', '{"name": "Test"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7000-817b-fd9ed571eee5', 'system', NULL, NULL, NULL, NULL, 'key.created', '01a1f8d3-ea00-7ff3-a3e4-a84add3ea3ce', '{"name": "test"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-7b5a-9297-09c47d9c66bd', '01a1f8d3-ea00-7000-82ea-77612b962c5b', 'user', '01a1f8d3-ea00-78b6-8263-adba39c7a424', 'ada@example.org', '01a1f8d3-ea00-7ae2-aee4-f169cc0651f2', '127.0.0.1', 'workspace.created', '01a1f8d3-ea00-7b5a-9297-09c47d9c66bd', '{"name": "ada''s workspace"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-7947-9db9-a1b596d0d170', '01a1f8d3-ea00-7000-859e-6541f087672c', 'user', '01a1f8d3-ea00-75ef-8fb8-69da3f3e1e52', 'bob@example.org', '01a1f8d3-ea00-7d4c-a3a2-1df442921349', '127.0.0.1', 'workspace.created', '01a1f8d3-ea00-7947-9db9-a1b596d0d170', '{"name": "bob''s workspace"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7000-8767-9c26e336ccc6', 'user', '01a1f8d3-ea00-78b6-8263-adba39c7a424', 'ada@example.org', '01a1f8d3-ea00-7ae2-aee4-f169cc0651f2', '127.0.0.1', 'key.created', '01a1f8d3-ea00-7f61-b2d7-08421f2bab56', '{"name": "Ada''s"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7000-8861-7d72b0589fed', 'user', '01a1f8d3-ea00-78b6-8263-adba39c7a424', 'ada@example.org', '01a1f8d3-ea00-7ae2-aee4-f169cc0651f2', '127.0.0.1', 'key.created', '01a1f8d3-ea00-738a-b915-d93ec6d186ce', '{"name": "lost"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7000-89b1-8d02dd9a7ef8', 'user', '01a1f8d3-ea00-78b6-8263-adba39c7a424', 'ada@example.org', '01a1f8d3-ea00-7ae2-aee4-f169cc0651f2', '127.0.0.1', 'key.revoked', '01a1f8d3-ea00-738a-b915-d93ec6d186ce', '{"name": "lost"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7000-8a5e-032dfeba0ea5', 'user', '01a1f8d3-ea00-78b6-8263-adba39c7a424', 'ada@example.org', '01a1f8d3-ea00-7ae2-aee4-f169cc0651f2', '127.0.0.1', 'invitation.created', '01a1f8d3-ea00-7e27-aa3c-1fbb7165d537', '{"role": "member", "email": "cay@example.org"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7000-8b7f-9ac98f561e89', 'key', '01a1f8d3-ea00-7ff3-a3e4-a84add3ea3ce', 'test', NULL, NULL, 'webhook.created', '01a1f8d3-ea00-7fd9-8c5f-8e2eb00d6ab6', '{"url": "http://127.0.0.1:37631/hook", "events": ["post.queued", "post.published", "post.failed", "media.ready"]}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7000-8f58-b16a75653b52', 'system', NULL, NULL, NULL, NULL, 'platform.connected', '01a1f8d3-ea00-7000-8cbc-ce81de55d3f3', '{"account": "Kite Studio", "provider": "tiktok", "connection": "creator"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7000-939e-3f4563631803', 'system', NULL, NULL, NULL, NULL, 'platform.connected', '01a1f8d3-ea00-7000-90b9-7f6d703cf187', '{"account": "kiteshop", "provider": "tiktok", "connection": "business"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7000-97a9-77d7baad3f8c', 'system', NULL, NULL, NULL, NULL, 'platform.connected', '01a1f8d3-ea00-7000-9453-41c5b9f60ccf', '{"account": "kitesgone", "provider": "tiktok", "connection": "creator"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7000-99d8-039408a9220c', 'key', '01a1f8d3-ea00-7ff3-a3e4-a84add3ea3ce', 'test', NULL, NULL, 'folder.created', '01a1f8d3-ea00-7000-98de-4141ac5188e9', NULL, 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7000-adc4-efff39bc4b5c', 'key', '01a1f8d3-ea00-7ff3-a3e4-a84add3ea3ce', 'test', NULL, NULL, 'post.deleted', '01a1f8d3-ea00-7fb7-a7e3-88ff38b7d881', '{"state": "PUBLISHED"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d8-81c8-7001-879c-84da87ead36b', 'system', NULL, NULL, NULL, NULL, 'platform.disconnected', '01a1f8d3-ea00-7000-9453-41c5b9f60ccf', '{"account": "kitesgone", "provider": "tiktok"}', 1795176301000000);
INSERT INTO public.authorizations VALUES ('\x9b64ebb2a3099107fc006e464cd3d7a3039334f3b9d0061d3e97c3725b2d182f', '01a1f8d3-ea00-737c-b2a8-035535d5683e', NULL, NULL, 'tiktok', '\x4bb06f8e24ea7cd0e993f48e64f59f693d198c305177ca567f425057c644209cbc349d1b83c1332498efdc9b4169f63c8d57c7fb2f6aa4d81e91a2716789c4a8a03a375fd3e59be936830d98356064cb1ba918981cf238c73748023678794a3dce08ffc19f2baf72ae3eb9e9', 1795176301000000, 1795177201000000, 'creator');
INSERT INTO public.compatibility VALUES (1, 1);
INSERT INTO public.device_authorizations VALUES ('01a1f8d3-ea00-7193-9296-89ca17d68062', '\xf029574ecb10f278febb7806e77cb6c76732c5fd6cf3a1dec20cca036696c322', '\x2cd2d38eec85215348fd85a4517f7314d9ad5497a60f62406794e0db6f20eb2f', NULL, NULL, '127.0.0.1', 5, NULL, 'pending', NULL, NULL, NULL, NULL, NULL, 1795176000000000, 1795176600000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7000-8ee2-dfbd6d306fe5', 'platform.connected', '{"isNew": true, "provider": "tiktok", "platformId": "01a1f8d3-ea00-7000-8cbc-ce81de55d3f3"}', 1795176000000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7000-9233-8b2df9812a72', 'platform.connected', '{"isNew": true, "provider": "tiktok", "platformId": "01a1f8d3-ea00-7000-90b9-7f6d703cf187"}', 1795176000000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7000-96f3-6e3076b5b161', 'platform.connected', '{"isNew": true, "provider": "tiktok", "platformId": "01a1f8d3-ea00-7000-9453-41c5b9f60ccf"}', 1795176000000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7000-9ae7-1f9fb7d60b9c', 'media.ready', '{"mediaId": "01a1f8d3-ea00-7ec3-8c96-a45b356fdcd0", "mediaType": "image"}', 1795176000000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7000-9c7b-e43808d66eac', 'media.ready', '{"mediaId": "01a1f8d3-ea00-778b-9655-7b77fded9562", "mediaType": "video"}', 1795176000000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7000-9f2b-258e052ad129', 'post.queued', '{"state": "QUEUE", "postId": "01a1f8d3-ea00-779f-a918-f5c3c631e84f", "groupId": "01a1f8d3-ea00-7886-b141-81f1165ee435", "errorText": null, "releaseId": null, "platformId": "01a1f8d3-ea00-7000-8cbc-ce81de55d3f3", "releaseUrl": null, "parentPostId": null, "scheduledFor": null}', 1795176000000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7000-a153-6ae862d74924', 'post.published', '{"state": "PUBLISHED", "postId": "01a1f8d3-ea00-779f-a918-f5c3c631e84f", "groupId": "01a1f8d3-ea00-7886-b141-81f1165ee435", "errorText": null, "releaseId": null, "platformId": "01a1f8d3-ea00-7000-8cbc-ce81de55d3f3", "releaseUrl": null, "parentPostId": null, "scheduledFor": null}', 1795176000000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7000-a55b-18231ebf36d2', 'post.queued', '{"state": "QUEUE", "postId": "01a1f8d3-ea00-7fb7-a7e3-88ff38b7d881", "groupId": "01a1f8d3-ea00-740b-bf5b-2b93cbff43c5", "errorText": null, "releaseId": null, "platformId": "01a1f8d3-ea00-7000-8cbc-ce81de55d3f3", "releaseUrl": null, "parentPostId": null, "scheduledFor": null}', 1795176000000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7000-a7ba-cbcfa37f3332', 'post.published', '{"state": "PUBLISHED", "postId": "01a1f8d3-ea00-7fb7-a7e3-88ff38b7d881", "groupId": "01a1f8d3-ea00-740b-bf5b-2b93cbff43c5", "errorText": null, "releaseId": null, "platformId": "01a1f8d3-ea00-7000-8cbc-ce81de55d3f3", "releaseUrl": null, "parentPostId": null, "scheduledFor": null}', 1795176000000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7000-acb3-f306fedc3a16', 'post.deleted', '{"state": "PUBLISHED", "postId": "01a1f8d3-ea00-7fb7-a7e3-88ff38b7d881", "groupId": "01a1f8d3-ea00-740b-bf5b-2b93cbff43c5", "errorText": null, "releaseId": "7710222213275034419", "platformId": "01a1f8d3-ea00-7000-8cbc-ce81de55d3f3", "releaseUrl": "http://127.0.0.1:33897/@kitestudio/video/7710222213275034419", "parentPostId": null, "scheduledFor": null}', 1795176000000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7000-afd0-70e413a013ab', 'post.queued', '{"state": "QUEUE", "postId": "01a1f8d3-ea00-786f-9246-d5c8b3afc9fd", "groupId": "01a1f8d3-ea00-7831-a9c5-301039652433", "errorText": null, "releaseId": null, "platformId": "01a1f8d3-ea00-7000-90b9-7f6d703cf187", "releaseUrl": null, "parentPostId": null, "scheduledFor": null}', 1795176000000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ede8-7000-b176-1efef3d08382', 'post.published', '{"state": "PUBLISHED", "postId": "01a1f8d3-ea00-786f-9246-d5c8b3afc9fd", "groupId": "01a1f8d3-ea00-7831-a9c5-301039652433", "errorText": null, "releaseId": "7710222213662311336", "platformId": "01a1f8d3-ea00-7000-90b9-7f6d703cf187", "releaseUrl": "http://127.0.0.1:33897/@kiteshop/video/7710222213662311336", "parentPostId": null, "scheduledFor": null}', 1795176001000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d8-81c8-7000-b431-169c0b700740', 'post.published', '{"state": "PUBLISHED", "postId": "01a1f8d3-ea00-79f2-a651-96b3ad383deb", "groupId": "01a1f8d3-ea00-7831-a9c5-301039652433", "errorText": null, "releaseId": "7710223505820840123", "platformId": "01a1f8d3-ea00-7000-90b9-7f6d703cf187", "releaseUrl": null, "parentPostId": "01a1f8d3-ea00-786f-9246-d5c8b3afc9fd", "scheduledFor": null}', 1795176301000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d8-81c8-7000-b824-fff0f3adb37e', 'post.queued', '{"state": "QUEUE", "postId": "01a1f8d8-81c8-7658-bb02-1e1741c5eb03", "groupId": "01a1f8d8-81c8-70ff-ad2c-57fe36862b26", "errorText": null, "releaseId": null, "platformId": "01a1f8d3-ea00-7000-8cbc-ce81de55d3f3", "releaseUrl": null, "parentPostId": null, "scheduledFor": null}', 1795176301000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d8-81c8-7000-baa5-b328d53256e9', 'post.action_required', '{"state": "ACTION_REQUIRED", "postId": "01a1f8d8-81c8-7658-bb02-1e1741c5eb03", "groupId": "01a1f8d8-81c8-70ff-ad2c-57fe36862b26", "errorText": "The post is in the creator''s inbox. Open the notification in the provider''s app and publish it there.", "releaseId": null, "platformId": "01a1f8d3-ea00-7000-8cbc-ce81de55d3f3", "releaseUrl": null, "parentPostId": null, "scheduledFor": null}', 1795176301000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d8-81c8-7000-bde4-4dc0faf1ec1b', 'post.queued', '{"state": "QUEUE", "postId": "01a1f8d8-81c8-7426-8cec-8eda01959cf4", "groupId": "01a1f8d8-81c8-7d1c-a600-35f8b7be1819", "errorText": null, "releaseId": null, "platformId": "01a1f8d3-ea00-7000-8cbc-ce81de55d3f3", "releaseUrl": null, "parentPostId": null, "scheduledFor": null}', 1795176301000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d8-81c8-7000-bf6f-ded832d50a9a', 'post.failed', '{"state": "ERROR", "postId": "01a1f8d8-81c8-7426-8cec-8eda01959cf4", "groupId": "01a1f8d8-81c8-7d1c-a600-35f8b7be1819", "errorText": "TikTok cannot read one of the files. Videos must be MP4, MOV or WebM with H.264, H.265, VP8 or VP9; photos must be JPEG or WebP. Replace the file and schedule the post again. (file_format_check_failed)", "releaseId": null, "platformId": "01a1f8d3-ea00-7000-8cbc-ce81de55d3f3", "releaseUrl": null, "parentPostId": null, "scheduledFor": null}', 1795176301000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d8-81c8-7001-8280-868f99a107f3', 'post.queued', '{"state": "QUEUE", "postId": "01a1f8d8-81c8-7d79-b243-22307da2ce5c", "groupId": "01a1f8d8-81c8-72a3-9f88-88727c7b55eb", "errorText": null, "releaseId": null, "platformId": "01a1f8d3-ea00-7000-8cbc-ce81de55d3f3", "releaseUrl": null, "parentPostId": null, "scheduledFor": "2026-11-20T13:05:01.000Z"}', 1795176301000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d8-81c8-7001-85d3-eac5c65a0b1b', 'post.queued', '{"state": "QUEUE", "postId": "01a1f8d8-81c8-751a-a6fc-150ce1150d0e", "groupId": "01a1f8d8-81c8-7ecc-b8b4-705c20bf367f", "errorText": null, "releaseId": null, "platformId": "01a1f8d3-ea00-7000-8cbc-ce81de55d3f3", "releaseUrl": null, "parentPostId": null, "scheduledFor": null}', 1795176301000000);
INSERT INTO public.folders VALUES ('01a1f8d3-ea00-7000-98de-4141ac5188e9', '01a1f8d3-ea00-737c-b2a8-035535d5683e', 'Wind', 'wind', 1795176000000000, 1795176000000000);
INSERT INTO public.idempotency VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', 'kept', '\x10d54afa585409f6bcdde263739fbae49eef7ccf7fa2d72575b21037ef682228', 'completed', 201, '[["content-type", "application/json"]]', '\x7b22726573756c7473223a5b7b22737461747573223a2263726561746564222c22706c6174666f726d4964223a2230316131663864332d656130302d373030302d386362632d636538316465353564336633222c22706f7374223a7b22726f6f74223a7b226964223a2230316131663864382d383163382d376437392d623234332d323233303764613263653563222c2267726f75704964223a2230316131663864382d383163382d373261332d396638382d383837323763376235356562222c22706172656e74506f73744964223a6e756c6c2c22696e746567726174696f6e4964223a2230316131663864332d656130302d373030302d386362632d636538316465353564336633222c22636f6e74656e74223a22706c616e6e6564222c227374617465223a225155455545222c227363686564756c6564466f72223a22323032362d31312d32305431333a30353a30312e3030305a222c2264656c6179496e4d696e75746573223a6e756c6c2c2272656c656173654964223a6e756c6c2c2272656c6561736555726c223a6e756c6c2c2273657474696e6773223a7b22707269766163795f6c6576656c223a225055424c49435f544f5f45564552594f4e45227d2c226d65646961496473223a5b2230316131663864332d656130302d373738622d393635352d376237376664656439353632225d2c226572726f7254657874223a6e756c6c2c22637265617465644174223a22323032362d31312d32305431323a30353a30312e3030305a222c22757064617465644174223a22323032362d31312d32305431323a30353a30312e3030305a222c22637265617465644279223a7b226b696e64223a226b6579222c226964223a2230316131663864332d656130302d376666332d613365342d613834616464336561336365222c226e616d65223a2274657374227d2c22757064617465644279223a6e756c6c7d2c226368696c6472656e223a5b5d7d2c2277696c6c5075626c6973684174223a22323032362d31312d32305431333a30353a30312e3030305a222c227761726e696e6773223a5b5d7d5d7d', 1795176301000000);
INSERT INTO public.instance VALUES (1, false, '\x4bb06f8e792608ab94c261a14833f88722fe104afff1fe80cecaf501d546b8c7ee4a3a6eb4f9b17ea948377182b243f278b31c', '01a1f8d3-ea00-71bb-9be9-add0651f0cf3', 'postgres 7712277612510197514:00000001:25051', 2, 1795176010000000, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.invitations VALUES ('01a1f8d3-ea00-7e27-aa3c-1fbb7165d537', '01a1f8d3-ea00-737c-b2a8-035535d5683e', 'cay@example.org', 'member', '\xf5f1c487ea2212ad4407e19280d7a6b58dd01976210ff100e0af526f46466767', '01a1f8d3-ea00-78b6-8263-adba39c7a424', 1795176000000000, 1795780800000000, NULL);
INSERT INTO public.jobs VALUES ('01a1f8d3-ea00-7000-8d84-12baa6ea7718', '01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7000-8cbc-ce81de55d3f3', NULL, 'refresh_platform', 1795243918236380, 1795243918236380, 0, 0, 0, NULL, NULL, 1795348800000000, NULL, NULL, 'housekeeping');
INSERT INTO public.jobs VALUES ('01a1f8d3-ea00-7000-9102-9dfa5cddb2c0', '01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7000-90b9-7f6d703cf187', NULL, 'refresh_platform', 1795239445482165, 1795239445482165, 0, 0, 0, NULL, NULL, 1795348800000000, NULL, NULL, 'housekeeping');
INSERT INTO public.jobs VALUES ('01a1f8d8-81c8-7000-b641-69a2fbb1cf26', '01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7000-90b9-7f6d703cf187', '01a1f8d3-ea00-76d7-a09f-6ecc29e48d3d', 'publish_comment', 1795236301000000, 1795236301000000, 0, 0, 0, NULL, NULL, 1795322701000000, 1795236301000000, NULL, 'check');
INSERT INTO public.jobs VALUES ('01a1f8d8-81c8-7000-bbab-62ca756f8509', '01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7000-8cbc-ce81de55d3f3', '01a1f8d8-81c8-7658-bb02-1e1741c5eb03', 'resolve_link', 1795176311000000, 1795176311000000, 0, 0, 0, NULL, NULL, 1795262711000000, 1795176311000000, NULL, 'housekeeping');
INSERT INTO public.jobs VALUES ('01a1f8d8-81c8-7001-8175-55e45f0ba873', '01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7000-8cbc-ce81de55d3f3', '01a1f8d8-81c8-7d79-b243-22307da2ce5c', 'publish_post', 1795179901000000, 1795179901000000, 0, 0, 0, NULL, NULL, 1795266301000000, 1795179901000000, NULL, 'start');
INSERT INTO public.jobs VALUES ('01a1f8d8-81c8-7001-846d-481f511fa05a', '01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7000-8cbc-ce81de55d3f3', '01a1f8d8-81c8-751a-a6fc-150ce1150d0e', 'publish_post', 1795176302000000, 1795176302000000, 1, 0, 1, NULL, NULL, 1795262701000000, 1795176301000000, 1795176301000000, 'check');
INSERT INTO public.keys VALUES ('01a1f8d3-ea00-7f61-b2d7-08421f2bab56', '01a1f8d3-ea00-737c-b2a8-035535d5683e', '\xdce97f34d0ddd8cd460e92649ab5344fe92309b5f57e48362e940d3b922901b5', 'Ada''s', 'IpmW', '01a1f8d3-ea00-78b6-8263-adba39c7a424', 1795176000000000, NULL, NULL, NULL);
INSERT INTO public.keys VALUES ('01a1f8d3-ea00-738a-b915-d93ec6d186ce', '01a1f8d3-ea00-737c-b2a8-035535d5683e', '\xca84c726de2770dc9da1e77591f1c58e05b01de826501c331ce56bd0da2494f2', 'lost', 'UIVm', '01a1f8d3-ea00-78b6-8263-adba39c7a424', 1795176000000000, NULL, NULL, 1795176000000000);
INSERT INTO public.keys VALUES ('01a1f8d3-ea00-7ff3-a3e4-a84add3ea3ce', '01a1f8d3-ea00-737c-b2a8-035535d5683e', '\x5dcb562f9dbdbdb2ea3b0768a6f8f5b056d9cb349bbaa46f57167206d396e5fc', 'test', 'ncsx', NULL, 1795176000000000, 1795176301000000, NULL, NULL);
INSERT INTO public.media VALUES ('01a1f8d3-ea00-7ec3-8c96-a45b356fdcd0', '01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7000-98de-4141ac5188e9', 'bc850c85ae0627364a23ba74a309917c', 'bc850c85ae0627364a23ba74a309917c.preview.webp', 'image/jpeg', 'image', 10203, 'photo.jpg', 'READY', '{"width": 360, "height": 640, "blurhash": "LzHV9Z2?wxkVl}WDjte;gJfjfQfj", "frameRate": null, "audioCodec": null, "durationMs": null, "videoCodec": null, "previewWidth": 360, "previewHeight": 640, "rotationDegrees": 0}', '\xb37806b495aa6181e4fedb79007ff7f8dde1f1cb491fd37149cbdf1bfeee2720', NULL, NULL, NULL, NULL, 1795176000000000, 1795176000000000, 0, NULL, NULL);
INSERT INTO public.media VALUES ('01a1f8d3-ea00-778b-9655-7b77fded9562', '01a1f8d3-ea00-737c-b2a8-035535d5683e', NULL, '7093b9525c9c3a1fb21b8147b75efbff', '7093b9525c9c3a1fb21b8147b75efbff.preview.webp', 'video/mp4', 'video', 221936, 'clip.mp4', 'READY', '{"width": 720, "height": 1280, "blurhash": "LsFzp$s:RRn,xZj[WCf70zWCt6bG", "frameRate": 30.0, "audioCodec": "aac", "durationMs": 6000, "videoCodec": "h264", "previewWidth": 480, "previewHeight": 853, "rotationDegrees": 0}', '\x68a4bf064b6e0fcb556eefb10b016a8e4ebc59a3bd1070c40ba7075d677a70cc', NULL, NULL, NULL, NULL, 1795176000000000, 1795176000000000, 0, NULL, NULL);
INSERT INTO public.media VALUES ('01a1f8d8-81c8-7107-9121-437fc81aa276', '01a1f8d3-ea00-737c-b2a8-035535d5683e', NULL, 'f7670bc279247ce767e920ffe07d6349', NULL, 'video/mp4', 'video', 221936, 'upload.mp4', 'PENDING', NULL, NULL, 221936, 0, NULL, 1795262701000000, NULL, 1795176301000000, 0, NULL, NULL);
INSERT INTO public.members VALUES ('01a1f8d3-ea00-7b5a-9297-09c47d9c66bd', '01a1f8d3-ea00-78b6-8263-adba39c7a424', 'owner', 1795176000000000);
INSERT INTO public.members VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-78b6-8263-adba39c7a424', 'owner', 1795176000000000);
INSERT INTO public.members VALUES ('01a1f8d3-ea00-7947-9db9-a1b596d0d170', '01a1f8d3-ea00-75ef-8fb8-69da3f3e1e52', 'owner', 1795176000000000);
INSERT INTO public.members VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-75ef-8fb8-69da3f3e1e52', 'member', 1795176000000000);
INSERT INTO public.password_resets VALUES ('\x664a554abf7e32f94b396f5f0631b306113f2d8cb59ce1175b7dca3c6d905235', '01a1f8d3-ea00-75ef-8fb8-69da3f3e1e52', 1795176000000000, 1795179600000000);
INSERT INTO public.platforms VALUES ('01a1f8d3-ea00-7000-8cbc-ce81de55d3f3', '01a1f8d3-ea00-737c-b2a8-035535d5683e', 'tiktok', '-000s8NHWCpY72ild6TJ7o4xnXKC2U1np0O3', 'Kite Studio', 'kitestudio', 'http://127.0.0.1:33897/sim/avatar/kitestudio.svg', false, false, '\x4bb06f8ebb223b831b090fd90e650a50b61f66b164d63ec804aae93d68778edf0fdca11380059921c079a9a953326d1261e7af68b52a60aecfeabddf9d2d6353279bd4b638ed2b03f3c05610e3b28401e103232f9670d06afca8d4', 1795262400000000, '\x4bb06f8ed88e0381faffd08817152ee8fcdf93ae51849735f2efd41009b0febffd6591ba6e9a8d612872948c76342a2e6eed31510778cbc0edccc48e24861ce5e72c5a3f242d6a29429705b286a0305bbc368ac21a76db6fadcc9b', 1826712000000000, '["user.info.basic", "user.info.profile", "video.publish", "video.upload", "video.list"]', 1, NULL, NULL, '["video", "photos", "direct_post", "inbox_draft"]', '{"scopes": ["user.info.basic", "user.info.profile", "video.publish", "video.upload", "video.list"], "username": "kitestudio", "refreshedAt": "2026-11-20T12:00:00.000Z", "duetDisabled": false, "stitchDisabled": false, "commentDisabled": false, "privacyLevelOptions": ["PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", "SELF_ONLY"], "maxVideoPostDurationSec": 600}', '{}', 1795176000000000, 1795176000000000, NULL, 'creator', 1795176000000000, NULL, NULL);
INSERT INTO public.platforms VALUES ('01a1f8d3-ea00-7000-90b9-7f6d703cf187', '01a1f8d3-ea00-737c-b2a8-035535d5683e', 'tiktok', '_000iLELiIB8IxBR2EMDFYNpDze3006ARVkm', 'kiteshop', 'kiteshop', 'http://127.0.0.1:33897/sim/avatar/kiteshop.svg', false, false, '\x4bb06f8ef22ed8eb64bebe09a97d3707ac4cb1db1b64763df9ee5c44e73053033be7b00801c57c7e9bd29219a634f5b677da6dbaa2c87f059d77042ff8c841bbcb6941833c7ce9ad56fbc01ea92ef5cd3aa3ab3285368f271e8e6b', 1795262400000000, '\x4bb06f8e83ead80c9542978c0009898cad8a9a6a383fc45ba44d657ff3f01eb9aaf99fec16627971c9036a2b1d2becf72632938140935d4f04f4da4559b7454279bb7954fb529a086c4ced13f317b3acfcbe85134676177f4d0abc', 1826712000000000, '["user.info.basic", "user.info.username", "video.publish", "video.upload", "video.list", "comment.list", "comment.list.manage"]', 1, NULL, NULL, '["video", "photos", "direct_post", "inbox_draft", "comments"]', '{"scopes": ["user.info.basic", "user.info.username", "video.publish", "video.upload", "video.list", "comment.list", "comment.list.manage"], "username": "kiteshop", "refreshedAt": "2026-11-20T12:00:00.000Z", "duetDisabled": false, "stitchDisabled": false, "commentDisabled": false, "privacyLevelOptions": ["PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", "SELF_ONLY"], "maxVideoPostDurationSec": 600}', '{}', 1795176000000000, 1795176000000000, NULL, 'business', 1795176000000000, NULL, NULL);
INSERT INTO public.platforms VALUES ('01a1f8d3-ea00-7000-9453-41c5b9f60ccf', '01a1f8d3-ea00-737c-b2a8-035535d5683e', 'tiktok', '-000ZYMtVgQkSKN5fx4Asc1bJWPWfeMNbeCC', 'kitesgone', 'kitesgone', 'http://127.0.0.1:33897/sim/avatar/kitesgone.svg', false, false, NULL, NULL, NULL, NULL, '["user.info.basic", "user.info.profile", "video.publish", "video.upload", "video.list"]', 2, NULL, NULL, '["video", "photos", "direct_post", "inbox_draft"]', '{"scopes": ["user.info.basic", "user.info.profile", "video.publish", "video.upload", "video.list"], "username": "kitesgone", "refreshedAt": "2026-11-20T12:00:00.000Z", "duetDisabled": false, "stitchDisabled": false, "commentDisabled": false, "privacyLevelOptions": ["PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", "SELF_ONLY"], "maxVideoPostDurationSec": 600}', '{}', 1795176000000000, 1795176301000000, 1795176301000000, 'creator', 1795176000000000, NULL, NULL);
INSERT INTO public.post_media VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-779f-a918-f5c3c631e84f', 0, '01a1f8d3-ea00-778b-9655-7b77fded9562');
INSERT INTO public.post_media VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-786f-9246-d5c8b3afc9fd', 0, '01a1f8d3-ea00-778b-9655-7b77fded9562');
INSERT INTO public.post_media VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d8-81c8-7658-bb02-1e1741c5eb03', 0, '01a1f8d3-ea00-778b-9655-7b77fded9562');
INSERT INTO public.post_media VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d8-81c8-7426-8cec-8eda01959cf4', 0, '01a1f8d3-ea00-778b-9655-7b77fded9562');
INSERT INTO public.post_media VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d8-81c8-7c5c-80b2-202d8f8d80ab', 0, '01a1f8d3-ea00-778b-9655-7b77fded9562');
INSERT INTO public.post_media VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d8-81c8-7d79-b243-22307da2ce5c', 0, '01a1f8d3-ea00-778b-9655-7b77fded9562');
INSERT INTO public.post_media VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d8-81c8-751a-a6fc-150ce1150d0e', 0, '01a1f8d3-ea00-778b-9655-7b77fded9562');
INSERT INTO public.posts VALUES ('01a1f8d8-81c8-751a-a6fc-150ce1150d0e', '01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d8-81c8-7ecc-b8b4-705c20bf367f', NULL, 0, '01a1f8d3-ea00-7000-8cbc-ce81de55d3f3', 'open', 'QUEUE', NULL, true, NULL, NULL, NULL, NULL, '{"privacy_level": "PUBLIC_TO_EVERYONE"}', NULL, 1795176301000000, '2026-11', 1795176301000000, 1795176301000000, 1, NULL, '{"id": "01a1f8d3-ea00-7ff3-a3e4-a84add3ea3ce", "kind": "key", "name": "test"}', NULL, NULL, NULL, false, NULL);
INSERT INTO public.posts VALUES ('01a1f8d3-ea00-779f-a918-f5c3c631e84f', '01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7886-b141-81f1165ee435', NULL, 0, '01a1f8d3-ea00-7000-8cbc-ce81de55d3f3', 'published', 'PUBLISHED', NULL, false, NULL, NULL, '7710222211873853276', 'http://127.0.0.1:33897/@kitestudio/video/7710222211873853276', '{"privacy_level": "PUBLIC_TO_EVERYONE"}', NULL, 1795176000000000, '2026-11', 1795176000000000, 1795176000000000, 1, NULL, '{"id": "01a1f8d3-ea00-7ff3-a3e4-a84add3ea3ce", "kind": "key", "name": "test"}', NULL, NULL, NULL, false, NULL);
INSERT INTO public.posts VALUES ('01a1f8d3-ea00-76d7-a09f-6ecc29e48d3d', '01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7831-a9c5-301039652433', '01a1f8d3-ea00-786f-9246-d5c8b3afc9fd', 2, '01a1f8d3-ea00-7000-90b9-7f6d703cf187', 'in the evening', 'QUEUE', NULL, false, NULL, 1000, NULL, NULL, '{}', NULL, 1795176000000000, NULL, 1795176000000000, 1795176000000000, 1, NULL, '{"id": "01a1f8d3-ea00-7ff3-a3e4-a84add3ea3ce", "kind": "key", "name": "test"}', NULL, NULL, NULL, false, NULL);
INSERT INTO public.posts VALUES ('01a1f8d3-ea00-786f-9246-d5c8b3afc9fd', '01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7831-a9c5-301039652433', NULL, 0, '01a1f8d3-ea00-7000-90b9-7f6d703cf187', 'commented', 'PUBLISHED', NULL, false, NULL, NULL, '7710222213662311336', 'http://127.0.0.1:33897/@kiteshop/video/7710222213662311336', '{"allow_comment": true}', NULL, 1795176000000000, '2026-11', 1795176000000000, 1795176001000000, 1, NULL, '{"id": "01a1f8d3-ea00-7ff3-a3e4-a84add3ea3ce", "kind": "key", "name": "test"}', NULL, NULL, NULL, false, NULL);
INSERT INTO public.posts VALUES ('01a1f8d3-ea00-79f2-a651-96b3ad383deb', '01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7831-a9c5-301039652433', '01a1f8d3-ea00-786f-9246-d5c8b3afc9fd', 1, '01a1f8d3-ea00-7000-90b9-7f6d703cf187', 'first', 'PUBLISHED', NULL, false, NULL, 5, '7710223505820840123', NULL, '{}', NULL, 1795176000000000, NULL, 1795176000000000, 1795176301000000, 1, NULL, '{"id": "01a1f8d3-ea00-7ff3-a3e4-a84add3ea3ce", "kind": "key", "name": "test"}', NULL, NULL, NULL, false, NULL);
INSERT INTO public.posts VALUES ('01a1f8d8-81c8-7658-bb02-1e1741c5eb03', '01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d8-81c8-70ff-ad2c-57fe36862b26', NULL, 0, '01a1f8d3-ea00-7000-8cbc-ce81de55d3f3', 'inbox', 'ACTION_REQUIRED', 'inbox', false, NULL, NULL, NULL, NULL, '{"post_mode": "MEDIA_UPLOAD"}', 'The post is in the creator''s inbox. Open the notification in the provider''s app and publish it there.', 1795176301000000, '2026-11', 1795176301000000, 1795176301000000, 1, NULL, '{"id": "01a1f8d3-ea00-7ff3-a3e4-a84add3ea3ce", "kind": "key", "name": "test"}', NULL, NULL, NULL, false, NULL);
INSERT INTO public.posts VALUES ('01a1f8d8-81c8-7426-8cec-8eda01959cf4', '01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d8-81c8-7d1c-a600-35f8b7be1819', NULL, 0, '01a1f8d3-ea00-7000-8cbc-ce81de55d3f3', 'failed', 'ERROR', NULL, false, NULL, NULL, NULL, NULL, '{"privacy_level": "PUBLIC_TO_EVERYONE"}', 'TikTok cannot read one of the files. Videos must be MP4, MOV or WebM with H.264, H.265, VP8 or VP9; photos must be JPEG or WebP. Replace the file and schedule the post again. (file_format_check_failed)', 1795176301000000, '2026-11', 1795176301000000, 1795176301000000, 1, NULL, '{"id": "01a1f8d3-ea00-7ff3-a3e4-a84add3ea3ce", "kind": "key", "name": "test"}', NULL, NULL, NULL, false, NULL);
INSERT INTO public.posts VALUES ('01a1f8d8-81c8-7c5c-80b2-202d8f8d80ab', '01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d8-81c8-7504-9dde-5be0872ecff4', NULL, 0, '01a1f8d3-ea00-7000-8cbc-ce81de55d3f3', 'draft', 'DRAFT', NULL, false, NULL, NULL, NULL, NULL, '{"privacy_level": "PUBLIC_TO_EVERYONE"}', NULL, 1795176301000000, NULL, 1795176301000000, 1795176301000000, 1, NULL, '{"id": "01a1f8d3-ea00-7ff3-a3e4-a84add3ea3ce", "kind": "key", "name": "test"}', NULL, NULL, NULL, false, NULL);
INSERT INTO public.posts VALUES ('01a1f8d8-81c8-7d79-b243-22307da2ce5c', '01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d8-81c8-72a3-9f88-88727c7b55eb', NULL, 0, '01a1f8d3-ea00-7000-8cbc-ce81de55d3f3', 'planned', 'QUEUE', NULL, false, 1795179901000000, NULL, NULL, NULL, '{"privacy_level": "PUBLIC_TO_EVERYONE"}', NULL, 1795179901000000, '2026-11', 1795176301000000, 1795176301000000, 1, NULL, '{"id": "01a1f8d3-ea00-7ff3-a3e4-a84add3ea3ce", "kind": "key", "name": "test"}', NULL, NULL, NULL, false, NULL);
INSERT INTO public.recovery_codes VALUES ('01a1f8d3-ea00-78b6-8263-adba39c7a424', '\xffa1e01a6e3f978f8eab6236e473142949e08a5b5cf15026770aaeb3e90dcc04');
INSERT INTO public.recovery_codes VALUES ('01a1f8d3-ea00-78b6-8263-adba39c7a424', '\x5a8c7fec60764ef3ac70cfa9c29571c4d41e751ae8b8c21fcb74174386f898db');
INSERT INTO public.recovery_codes VALUES ('01a1f8d3-ea00-78b6-8263-adba39c7a424', '\x4e441f35a433a8470ca7468aaab3b973b478208688b477db068ef22399ef8863');
INSERT INTO public.recovery_codes VALUES ('01a1f8d3-ea00-78b6-8263-adba39c7a424', '\xf80ba4aae965e941368b604d3c701bec9afead65dcb0c33d45bb35cb583bc719');
INSERT INTO public.recovery_codes VALUES ('01a1f8d3-ea00-78b6-8263-adba39c7a424', '\x2d2dd02429b8d9fd3bdb12614854345561636268e4f271af5e4fc7704bccdab9');
INSERT INTO public.recovery_codes VALUES ('01a1f8d3-ea00-78b6-8263-adba39c7a424', '\xa57064f400c25b887ca89d15a9662aeb3241b3c6714ba24b809be17ed7c20358');
INSERT INTO public.recovery_codes VALUES ('01a1f8d3-ea00-78b6-8263-adba39c7a424', '\x7d93e03eeb922c8ca58b794b897405c09905a75748db2a2b18ff12db8c9fb2d4');
INSERT INTO public.recovery_codes VALUES ('01a1f8d3-ea00-78b6-8263-adba39c7a424', '\x0fb0717c46ae84ca5292e497f3db05df47fbe4a9ccc338bb871151774c1000e5');
INSERT INTO public.recovery_codes VALUES ('01a1f8d3-ea00-78b6-8263-adba39c7a424', '\xd9acf7cf9ced3ec94ebda584eb7219d5d321374f8958528de2c8376a6c4f9af3');
INSERT INTO public.recovery_codes VALUES ('01a1f8d3-ea00-78b6-8263-adba39c7a424', '\x68594824eeee7a1d291c4aaff3eb4792882be10280be50931e09081f79f471e3');
INSERT INTO public.removed_submissions VALUES ('01a1f8d3-ea00-7000-aa20-5eb0f6ae37dc', 'tiktok', '-000s8NHWCpY72ild6TJ7o4xnXKC2U1np0O3', NULL, '7710222213275034419', '\xe1f79758cc42e6fe6037941205d1fbc37f5780f13aa077d0ba8287fd93cecd52', false, false, 1795176000000000);
INSERT INTO public.removed_submissions VALUES ('01a1f8d3-ea00-7000-ab49-9595ff123ea9', 'tiktok', '-000s8NHWCpY72ild6TJ7o4xnXKC2U1np0O3', 'v_pub_file~v2-1.7710222211247225967', NULL, '\xe1f79758cc42e6fe6037941205d1fbc37f5780f13aa077d0ba8287fd93cecd52', false, false, 1795176000000000);
INSERT INTO public.revocations VALUES ('01a1f8d3-ea00-7000-9453-41c5b9f60ccf', 1, 'tiktok', '-000ZYMtVgQkSKN5fx4Asc1bJWPWfeMNbeCC', '\x4bb06f8e690233c126ff830d34043eff5842bdf69ecf53481ca075cce0ea7ffe67b07dcb77167b7a8b1e7ef28c8ec7412d69c1dc8d3af8732f9bd49498155a6349d537789f2f82bc4fb9f59f5eac4091e8aeb6a74149909592da32', '\x4bb06f8e5fb002bf962815b3f5fd9c028d6874bf427bd7d3a664cf5cba207bcdc65cc5cc7f906229191bd5a1ab06d46685cc1171501adbe504148755faebff75b961620a704ff15197f09a49fda421c126b2c49158066aeb6ef494', 1826712000000000, 1795176301000000, NULL, 0, 0, 'creator');
INSERT INTO public.second_factors VALUES ('01a1f8d3-ea00-78b6-8263-adba39c7a424', '\x4bb06f8e3d0c6cb8a817a538d26c2822e0668df37c98359ce30534275b8fe98d1f03bf0a7a06ec90499f4142b0e802b44dee29d46047563623de7041b8d388b424093af918571bdcdefd97cf', 59839200, 1795176000000000, NULL);
INSERT INTO public.sessions VALUES ('\xdce0d288f1d261d30c1026e325e3e1bd5d80f7b5c22fe8d70776994dc20f8abb', '01a1f8d3-ea00-7ae2-aee4-f169cc0651f2', '01a1f8d3-ea00-78b6-8263-adba39c7a424', '127.0.0.1', 1795176000000000, 1797768000000000, NULL, 1795176000000000);
INSERT INTO public.sessions VALUES ('\xf496d3a7270290f2b7d1a864626e094b02757cfdcbb787daa1c0c09bfdc71f6e', '01a1f8d3-ea00-7d4c-a3a2-1df442921349', '01a1f8d3-ea00-75ef-8fb8-69da3f3e1e52', '127.0.0.1', 1795176000000000, 1797768000000000, NULL, 1795176000000000);
INSERT INTO public.storage VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', 454075);
INSERT INTO public.submissions VALUES ('01a1f8d8-81c8-7170-a171-3b6d35c2406e', '01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7000-8cbc-ce81de55d3f3', '01a1f8d8-81c8-7658-bb02-1e1741c5eb03', 'upload', 'v_inbox_file~v2.7710223505194212814', '\x4bb06f8e3d8ab1e1b12545acafdbe3da01155ed4d54edef76329c1b2ac7f75bef6b9ee5861f01c6b4dd32bd771ec81753c92c802ec327dbdf773ca0c705da394c70add5f1158bb1a74df20c5dd8e1007e97f1d283a58e6b5a51e621e4cde0d731cd5a03da930347d13136c765aa964bc7a15950d58c7785158a109f5f99757e6c69e882867a191d3f4d031e6617cb5561a20b5aaaf2052f8301db9e64c189a04192706552a5ab5a6886776e7331cd5685fa1962a9bec14c9d3530a36b0c097b7186dcdbc08eda1bf59644afd98da0963c22192c751063cfd271e839dd697d747b2039337454a4bb60e68f9a947a349b96e95b4', 221936, NULL, 1795176301000000, NULL, NULL, 1795176301000000, 1795176301000000, 'in_inbox', NULL, NULL, NULL, NULL, 'Videos are uploaded: an upload can be resumed, and nothing can be published before its last byte.', 'inbox');
INSERT INTO public.submissions VALUES ('01a1f8d3-ea00-76a6-bbbc-957254ff2dbb', '01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7000-8cbc-ce81de55d3f3', '01a1f8d3-ea00-779f-a918-f5c3c631e84f', 'upload', 'v_pub_file~v2-1.7710222214141012120', '\x4bb06f8e9af9ceefef78cbcfc1230b20b20a6cd07a56da19583705f2454b5d9bacc916466a9157f12fb5a6e0c0b3277b76863bbf13de49456b25582a4113d3779bf326aeafb9ecaef63def1d884dbad53dd5cf7d98d8ba180707a4aa424c53e1b2272c3027cdd40578a99bb6d6425e346800f025321f99c43416df9f3ee4032ff16e5d876b133f3341a1bb282c6f5d382f4f7fb69e6b16c72466236a7467ddff52b87bc12b75715ba907f10d490cbf70dd2f57fa11b55a581e5d177116c5b83d8b99e86dff50b228619329f5e3dd2c85529a967fc4db44e75c84c584a1ecbb49aef4c450b3c0f0a3c94e9434c467c3e43aed3e', 221936, NULL, 1795176000000000, NULL, NULL, 1795176000000000, 1795176000000000, 'published', NULL, NULL, NULL, NULL, 'Videos are uploaded: an upload can be resumed, and nothing can be published before its last byte.', 'published');
INSERT INTO public.submissions VALUES ('01a1f8d3-ea00-7a51-9329-00b880d8024b', '01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7000-90b9-7f6d703cf187', '01a1f8d3-ea00-786f-9246-d5c8b3afc9fd', 'pull', 'v_pub_url~v1.7710222212648407110', NULL, 0, '\x9555d6f297eb7ae0ebf3800afbbd26b1434d8fd5a2f40de4b9bdd4f6d2f882bd', NULL, 1795176000000000, NULL, 1795176000000000, 1795176001000000, 'published', NULL, NULL, NULL, NULL, 'TikTok''s business API takes media only by fetching them from this service.', 'commented');
INSERT INTO public.submissions VALUES ('01a1f8d8-81c8-74b7-810b-8f39cb056b4a', '01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7000-90b9-7f6d703cf187', '01a1f8d3-ea00-79f2-a651-96b3ad383deb', 'text', NULL, NULL, 0, NULL, NULL, NULL, NULL, 1795176301000000, 1795176301000000, 'published', NULL, NULL, NULL, NULL, NULL, 'first');
INSERT INTO public.submissions VALUES ('01a1f8d8-81c8-7d73-afad-3612b5187019', '01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7000-8cbc-ce81de55d3f3', '01a1f8d8-81c8-7426-8cec-8eda01959cf4', 'upload', 'v_pub_file~v2-1.7710223503940958196', '\x4bb06f8e7942c3a0fa3985ebd7f23672e568686581b5b26c79ffab35d59ea1f794dac216c475d89fffe9b0feed991ee0f51ff70cfe4021f9fe98e28a6e9e626f0e2b8f94b4f7b802b524ae9b929767c98f7a1c4a32dfb4ed5bcdfef88c34c5b5392f63f26876ec61802e46549df2157baa1aa0ba358b1704d6b407021a96de968ae3fa1f640fc3d6f00630560c1e86ab2fedf7d2bf0de5a95856c15f02e68a966fc9f49390c083d77d41f9ef67b71b226ccfc33b2007e3d606fefc72fd563c5e643836393083618c002a299410035e51a21223d17f1b7942273ca3a8c965733761fd7b55fc019e28cfa312815321dd39a39212', 221936, NULL, 1795176301000000, NULL, NULL, 1795176301000000, 1795176301000000, 'rejected', 'file_format_check_failed', 'TikTok cannot read one of the files. Videos must be MP4, MOV or WebM with H.264, H.265, VP8 or VP9; photos must be JPEG or WebP. Replace the file and schedule the post again.', NULL, NULL, 'Videos are uploaded: an upload can be resumed, and nothing can be published before its last byte.', 'failed');
INSERT INTO public.submissions VALUES ('01a1f8d8-81c8-7857-b342-66064ebfc269', '01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7000-8cbc-ce81de55d3f3', '01a1f8d8-81c8-751a-a6fc-150ce1150d0e', 'upload', 'v_pub_file~v2-1.7710223506982670874', '\x4bb06f8e4817f816c6b0c322192d2705197ffd4838c8ae06b09834d837093d7ca6e3ca9318500f780dff5fb72680c1ba6b7912b6ad52e2a7e12feb0dedaa80b5f6b112d51832759fdca0bbffa4451884a10e353b2175b2fd10c2b9f68206c8b9d3e94d11534f4fe9f1171b7be814d67fe0237c3441a62db4f1742d082d12a21df74594631ea7fc0a6681dff2f2a5e4aaf061c3bdcdffe55db835f8d5fa2e5d020a51e7f594abe654c65d924ea1989e1929c159c6ef6e7bbd4b7cf3e1cf02f3f1832427ee191c6d128a71a6d34735ece3179cd175b21ca058e96f26f49770635544fbc8656311f955c5d1f2d0abed9df60a9363', 221936, NULL, 1795176301000000, NULL, NULL, 1795176301000000, NULL, NULL, NULL, NULL, NULL, NULL, 'Videos are uploaded: an upload can be resumed, and nothing can be published before its last byte.', 'open');
INSERT INTO public.usage VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', '2026-11', 7, 0);
INSERT INTO public.users VALUES ('01a1f8d3-ea00-78b6-8263-adba39c7a424', 'ada@example.org', '$argon2id$v=19$m=19456,t=2,p=1$ER/VBnvygZLyQRLxyXj7ZA$1kTX2OEFJS17fMN4RIFhFinDrKkr63E55Ch8uepmGDU', NULL, 1795176000000000, NULL, true);
INSERT INTO public.users VALUES ('01a1f8d3-ea00-75ef-8fb8-69da3f3e1e52', 'bob@example.org', '$argon2id$v=19$m=19456,t=2,p=1$vasuAgIbl8Ex+sGzQKN1iw$kUecD5/B1kfnABfPvH9hDzpUynlI4EkY3kCuCIeTpPQ', NULL, 1795176000000000, NULL, false);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d3-ea00-7000-9b35-b4d8a34589b5', '01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7fd9-8c5f-8e2eb00d6ab6', '01a1f8d3-ea00-7000-9ae7-1f9fb7d60b9c', 'media.ready', '{"type":"media.ready","timestamp":"2026-11-20T12:00:00.000Z","data":{"id":"01a1f8d3-ea00-7ec3-8c96-a45b356fdcd0","storageKey":"bc850c85ae0627364a23ba74a309917c","publicUrl":"http://127.0.0.1:21485/media/bc850c85ae0627364a23ba74a309917c","previewUrl":"http://127.0.0.1:21485/media/bc850c85ae0627364a23ba74a309917c.preview.webp","mimeType":"image/jpeg","size":10203,"mediaType":"image","originalFileName":"photo.jpg","status":"READY","thumbnailMetadata":{"width":360,"height":640,"previewWidth":360,"previewHeight":640,"blurhash":"LzHV9Z2?wxkVl}WDjte;gJfjfQfj","durationMs":null,"videoCodec":null,"audioCodec":null,"frameRate":null},"finalizedAt":"2026-11-20T12:00:00.000Z","folderId":"01a1f8d3-ea00-7000-98de-4141ac5188e9","failure":null,"createdAt":"2026-11-20T12:00:00.000Z"}}', 'delivered', 1, 1795176075000000, NULL, NULL, 204, '', 1795176000000000, 1795176000000000, 0, 1795176000000000, 1795435200000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d3-ea00-7000-9dfa-d0a523853fb0', '01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7fd9-8c5f-8e2eb00d6ab6', '01a1f8d3-ea00-7000-9c7b-e43808d66eac', 'media.ready', '{"type":"media.ready","timestamp":"2026-11-20T12:00:00.000Z","data":{"id":"01a1f8d3-ea00-778b-9655-7b77fded9562","storageKey":"7093b9525c9c3a1fb21b8147b75efbff","publicUrl":"http://127.0.0.1:21485/media/7093b9525c9c3a1fb21b8147b75efbff","previewUrl":"http://127.0.0.1:21485/media/7093b9525c9c3a1fb21b8147b75efbff.preview.webp","mimeType":"video/mp4","size":221936,"mediaType":"video","originalFileName":"clip.mp4","status":"READY","thumbnailMetadata":{"width":720,"height":1280,"previewWidth":480,"previewHeight":853,"blurhash":"LsFzp$s:RRn,xZj[WCf70zWCt6bG","durationMs":6000,"videoCodec":"h264","audioCodec":"aac","frameRate":30.0},"finalizedAt":"2026-11-20T12:00:00.000Z","folderId":null,"failure":null,"createdAt":"2026-11-20T12:00:00.000Z"}}', 'delivered', 1, 1795176075000000, NULL, NULL, 204, '', 1795176000000000, 1795176000000000, 0, 1795176000000000, 1795435200000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d3-ea00-7000-a09b-418df6a87945', '01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7fd9-8c5f-8e2eb00d6ab6', '01a1f8d3-ea00-7000-9f2b-258e052ad129', 'post.queued', '{"type":"post.queued","timestamp":"2026-11-20T12:00:00.000Z","data":{"id":"01a1f8d3-ea00-779f-a918-f5c3c631e84f","groupId":"01a1f8d3-ea00-7886-b141-81f1165ee435","parentPostId":null,"integrationId":"01a1f8d3-ea00-7000-8cbc-ce81de55d3f3","content":"published","state":"QUEUE","scheduledFor":null,"delayInMinutes":null,"releaseId":null,"releaseUrl":null,"settings":{"privacy_level":"PUBLIC_TO_EVERYONE"},"mediaIds":["01a1f8d3-ea00-778b-9655-7b77fded9562"],"errorText":null,"createdAt":"2026-11-20T12:00:00.000Z","updatedAt":"2026-11-20T12:00:00.000Z","createdBy":{"kind":"key","id":"01a1f8d3-ea00-7ff3-a3e4-a84add3ea3ce","name":"test"},"updatedBy":null}}', 'delivered', 1, 1795176075000000, NULL, NULL, 204, '', 1795176000000000, 1795176000000000, 0, 1795176000000000, 1795435200000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d3-ea00-7000-a299-9293c7b72607', '01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7fd9-8c5f-8e2eb00d6ab6', '01a1f8d3-ea00-7000-a153-6ae862d74924', 'post.published', '{"type":"post.published","timestamp":"2026-11-20T12:00:00.000Z","data":{"id":"01a1f8d3-ea00-779f-a918-f5c3c631e84f","groupId":"01a1f8d3-ea00-7886-b141-81f1165ee435","parentPostId":null,"integrationId":"01a1f8d3-ea00-7000-8cbc-ce81de55d3f3","content":"published","state":"PUBLISHED","scheduledFor":null,"delayInMinutes":null,"releaseId":null,"releaseUrl":null,"settings":{"privacy_level":"PUBLIC_TO_EVERYONE"},"mediaIds":["01a1f8d3-ea00-778b-9655-7b77fded9562"],"errorText":null,"createdAt":"2026-11-20T12:00:00.000Z","updatedAt":"2026-11-20T12:00:00.000Z","createdBy":{"kind":"key","id":"01a1f8d3-ea00-7ff3-a3e4-a84add3ea3ce","name":"test"},"updatedBy":null}}', 'delivered', 1, 1795176075000000, NULL, NULL, 204, '', 1795176000000000, 1795176000000000, 0, 1795176000000000, 1795435200000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d3-ea00-7000-a650-178fb4e63c28', '01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7fd9-8c5f-8e2eb00d6ab6', '01a1f8d3-ea00-7000-a55b-18231ebf36d2', 'post.queued', '{"type":"post.queued","timestamp":"2026-11-20T12:00:00.000Z","data":{"id":"01a1f8d3-ea00-7fb7-a7e3-88ff38b7d881","groupId":"01a1f8d3-ea00-740b-bf5b-2b93cbff43c5","parentPostId":null,"integrationId":"01a1f8d3-ea00-7000-8cbc-ce81de55d3f3","content":"removed","state":"QUEUE","scheduledFor":null,"delayInMinutes":null,"releaseId":null,"releaseUrl":null,"settings":{"privacy_level":"PUBLIC_TO_EVERYONE"},"mediaIds":["01a1f8d3-ea00-778b-9655-7b77fded9562"],"errorText":null,"createdAt":"2026-11-20T12:00:00.000Z","updatedAt":"2026-11-20T12:00:00.000Z","createdBy":{"kind":"key","id":"01a1f8d3-ea00-7ff3-a3e4-a84add3ea3ce","name":"test"},"updatedBy":null}}', 'delivered', 1, 1795176075000000, NULL, NULL, 204, '', 1795176000000000, 1795176000000000, 0, 1795176000000000, 1795435200000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d3-ea00-7000-a854-22d874b961b5', '01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7fd9-8c5f-8e2eb00d6ab6', '01a1f8d3-ea00-7000-a7ba-cbcfa37f3332', 'post.published', '{"type":"post.published","timestamp":"2026-11-20T12:00:00.000Z","data":{"id":"01a1f8d3-ea00-7fb7-a7e3-88ff38b7d881","groupId":"01a1f8d3-ea00-740b-bf5b-2b93cbff43c5","parentPostId":null,"integrationId":"01a1f8d3-ea00-7000-8cbc-ce81de55d3f3","content":"removed","state":"PUBLISHED","scheduledFor":null,"delayInMinutes":null,"releaseId":null,"releaseUrl":null,"settings":{"privacy_level":"PUBLIC_TO_EVERYONE"},"mediaIds":["01a1f8d3-ea00-778b-9655-7b77fded9562"],"errorText":null,"createdAt":"2026-11-20T12:00:00.000Z","updatedAt":"2026-11-20T12:00:00.000Z","createdBy":{"kind":"key","id":"01a1f8d3-ea00-7ff3-a3e4-a84add3ea3ce","name":"test"},"updatedBy":null}}', 'delivered', 1, 1795176075000000, NULL, NULL, 204, '', 1795176000000000, 1795176000000000, 0, 1795176000000000, 1795435200000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d3-ea00-7000-b0ef-56b6d0073610', '01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7fd9-8c5f-8e2eb00d6ab6', '01a1f8d3-ea00-7000-afd0-70e413a013ab', 'post.queued', '{"type":"post.queued","timestamp":"2026-11-20T12:00:00.000Z","data":{"id":"01a1f8d3-ea00-786f-9246-d5c8b3afc9fd","groupId":"01a1f8d3-ea00-7831-a9c5-301039652433","parentPostId":null,"integrationId":"01a1f8d3-ea00-7000-90b9-7f6d703cf187","content":"commented","state":"QUEUE","scheduledFor":null,"delayInMinutes":null,"releaseId":null,"releaseUrl":null,"settings":{"allow_comment":true},"mediaIds":["01a1f8d3-ea00-778b-9655-7b77fded9562"],"errorText":null,"createdAt":"2026-11-20T12:00:00.000Z","updatedAt":"2026-11-20T12:00:00.000Z","createdBy":{"kind":"key","id":"01a1f8d3-ea00-7ff3-a3e4-a84add3ea3ce","name":"test"},"updatedBy":null}}', 'delivered', 1, 1795176075000000, NULL, NULL, 204, '', 1795176000000000, 1795176000000000, 0, 1795176000000000, 1795435200000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d3-ede8-7000-b28d-a8186f2a0504', '01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7fd9-8c5f-8e2eb00d6ab6', '01a1f8d3-ede8-7000-b176-1efef3d08382', 'post.published', '{"type":"post.published","timestamp":"2026-11-20T12:00:01.000Z","data":{"id":"01a1f8d3-ea00-786f-9246-d5c8b3afc9fd","groupId":"01a1f8d3-ea00-7831-a9c5-301039652433","parentPostId":null,"integrationId":"01a1f8d3-ea00-7000-90b9-7f6d703cf187","content":"commented","state":"PUBLISHED","scheduledFor":null,"delayInMinutes":null,"releaseId":"7710222213662311336","releaseUrl":"http://127.0.0.1:33897/@kiteshop/video/7710222213662311336","settings":{"allow_comment":true},"mediaIds":["01a1f8d3-ea00-778b-9655-7b77fded9562"],"errorText":null,"createdAt":"2026-11-20T12:00:00.000Z","updatedAt":"2026-11-20T12:00:01.000Z","createdBy":{"kind":"key","id":"01a1f8d3-ea00-7ff3-a3e4-a84add3ea3ce","name":"test"},"updatedBy":null}}', 'delivered', 1, 1795176076000000, NULL, NULL, 204, '', 1795176001000000, 1795176001000000, 0, 1795176001000000, 1795435201000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d8-81c8-7000-b5b3-725dcf0d73c1', '01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7fd9-8c5f-8e2eb00d6ab6', '01a1f8d8-81c8-7000-b431-169c0b700740', 'post.published', '{"type":"post.published","timestamp":"2026-11-20T12:05:01.000Z","data":{"id":"01a1f8d3-ea00-79f2-a651-96b3ad383deb","groupId":"01a1f8d3-ea00-7831-a9c5-301039652433","parentPostId":"01a1f8d3-ea00-786f-9246-d5c8b3afc9fd","integrationId":"01a1f8d3-ea00-7000-90b9-7f6d703cf187","content":"first","state":"PUBLISHED","scheduledFor":null,"delayInMinutes":5,"releaseId":"7710223505820840123","releaseUrl":null,"settings":{},"mediaIds":[],"errorText":null,"createdAt":"2026-11-20T12:00:00.000Z","updatedAt":"2026-11-20T12:05:01.000Z","createdBy":{"kind":"key","id":"01a1f8d3-ea00-7ff3-a3e4-a84add3ea3ce","name":"test"},"updatedBy":null}}', 'delivered', 1, 1795176376000000, NULL, NULL, 204, '', 1795176301000000, 1795176301000000, 0, 1795176301000000, 1795435501000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d8-81c8-7000-b9e3-f169555f0a97', '01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7fd9-8c5f-8e2eb00d6ab6', '01a1f8d8-81c8-7000-b824-fff0f3adb37e', 'post.queued', '{"type":"post.queued","timestamp":"2026-11-20T12:05:01.000Z","data":{"id":"01a1f8d8-81c8-7658-bb02-1e1741c5eb03","groupId":"01a1f8d8-81c8-70ff-ad2c-57fe36862b26","parentPostId":null,"integrationId":"01a1f8d3-ea00-7000-8cbc-ce81de55d3f3","content":"inbox","state":"QUEUE","scheduledFor":null,"delayInMinutes":null,"releaseId":null,"releaseUrl":null,"settings":{"post_mode":"MEDIA_UPLOAD"},"mediaIds":["01a1f8d3-ea00-778b-9655-7b77fded9562"],"errorText":null,"createdAt":"2026-11-20T12:05:01.000Z","updatedAt":"2026-11-20T12:05:01.000Z","createdBy":{"kind":"key","id":"01a1f8d3-ea00-7ff3-a3e4-a84add3ea3ce","name":"test"},"updatedBy":null}}', 'delivered', 1, 1795176376000000, NULL, NULL, 204, '', 1795176301000000, 1795176301000000, 0, 1795176301000000, 1795435501000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d8-81c8-7000-be9c-f9ab8bbf5185', '01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7fd9-8c5f-8e2eb00d6ab6', '01a1f8d8-81c8-7000-bde4-4dc0faf1ec1b', 'post.queued', '{"type":"post.queued","timestamp":"2026-11-20T12:05:01.000Z","data":{"id":"01a1f8d8-81c8-7426-8cec-8eda01959cf4","groupId":"01a1f8d8-81c8-7d1c-a600-35f8b7be1819","parentPostId":null,"integrationId":"01a1f8d3-ea00-7000-8cbc-ce81de55d3f3","content":"failed","state":"QUEUE","scheduledFor":null,"delayInMinutes":null,"releaseId":null,"releaseUrl":null,"settings":{"privacy_level":"PUBLIC_TO_EVERYONE"},"mediaIds":["01a1f8d3-ea00-778b-9655-7b77fded9562"],"errorText":null,"createdAt":"2026-11-20T12:05:01.000Z","updatedAt":"2026-11-20T12:05:01.000Z","createdBy":{"kind":"key","id":"01a1f8d3-ea00-7ff3-a3e4-a84add3ea3ce","name":"test"},"updatedBy":null}}', 'delivered', 1, 1795176376000000, NULL, NULL, 204, '', 1795176301000000, 1795176301000000, 0, 1795176301000000, 1795435501000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d8-81c8-7001-80fb-569eeb52e2eb', '01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7fd9-8c5f-8e2eb00d6ab6', '01a1f8d8-81c8-7000-bf6f-ded832d50a9a', 'post.failed', '{"type":"post.failed","timestamp":"2026-11-20T12:05:01.000Z","data":{"id":"01a1f8d8-81c8-7426-8cec-8eda01959cf4","groupId":"01a1f8d8-81c8-7d1c-a600-35f8b7be1819","parentPostId":null,"integrationId":"01a1f8d3-ea00-7000-8cbc-ce81de55d3f3","content":"failed","state":"ERROR","scheduledFor":null,"delayInMinutes":null,"releaseId":null,"releaseUrl":null,"settings":{"privacy_level":"PUBLIC_TO_EVERYONE"},"mediaIds":["01a1f8d3-ea00-778b-9655-7b77fded9562"],"errorText":"TikTok cannot read one of the files. Videos must be MP4, MOV or WebM with H.264, H.265, VP8 or VP9; photos must be JPEG or WebP. Replace the file and schedule the post again. (file_format_check_failed)","createdAt":"2026-11-20T12:05:01.000Z","updatedAt":"2026-11-20T12:05:01.000Z","createdBy":{"kind":"key","id":"01a1f8d3-ea00-7ff3-a3e4-a84add3ea3ce","name":"test"},"updatedBy":null}}', 'pending', 1, 1795176305790927, NULL, NULL, 500, '', 1795176301000000, NULL, 1, 1795176301000000, 1795435501000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d8-81c8-7001-8328-75cc21b5eee8', '01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7fd9-8c5f-8e2eb00d6ab6', '01a1f8d8-81c8-7001-8280-868f99a107f3', 'post.queued', '{"type":"post.queued","timestamp":"2026-11-20T12:05:01.000Z","data":{"id":"01a1f8d8-81c8-7d79-b243-22307da2ce5c","groupId":"01a1f8d8-81c8-72a3-9f88-88727c7b55eb","parentPostId":null,"integrationId":"01a1f8d3-ea00-7000-8cbc-ce81de55d3f3","content":"planned","state":"QUEUE","scheduledFor":"2026-11-20T13:05:01.000Z","delayInMinutes":null,"releaseId":null,"releaseUrl":null,"settings":{"privacy_level":"PUBLIC_TO_EVERYONE"},"mediaIds":["01a1f8d3-ea00-778b-9655-7b77fded9562"],"errorText":null,"createdAt":"2026-11-20T12:05:01.000Z","updatedAt":"2026-11-20T12:05:01.000Z","createdBy":{"kind":"key","id":"01a1f8d3-ea00-7ff3-a3e4-a84add3ea3ce","name":"test"},"updatedBy":null}}', 'delivered', 1, 1795176376000000, NULL, NULL, 204, '', 1795176301000000, 1795176301000000, 0, 1795176301000000, 1795435501000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d8-81c8-7001-863f-629411127c88', '01a1f8d3-ea00-737c-b2a8-035535d5683e', '01a1f8d3-ea00-7fd9-8c5f-8e2eb00d6ab6', '01a1f8d8-81c8-7001-85d3-eac5c65a0b1b', 'post.queued', '{"type":"post.queued","timestamp":"2026-11-20T12:05:01.000Z","data":{"id":"01a1f8d8-81c8-751a-a6fc-150ce1150d0e","groupId":"01a1f8d8-81c8-7ecc-b8b4-705c20bf367f","parentPostId":null,"integrationId":"01a1f8d3-ea00-7000-8cbc-ce81de55d3f3","content":"open","state":"QUEUE","scheduledFor":null,"delayInMinutes":null,"releaseId":null,"releaseUrl":null,"settings":{"privacy_level":"PUBLIC_TO_EVERYONE"},"mediaIds":["01a1f8d3-ea00-778b-9655-7b77fded9562"],"errorText":null,"createdAt":"2026-11-20T12:05:01.000Z","updatedAt":"2026-11-20T12:05:01.000Z","createdBy":{"kind":"key","id":"01a1f8d3-ea00-7ff3-a3e4-a84add3ea3ce","name":"test"},"updatedBy":null}}', 'delivered', 1, 1795176376000000, NULL, NULL, 204, '', 1795176301000000, 1795176301000000, 0, 1795176301000000, 1795435501000000, NULL);
INSERT INTO public.webhooks VALUES ('01a1f8d3-ea00-7fd9-8c5f-8e2eb00d6ab6', '01a1f8d3-ea00-737c-b2a8-035535d5683e', 'http://127.0.0.1:37631/hook', '["post.queued", "post.published", "post.failed", "media.ready"]', '\x4bb06f8ee803f7e77b8c3b8dadd1b26fd057fde87418cc7ecf6a3cc4cb60de749ede123ec7263598e2243cbb80f3f7827156896da78397220175d1c600960969dd5aa45205d12e60448fa699f874fad724a02e3a71bc38e4461044b544e9', false, 1795176000000000, 1795176000000000, NULL, NULL, NULL, NULL);
INSERT INTO public.workspaces VALUES ('01a1f8d3-ea00-737c-b2a8-035535d5683e', 'Test', 'unlimited', 1795176000000000, 'UTC', NULL, 86400000000);
INSERT INTO public.workspaces VALUES ('01a1f8d3-ea00-7b5a-9297-09c47d9c66bd', 'ada''s workspace', 'unlimited', 1795176000000000, 'UTC', '01a1f8d3-ea00-78b6-8263-adba39c7a424', 86400000000);
INSERT INTO public.workspaces VALUES ('01a1f8d3-ea00-7947-9db9-a1b596d0d170', 'bob''s workspace', 'unlimited', 1795176000000000, 'UTC', '01a1f8d3-ea00-75ef-8fb8-69da3f3e1e52', 86400000000);
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
CREATE INDEX posts_to_look_for ON public.posts USING btree (platform_id) WHERE ((look_since IS NOT NULL) AND (looked_at IS NULL));
CREATE INDEX posts_waiting ON public.posts USING btree (platform_id) WHERE (waiting IS NOT NULL);
CREATE INDEX removed_submissions_account ON public.removed_submissions USING btree (provider, provider_account_id, removed_at);
CREATE INDEX removed_submissions_handle ON public.removed_submissions USING btree (handle) WHERE (handle IS NOT NULL);
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
