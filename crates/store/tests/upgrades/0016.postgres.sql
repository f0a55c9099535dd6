-- {"workspace":"01a1f8d3-ea00-7f1c-939f-38b5be9d3be8","key":"svc_sk_6TtBgWQdx6yT8yb0nghav9v4bbDTY90FTLF0QDfFFEh2kETdv","keyOfAda":"svc_sk_32u6wsuRJKdJ3iEie8LThyfcGlOuvUEbq3Yq55GmFFZ3bdVDg","revokedKey":"svc_sk_vnLW7QjanTuEBryL6pjWgkwlKSjhB9DEKqLub0lHrJA0VTJKQ","sessionOfBob":"68da1e566ec44348cf542f6bdff4ebd385b1c8d82c02a98a1a8773b70a9e1cea","recoveryCodes":["NYCD-Q2HS-KQ5P-KMF2","UNWU-533F-6J7M-KJLD","QIBA-F2YC-SKQ6-2SE4","WWXP-TXOC-LXFG-Z2UC","B5U7-AYK7-QNRA-J3TY","CNYI-JPFX-4UDQ-42HR","BVVE-EKNH-5KLI-JKMW","4KYO-T3FX-RHWZ-KNC7","P2LR-736K-UFP5-HUVI","GEFO-DW3Z-QTN4-YDVG"],"codeOfAda":{"at":"2026-11-20T14:00:00.000Z","code":"831602"},"webhook":"01a1f8d3-ea00-740c-88b1-4923fab52b25","posts":{"creator":"01a1f8d3-ea00-7001-836d-ae220be830b3","business":"01a1f8d3-ea00-7001-8781-76313bdd2b33","gone":"01a1f8d3-ea00-7001-8b38-384c4ac0d8c3","published":"01a1f8d3-ea00-7cba-80b9-16b14cd3c957","commented":"01a1f8d3-ea00-708b-ab77-a34eb566043e","inbox":"01a1f8d8-81c8-71a6-a010-797daafe6913","failed":"01a1f8d8-81c8-7ee6-95ef-a6da0e28648f","draft":"01a1f8d8-81c8-7792-96a8-733fdca694e5","planned":"01a1f8d8-81c8-7484-b4b0-a5226e34c7da","plannedRequest":{"platformIds":["01a1f8d3-ea00-7001-836d-ae220be830b3"],"content":"planned","mode":"schedule","mediaIds":["01a1f8d3-ea00-7794-9b60-328de4bb61cc"],"settings":{"privacy_level":"PUBLIC_TO_EVERYONE"},"scheduledFor":"2026-11-20T13:05:01.000Z"},"open":"01a1f8d8-81c8-7669-8bd9-6fd14f6a73cc"},"now":"2026-11-20T12:05:01.000Z"}
SELECT pg_catalog.set_config('search_path', '', false);
CREATE TABLE public._sqlx_migrations (
    version bigint NOT NULL,
    description text NOT NULL,
    installed_on timestamp with time zone DEFAULT now() NOT NULL,
    success boolean NOT NULL,
    checksum bytea NOT NULL,
    execution_time bigint NOT NULL
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
    CONSTRAINT audit_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['user'::text, 'key'::text, 'system'::text])))
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
    CONSTRAINT jobs_check CHECK ((due_at = COALESCE(leased_until, run_at))),
    CONSTRAINT jobs_check1 CHECK (((leased_until IS NULL) = (lease_owner IS NULL))),
    CONSTRAINT jobs_check2 CHECK (((kind = 'refresh_platform'::text) = (post_id IS NULL))),
    CONSTRAINT jobs_kind_check CHECK ((kind = ANY (ARRAY['publish_post'::text, 'publish_comment'::text, 'resolve_link'::text, 'refresh_platform'::text])))
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
    program text
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
    CONSTRAINT submissions_check CHECK (((closed_at IS NULL) = (outcome IS NULL))),
    CONSTRAINT submissions_check1 CHECK (((transfer IS NOT NULL) OR (closed_at IS NOT NULL))),
    CONSTRAINT submissions_outcome_check CHECK ((outcome = ANY (ARRAY['published'::text, 'in_inbox'::text, 'rejected'::text, 'abandoned'::text, 'reauthorize'::text, 'unknown'::text]))),
    CONSTRAINT submissions_transfer_check CHECK ((transfer = ANY (ARRAY['upload'::text, 'pull'::text, 'text'::text])))
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
    created_at bigint NOT NULL
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
    CONSTRAINT webhooks_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['paused'::text, 'failing'::text, 'gone'::text])))
);
CREATE TABLE public.workspaces (
    id uuid NOT NULL,
    name text NOT NULL,
    plan text NOT NULL,
    created_at bigint NOT NULL,
    time_zone text DEFAULT 'UTC'::text NOT NULL
);
INSERT INTO public._sqlx_migrations VALUES (1, 'people', '2026-11-23 23:25:24.333217+00', true, '\xc967e103aa2714dd61a3122b353f96997a073165ebc095da8d1d8cecf81ce67976383f3cff29ce14476a76c943b03a9c', 43436144);
INSERT INTO public._sqlx_migrations VALUES (2, 'accounts and media', '2026-11-23 23:25:24.377099+00', true, '\x47cdaad71406159befde750f26c575a31b1617896aaddc97b39baf3f251dcb9f74c69d38148f79cf2be9db683d36264c', 38618249);
INSERT INTO public._sqlx_migrations VALUES (3, 'posts', '2026-11-23 23:25:24.415975+00', true, '\x587fef0358bb15df4929d2c37612bddfe85c494f2bf51959d5cb16e07a1bccc3ed7b4270a8a6d7cd5e5485b39aaacfb8', 44268581);
INSERT INTO public._sqlx_migrations VALUES (4, 'log and webhooks', '2026-11-23 23:25:24.460533+00', true, '\xb46f05abdd279b40cdb87b4aebd3edfd98fb4b547f40d42ac21e22b4fb56d7748589e7c6b72c7bfef32550e32c71163d', 30484758);
INSERT INTO public._sqlx_migrations VALUES (5, 'removed files', '2026-11-23 23:25:24.491232+00', true, '\x1f15e579c71d9370a43360805c7b5dd53fa1448cd424fd2e010e12cca275dfdfefadeeb06081ca8af0e1a29ee304aa42', 4528574);
INSERT INTO public._sqlx_migrations VALUES (6, 'sessions and audit', '2026-11-23 23:25:24.495903+00', true, '\x732ecfd8856d575cde2c0bb66a14ab52bf6870d1f4d79f7b5f502d05a81fc978f9ec2ff4cf3b56f44caf16ea9b10d673', 22414280);
INSERT INTO public._sqlx_migrations VALUES (7, 'password resets', '2026-11-23 23:25:24.518515+00', true, '\x7728131d29a19c8fea516165405f212c501b7db1eaf58d54670872687d226e478b449ebf5124691e0b5b63205fafe9a4', 10362836);
INSERT INTO public._sqlx_migrations VALUES (8, 'revocations', '2026-11-23 23:25:24.529047+00', true, '\x3d696912997d9cdf8a1591a1735549fa9110e0c3347be91ee53e70e7d6e530b89e79f50ac9cb70d770635f9e1571326b', 6816036);
INSERT INTO public._sqlx_migrations VALUES (9, 'device authorizations', '2026-11-23 23:25:24.535956+00', true, '\x80973a491a2bbaf58b6a2cfdb71c67b917af83ff24799967b0db9e63c8775372eaedd1d13ef5d1bd7f97cc234a79452b', 10184700);
INSERT INTO public._sqlx_migrations VALUES (10, 'second factors', '2026-11-23 23:25:24.546266+00', true, '\xb6b9acd35f25ac396d99c3901df3c63f615fdc32dc261e02cc9e07b77888174de08b95ea456b7e7d9f2dc38b83301164', 16398819);
INSERT INTO public._sqlx_migrations VALUES (11, 'provider events', '2026-11-23 23:25:24.562815+00', true, '\x2b46d8533dd989f7b3a461dce6149e549066997eeafb10852a8c6509ec462eaff4c76723ab3fba320cadfca2db6b79d9', 2959494);
INSERT INTO public._sqlx_migrations VALUES (12, 'connections', '2026-11-23 23:25:24.565927+00', true, '\x1d7872b96eec9f8987b37955748bf50a375472d245804580ab4a5a96fe046df2859e53b2709fe057b4dd6bea433bff7b', 936197);
INSERT INTO public._sqlx_migrations VALUES (13, 'limits', '2026-11-23 23:25:24.566954+00', true, '\x7306a9d658c9622421758d586043ef7b9c77ca25aefac4612c9e42b05118ed5de27fe32d159515d7ee61b3ec8beee36e', 17589234);
INSERT INTO public._sqlx_migrations VALUES (14, 'time zones', '2026-11-23 23:25:24.585351+00', true, '\x9b24ba76e61ea6e2c3e3861a9c90d3d86eb266395d5d44c69b45b0424a4e3ed5af036790793e4b6e9721c81c63f6bd79', 540145);
INSERT INTO public._sqlx_migrations VALUES (15, 'webhooks', '2026-11-23 23:25:24.585958+00', true, '\xc48959ea626299a8f8d51599ce6bdaa2fad7f6ca8c962352a5eae95551fdbe6b73835dc67514e59d712d3f1d6719e664', 3239732);
INSERT INTO public._sqlx_migrations VALUES (16, 'programs of sessions', '2026-11-23 23:25:24.5893+00', true, '\x1698424c72b27d21f18ae72718d6b5941f891c60f8d7eab521758e954edceedeb3cad4397d42255ca549decd5793664a', 305586);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-7000-bacc-d3a7fa12986b', 'system', NULL, NULL, NULL, NULL, 'workspace.created', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '{"name": "Test"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-7000-bbe1-f891d1fd1d35', 'system', NULL, NULL, NULL, NULL, 'key.created', '01a1f8d3-ea00-73cc-9941-1c6922aa8286', '{"name": "test"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-72d3-ad60-58ee2ae54922', '01a1f8d3-ea00-7000-bc5e-2cbf4cee3839', 'user', '01a1f8d3-ea00-7c25-8b01-e5307f7b4471', 'ada@example.org', '01a1f8d3-ea00-705c-9cbe-55920ea24987', '127.0.0.1', 'workspace.created', '01a1f8d3-ea00-72d3-ad60-58ee2ae54922', '{"name": "ada''s workspace"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-7e43-b55a-d1086f5a665c', '01a1f8d3-ea00-7000-bd59-58d68861cab3', 'user', '01a1f8d3-ea00-725d-89eb-175f3e91b58d', 'bob@example.org', '01a1f8d3-ea00-7764-904c-71de16ebf264', '127.0.0.1', 'workspace.created', '01a1f8d3-ea00-7e43-b55a-d1086f5a665c', '{"name": "bob''s workspace"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-7000-bec0-ecd727ee2e7a', 'user', '01a1f8d3-ea00-7c25-8b01-e5307f7b4471', 'ada@example.org', '01a1f8d3-ea00-705c-9cbe-55920ea24987', '127.0.0.1', 'key.created', '01a1f8d3-ea00-7005-af94-af3624bd41f0', '{"name": "Ada''s"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-7000-bf39-fa663ca61df8', 'user', '01a1f8d3-ea00-7c25-8b01-e5307f7b4471', 'ada@example.org', '01a1f8d3-ea00-705c-9cbe-55920ea24987', '127.0.0.1', 'key.created', '01a1f8d3-ea00-7d02-ac6d-5ad2f518b240', '{"name": "lost"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-7001-8077-087781044ec9', 'user', '01a1f8d3-ea00-7c25-8b01-e5307f7b4471', 'ada@example.org', '01a1f8d3-ea00-705c-9cbe-55920ea24987', '127.0.0.1', 'key.revoked', '01a1f8d3-ea00-7d02-ac6d-5ad2f518b240', '{"name": "lost"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-7001-812d-e537bc87f859', 'user', '01a1f8d3-ea00-7c25-8b01-e5307f7b4471', 'ada@example.org', '01a1f8d3-ea00-705c-9cbe-55920ea24987', '127.0.0.1', 'invitation.created', '01a1f8d3-ea00-7d66-bf4f-105f49769749', '{"role": "member", "email": "cay@example.org"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-7001-82a1-f939491ce0c7', 'key', '01a1f8d3-ea00-73cc-9941-1c6922aa8286', 'test', NULL, NULL, 'webhook.created', '01a1f8d3-ea00-740c-88b1-4923fab52b25', '{"url": "http://127.0.0.1:32959/hook", "events": ["post.queued", "post.published", "post.failed", "media.ready"]}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-7001-8613-0e86b469794c', 'system', NULL, NULL, NULL, NULL, 'platform.connected', '01a1f8d3-ea00-7001-836d-ae220be830b3', '{"account": "Kite Studio", "provider": "tiktok", "connection": "creator"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-7001-8aa6-190a72fdb32e', 'system', NULL, NULL, NULL, NULL, 'platform.connected', '01a1f8d3-ea00-7001-8781-76313bdd2b33', '{"account": "kiteshop", "provider": "tiktok", "connection": "business"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-7001-8ece-945515c7bdc9', 'system', NULL, NULL, NULL, NULL, 'platform.connected', '01a1f8d3-ea00-7001-8b38-384c4ac0d8c3', '{"account": "kitesgone", "provider": "tiktok", "connection": "creator"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d8-81c8-7001-b37d-42651421ab4e', 'system', NULL, NULL, NULL, NULL, 'platform.disconnected', '01a1f8d3-ea00-7001-8b38-384c4ac0d8c3', '{"account": "kitesgone", "provider": "tiktok"}', 1795176301000000);
INSERT INTO public.authorizations VALUES ('\x5021ce9b6bfb95d6e1128ac087b679398377426492c9456c9eadfb645ccaacbe', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', NULL, NULL, 'tiktok', '\x4bb06f8eb38434102ae3d464b1cc394a78dfce464c25a8ba3c86a51cd33de79641856bae4bc420a086f1a80ab8638483f8773710b5a1119f4c83dfc2bc755fe39ae8f5e0a7ac37e5a06836f5d4a9f46b94f3bfdc48c873cdc8311336e4c28ea25a6119ae230b137bb438ee8a', 1795176301000000, 1795177201000000, 'creator');
INSERT INTO public.device_authorizations VALUES ('01a1f8d3-ea00-7b75-b0fa-635a20aba4de', '\xc78595a88d5c7f6c764df15cbca9c12ba5fe64d4ab12be0d3dab5cb0351a1be6', '\x7e789b9d0032511dd0efa9218ba7ca5f60a375070758e9a5fb1f00c55c288625', NULL, NULL, '127.0.0.1', 5, NULL, 'pending', NULL, NULL, NULL, NULL, NULL, 1795176000000000, 1795176600000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-7001-8574-8da4d509d450', 'platform.connected', '{"isNew": true, "provider": "tiktok", "platformId": "01a1f8d3-ea00-7001-836d-ae220be830b3"}', 1795176000000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-7001-894b-c751f77f8b09', 'platform.connected', '{"isNew": true, "provider": "tiktok", "platformId": "01a1f8d3-ea00-7001-8781-76313bdd2b33"}', 1795176000000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-7001-8d5f-ec83e9fb4f79', 'platform.connected', '{"isNew": true, "provider": "tiktok", "platformId": "01a1f8d3-ea00-7001-8b38-384c4ac0d8c3"}', 1795176000000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-7001-90ec-123900fada49', 'media.ready', '{"mediaId": "01a1f8d3-ea00-7792-b392-69fe05eca728", "mediaType": "image"}', 1795176000000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-7001-9231-edda8c763292', 'media.ready', '{"mediaId": "01a1f8d3-ea00-7794-9b60-328de4bb61cc", "mediaType": "video"}', 1795176000000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-7001-9573-f65431c735a4', 'post.queued', '{"state": "QUEUE", "postId": "01a1f8d3-ea00-7cba-80b9-16b14cd3c957", "groupId": "01a1f8d3-ea00-7c3c-a509-7c04c1f97529", "errorText": null, "releaseId": null, "platformId": "01a1f8d3-ea00-7001-836d-ae220be830b3", "releaseUrl": null, "parentPostId": null, "scheduledFor": null}', 1795176000000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-7001-971c-e6cb50898780', 'post.published', '{"state": "PUBLISHED", "postId": "01a1f8d3-ea00-7cba-80b9-16b14cd3c957", "groupId": "01a1f8d3-ea00-7c3c-a509-7c04c1f97529", "errorText": null, "releaseId": null, "platformId": "01a1f8d3-ea00-7001-836d-ae220be830b3", "releaseUrl": null, "parentPostId": null, "scheduledFor": null}', 1795176000000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-7001-9b90-2f4da1212c00', 'post.queued', '{"state": "QUEUE", "postId": "01a1f8d3-ea00-708b-ab77-a34eb566043e", "groupId": "01a1f8d3-ea00-7a85-911f-2b1ee11fd5b8", "errorText": null, "releaseId": null, "platformId": "01a1f8d3-ea00-7001-8781-76313bdd2b33", "releaseUrl": null, "parentPostId": null, "scheduledFor": null}', 1795176000000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ede8-7001-9d51-d4b718022213', 'post.published', '{"state": "PUBLISHED", "postId": "01a1f8d3-ea00-708b-ab77-a34eb566043e", "groupId": "01a1f8d3-ea00-7a85-911f-2b1ee11fd5b8", "errorText": null, "releaseId": "7710222212261130193", "platformId": "01a1f8d3-ea00-7001-8781-76313bdd2b33", "releaseUrl": "http://127.0.0.1:42259/@kiteshop/video/7710222212261130193", "parentPostId": null, "scheduledFor": null}', 1795176001000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d8-81c8-7001-a0cb-4d4f06347a7e', 'post.published', '{"state": "PUBLISHED", "postId": "01a1f8d3-ea00-7133-8163-5aff9489543b", "groupId": "01a1f8d3-ea00-7a85-911f-2b1ee11fd5b8", "errorText": null, "releaseId": "7710223504419658980", "platformId": "01a1f8d3-ea00-7001-8781-76313bdd2b33", "releaseUrl": null, "parentPostId": "01a1f8d3-ea00-708b-ab77-a34eb566043e", "scheduledFor": null}', 1795176301000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d8-81c8-7001-a4e4-3ddba25e38bf', 'post.queued', '{"state": "QUEUE", "postId": "01a1f8d8-81c8-71a6-a010-797daafe6913", "groupId": "01a1f8d8-81c8-7be9-ac47-6b8a437924c3", "errorText": null, "releaseId": null, "platformId": "01a1f8d3-ea00-7001-836d-ae220be830b3", "releaseUrl": null, "parentPostId": null, "scheduledFor": null}', 1795176301000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d8-81c8-7001-a620-5378c62d3d77', 'post.action_required', '{"state": "ACTION_REQUIRED", "postId": "01a1f8d8-81c8-71a6-a010-797daafe6913", "groupId": "01a1f8d8-81c8-7be9-ac47-6b8a437924c3", "errorText": "The post is in the creator''s inbox. Open the notification in the provider''s app and publish it there.", "releaseId": null, "platformId": "01a1f8d3-ea00-7001-836d-ae220be830b3", "releaseUrl": null, "parentPostId": null, "scheduledFor": null}', 1795176301000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d8-81c8-7001-a910-3ee474867750', 'post.queued', '{"state": "QUEUE", "postId": "01a1f8d8-81c8-7ee6-95ef-a6da0e28648f", "groupId": "01a1f8d8-81c8-74d4-a0fc-3a89479f75c4", "errorText": null, "releaseId": null, "platformId": "01a1f8d3-ea00-7001-836d-ae220be830b3", "releaseUrl": null, "parentPostId": null, "scheduledFor": null}', 1795176301000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d8-81c8-7001-ab66-1040f7794f9c', 'post.failed', '{"state": "ERROR", "postId": "01a1f8d8-81c8-7ee6-95ef-a6da0e28648f", "groupId": "01a1f8d8-81c8-74d4-a0fc-3a89479f75c4", "errorText": "TikTok cannot read one of the files. Videos must be MP4, MOV or WebM with H.264, H.265, VP8 or VP9; photos must be JPEG or WebP. Replace the file and schedule the post again. (file_format_check_failed)", "releaseId": null, "platformId": "01a1f8d3-ea00-7001-836d-ae220be830b3", "releaseUrl": null, "parentPostId": null, "scheduledFor": null}', 1795176301000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d8-81c8-7001-aef7-3591baeb5016', 'post.queued', '{"state": "QUEUE", "postId": "01a1f8d8-81c8-7484-b4b0-a5226e34c7da", "groupId": "01a1f8d8-81c8-7383-97e2-57dc9c6828f7", "errorText": null, "releaseId": null, "platformId": "01a1f8d3-ea00-7001-836d-ae220be830b3", "releaseUrl": null, "parentPostId": null, "scheduledFor": "2026-11-20T13:05:01.000Z"}', 1795176301000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d8-81c8-7001-b172-5b5b394412ba', 'post.queued', '{"state": "QUEUE", "postId": "01a1f8d8-81c8-7669-8bd9-6fd14f6a73cc", "groupId": "01a1f8d8-81c8-7d3c-9436-f4066ec87e3a", "errorText": null, "releaseId": null, "platformId": "01a1f8d3-ea00-7001-836d-ae220be830b3", "releaseUrl": null, "parentPostId": null, "scheduledFor": null}', 1795176301000000);
INSERT INTO public.folders VALUES ('01a1f8d3-ea00-7001-8f04-2be0b94c27b4', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', 'Wind', 'wind', 1795176000000000, 1795176000000000);
INSERT INTO public.idempotency VALUES ('01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', 'kept', '\xa74576af03fba8e433106e858a10ab35ecd766c8a99fb46f079f67130b81e3d9', 'completed', 201, '[["content-type", "application/json"]]', '\x7b22726573756c7473223a5b7b22737461747573223a2263726561746564222c22706c6174666f726d4964223a2230316131663864332d656130302d373030312d383336642d616532323062653833306233222c22706f7374223a7b22726f6f74223a7b226964223a2230316131663864382d383163382d373438342d623462302d613532323665333463376461222c2267726f75704964223a2230316131663864382d383163382d373338332d393765322d353764633963363832386637222c22706172656e74506f73744964223a6e756c6c2c22696e746567726174696f6e4964223a2230316131663864332d656130302d373030312d383336642d616532323062653833306233222c22636f6e74656e74223a22706c616e6e6564222c227374617465223a225155455545222c227363686564756c6564466f72223a22323032362d31312d32305431333a30353a30312e3030305a222c2264656c6179496e4d696e75746573223a6e756c6c2c2272656c656173654964223a6e756c6c2c2272656c6561736555726c223a6e756c6c2c2273657474696e6773223a7b22707269766163795f6c6576656c223a225055424c49435f544f5f45564552594f4e45227d2c226d65646961496473223a5b2230316131663864332d656130302d373739342d396236302d333238646534626236316363225d2c226572726f7254657874223a6e756c6c2c22637265617465644174223a22323032362d31312d32305431323a30353a30312e3030305a222c22757064617465644174223a22323032362d31312d32305431323a30353a30312e3030305a227d2c226368696c6472656e223a5b5d7d2c2277696c6c5075626c6973684174223a22323032362d31312d32305431333a30353a30312e3030305a222c227761726e696e6773223a5b5d7d5d7d', 1795176301000000);
INSERT INTO public.invitations VALUES ('01a1f8d3-ea00-7d66-bf4f-105f49769749', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', 'cay@example.org', 'member', '\xac0a16615e71c184f1a96ae78417a3c7ecbaf411a401b4517cb064545bef53d8', '01a1f8d3-ea00-7c25-8b01-e5307f7b4471', 1795176000000000, 1795780800000000, NULL);
INSERT INTO public.jobs VALUES ('01a1f8d3-ea00-7001-844e-3dffa8d575df', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-7001-836d-ae220be830b3', NULL, 'refresh_platform', 1795243918236380, 1795243918236380, 0, 0, 0, NULL, NULL, 1795348800000000);
INSERT INTO public.jobs VALUES ('01a1f8d3-ea00-7001-88c5-717e88d8bb70', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-7001-8781-76313bdd2b33', NULL, 'refresh_platform', 1795239445482165, 1795239445482165, 0, 0, 0, NULL, NULL, 1795348800000000);
INSERT INTO public.jobs VALUES ('01a1f8d8-81c8-7001-a202-cbb137a9242e', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-7001-8781-76313bdd2b33', '01a1f8d3-ea00-72c1-8ed0-725b375a4f86', 'publish_comment', 1795236301000000, 1795236301000000, 0, 0, 0, NULL, NULL, 1795322701000000);
INSERT INTO public.jobs VALUES ('01a1f8d8-81c8-7001-a7e9-235959249bfa', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-7001-836d-ae220be830b3', '01a1f8d8-81c8-71a6-a010-797daafe6913', 'resolve_link', 1795176311000000, 1795176311000000, 0, 0, 0, NULL, NULL, 1795262711000000);
INSERT INTO public.jobs VALUES ('01a1f8d8-81c8-7001-ade7-04d923b655aa', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-7001-836d-ae220be830b3', '01a1f8d8-81c8-7484-b4b0-a5226e34c7da', 'publish_post', 1795179901000000, 1795179901000000, 0, 0, 0, NULL, NULL, 1795266301000000);
INSERT INTO public.jobs VALUES ('01a1f8d8-81c8-7001-b03e-1c22695cfed1', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-7001-836d-ae220be830b3', '01a1f8d8-81c8-7669-8bd9-6fd14f6a73cc', 'publish_post', 1795176302000000, 1795176302000000, 1, 0, 1, NULL, NULL, 1795262701000000);
INSERT INTO public.keys VALUES ('01a1f8d3-ea00-7005-af94-af3624bd41f0', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '\xa20e37896da272744edf2ee0357d933e965cf06445330d8c89168a673df97352', 'Ada''s', 'dVDg', '01a1f8d3-ea00-7c25-8b01-e5307f7b4471', 1795176000000000, NULL, NULL, NULL);
INSERT INTO public.keys VALUES ('01a1f8d3-ea00-7d02-ac6d-5ad2f518b240', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '\xb619ec68a6c4fcc05504e2227fd0a060d56d5f4bede4e7d4ce0a7ae605db0c5f', 'lost', 'TJKQ', '01a1f8d3-ea00-7c25-8b01-e5307f7b4471', 1795176000000000, NULL, NULL, 1795176000000000);
INSERT INTO public.keys VALUES ('01a1f8d3-ea00-73cc-9941-1c6922aa8286', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '\xc329422ccd61b62d7e2d2b525b336da0ebe956245fb67b8a053b031ebab14b3d', 'test', 'ETdv', NULL, 1795176000000000, 1795176301000000, NULL, NULL);
INSERT INTO public.media VALUES ('01a1f8d3-ea00-7792-b392-69fe05eca728', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-7001-8f04-2be0b94c27b4', 'b868a76b61efdd4b9b2702ffca609e79', 'b868a76b61efdd4b9b2702ffca609e79.preview.webp', 'image/jpeg', 'image', 10203, 'photo.jpg', 'READY', '{"width": 360, "height": 640, "blurhash": "LzHV9Z2?wxkVl}WDjte;gJfjfQfj", "frameRate": null, "audioCodec": null, "durationMs": null, "videoCodec": null, "previewWidth": 360, "previewHeight": 640, "rotationDegrees": 0}', '\xb37806b495aa6181e4fedb79007ff7f8dde1f1cb491fd37149cbdf1bfeee2720', NULL, NULL, NULL, NULL, 1795176000000000, 1795176000000000);
INSERT INTO public.media VALUES ('01a1f8d3-ea00-7794-9b60-328de4bb61cc', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', NULL, 'bbf6a4f6190b3a8a4152c25a45118888', 'bbf6a4f6190b3a8a4152c25a45118888.preview.webp', 'video/mp4', 'video', 221936, 'clip.mp4', 'READY', '{"width": 720, "height": 1280, "blurhash": "LsFzp$s:RRn,xZj[WCf70zWCt6bG", "frameRate": 30.0, "audioCodec": "aac", "durationMs": 6000, "videoCodec": "h264", "previewWidth": 480, "previewHeight": 853, "rotationDegrees": 0}', '\x68a4bf064b6e0fcb556eefb10b016a8e4ebc59a3bd1070c40ba7075d677a70cc', NULL, NULL, NULL, NULL, 1795176000000000, 1795176000000000);
INSERT INTO public.media VALUES ('01a1f8d8-81c8-74bb-ae46-f26eeebf8727', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', NULL, 'c61113534a03df93c22d32077c1855fb', NULL, 'video/mp4', 'video', 221936, 'upload.mp4', 'PENDING', NULL, NULL, 221936, 0, NULL, 1795262701000000, NULL, 1795176301000000);
INSERT INTO public.members VALUES ('01a1f8d3-ea00-72d3-ad60-58ee2ae54922', '01a1f8d3-ea00-7c25-8b01-e5307f7b4471', 'owner', 1795176000000000);
INSERT INTO public.members VALUES ('01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-7c25-8b01-e5307f7b4471', 'owner', 1795176000000000);
INSERT INTO public.members VALUES ('01a1f8d3-ea00-7e43-b55a-d1086f5a665c', '01a1f8d3-ea00-725d-89eb-175f3e91b58d', 'owner', 1795176000000000);
INSERT INTO public.members VALUES ('01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-725d-89eb-175f3e91b58d', 'member', 1795176000000000);
INSERT INTO public.password_resets VALUES ('\x08016aa76d30cf90de1d2efb597aa7e8eb2d1b8d7cbb391cdfc036c823a29843', '01a1f8d3-ea00-725d-89eb-175f3e91b58d', 1795176000000000, 1795179600000000);
INSERT INTO public.platforms VALUES ('01a1f8d3-ea00-7001-836d-ae220be830b3', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', 'tiktok', '-000s8NHWCpY72ild6TJ7o4xnXKC2U1np0O3', 'Kite Studio', 'kitestudio', 'http://127.0.0.1:42259/sim/avatar/kitestudio.svg', false, false, '\x4bb06f8ef85d8e9562b873e0ff259388f4ba47870a7b87efe1d8c8cdb8260ecc1dae3cf7f5862807aa4362737e2eed312320b8043554f258c806997d4cdd7e5f0a59c2453a58baca6365b0d1389121011ec209b1bf40785d7bc81b', 1795262400000000, '\x4bb06f8ed904b2aa9befd33ec03f07a5f4b0cb9eadd77bf0aa32219bc0458e0479de6c88e07a577e64ad64e96c8028edecb868ab5d0c9497c442d811c2c3a5f1fc583e27594d05f49cdc5d616f50ca5dc3d9e867a99c1fa3349114', 1826712000000000, '["user.info.basic", "user.info.profile", "video.publish", "video.upload", "video.list"]', 1, NULL, NULL, '["video", "photos", "direct_post", "inbox_draft"]', '{"scopes": ["user.info.basic", "user.info.profile", "video.publish", "video.upload", "video.list"], "username": "kitestudio", "refreshedAt": "2026-11-20T12:00:00.000Z", "duetDisabled": false, "stitchDisabled": false, "commentDisabled": false, "privacyLevelOptions": ["PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", "SELF_ONLY"], "maxVideoPostDurationSec": 600}', '{}', 1795176000000000, 1795176000000000, NULL, 'creator', 1795176000000000, NULL);
INSERT INTO public.platforms VALUES ('01a1f8d3-ea00-7001-8781-76313bdd2b33', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', 'tiktok', '_000iLELiIB8IxBR2EMDFYNpDze3006ARVkm', 'kiteshop', 'kiteshop', 'http://127.0.0.1:42259/sim/avatar/kiteshop.svg', false, false, '\x4bb06f8e7e80dded97590fe01140206d4dadcd402b0bc90a299cae20069fc1b25e52b69e2e6a28efab50e19d01a13e140920c059c5e1170f5c1738a18b685527775d84d198c23689b51bd36ebe2043f2033ec36b52b2d283ee8add', 1795262400000000, '\x4bb06f8e856905d80ba9a460f2bd079315b85b78c2ad35d8fbd5f760f39a00d82a9216d9d0dbe71c574f715d5dfc40d90e76db233ef5aa0684df66107fc446a460bddd1939f3cdcff1ff67b6b56463aaa4b392869e6a7705cd0e26', 1826712000000000, '["user.info.basic", "user.info.username", "video.publish", "video.upload", "video.list", "comment.list", "comment.list.manage"]', 1, NULL, NULL, '["video", "photos", "direct_post", "inbox_draft", "comments"]', '{"scopes": ["user.info.basic", "user.info.username", "video.publish", "video.upload", "video.list", "comment.list", "comment.list.manage"], "username": "kiteshop", "refreshedAt": "2026-11-20T12:00:00.000Z", "duetDisabled": false, "stitchDisabled": false, "commentDisabled": false, "privacyLevelOptions": ["PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", "SELF_ONLY"], "maxVideoPostDurationSec": 600}', '{}', 1795176000000000, 1795176000000000, NULL, 'business', 1795176000000000, NULL);
INSERT INTO public.platforms VALUES ('01a1f8d3-ea00-7001-8b38-384c4ac0d8c3', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', 'tiktok', '-000ZYMtVgQkSKN5fx4Asc1bJWPWfeMNbeCC', 'kitesgone', 'kitesgone', 'http://127.0.0.1:42259/sim/avatar/kitesgone.svg', false, false, NULL, NULL, NULL, NULL, '["user.info.basic", "user.info.profile", "video.publish", "video.upload", "video.list"]', 2, NULL, NULL, '["video", "photos", "direct_post", "inbox_draft"]', '{"scopes": ["user.info.basic", "user.info.profile", "video.publish", "video.upload", "video.list"], "username": "kitesgone", "refreshedAt": "2026-11-20T12:00:00.000Z", "duetDisabled": false, "stitchDisabled": false, "commentDisabled": false, "privacyLevelOptions": ["PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", "SELF_ONLY"], "maxVideoPostDurationSec": 600}', '{}', 1795176000000000, 1795176301000000, 1795176301000000, 'creator', 1795176000000000, NULL);
INSERT INTO public.post_media VALUES ('01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-7cba-80b9-16b14cd3c957', 0, '01a1f8d3-ea00-7794-9b60-328de4bb61cc');
INSERT INTO public.post_media VALUES ('01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-708b-ab77-a34eb566043e', 0, '01a1f8d3-ea00-7794-9b60-328de4bb61cc');
INSERT INTO public.post_media VALUES ('01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d8-81c8-71a6-a010-797daafe6913', 0, '01a1f8d3-ea00-7794-9b60-328de4bb61cc');
INSERT INTO public.post_media VALUES ('01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d8-81c8-7ee6-95ef-a6da0e28648f', 0, '01a1f8d3-ea00-7794-9b60-328de4bb61cc');
INSERT INTO public.post_media VALUES ('01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d8-81c8-7792-96a8-733fdca694e5', 0, '01a1f8d3-ea00-7794-9b60-328de4bb61cc');
INSERT INTO public.post_media VALUES ('01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d8-81c8-7484-b4b0-a5226e34c7da', 0, '01a1f8d3-ea00-7794-9b60-328de4bb61cc');
INSERT INTO public.post_media VALUES ('01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d8-81c8-7669-8bd9-6fd14f6a73cc', 0, '01a1f8d3-ea00-7794-9b60-328de4bb61cc');
INSERT INTO public.posts VALUES ('01a1f8d3-ea00-7cba-80b9-16b14cd3c957', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-7c3c-a509-7c04c1f97529', NULL, 0, '01a1f8d3-ea00-7001-836d-ae220be830b3', 'published', 'PUBLISHED', NULL, false, NULL, NULL, '7710222211873853276', 'http://127.0.0.1:42259/@kitestudio/video/7710222211873853276', '{"privacy_level": "PUBLIC_TO_EVERYONE"}', NULL, 1795176000000000, '2026-11', 1795176000000000, 1795176000000000, 1, NULL);
INSERT INTO public.posts VALUES ('01a1f8d3-ea00-72c1-8ed0-725b375a4f86', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-7a85-911f-2b1ee11fd5b8', '01a1f8d3-ea00-708b-ab77-a34eb566043e', 2, '01a1f8d3-ea00-7001-8781-76313bdd2b33', 'in the evening', 'QUEUE', NULL, false, NULL, 1000, NULL, NULL, '{}', NULL, 1795176000000000, NULL, 1795176000000000, 1795176000000000, 1, NULL);
INSERT INTO public.posts VALUES ('01a1f8d3-ea00-708b-ab77-a34eb566043e', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-7a85-911f-2b1ee11fd5b8', NULL, 0, '01a1f8d3-ea00-7001-8781-76313bdd2b33', 'commented', 'PUBLISHED', NULL, false, NULL, NULL, '7710222212261130193', 'http://127.0.0.1:42259/@kiteshop/video/7710222212261130193', '{"allow_comment": true}', NULL, 1795176000000000, '2026-11', 1795176000000000, 1795176001000000, 1, NULL);
INSERT INTO public.posts VALUES ('01a1f8d3-ea00-7133-8163-5aff9489543b', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-7a85-911f-2b1ee11fd5b8', '01a1f8d3-ea00-708b-ab77-a34eb566043e', 1, '01a1f8d3-ea00-7001-8781-76313bdd2b33', 'first', 'PUBLISHED', NULL, false, NULL, 5, '7710223504419658980', NULL, '{}', NULL, 1795176000000000, NULL, 1795176000000000, 1795176301000000, 1, NULL);
INSERT INTO public.posts VALUES ('01a1f8d8-81c8-71a6-a010-797daafe6913', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d8-81c8-7be9-ac47-6b8a437924c3', NULL, 0, '01a1f8d3-ea00-7001-836d-ae220be830b3', 'inbox', 'ACTION_REQUIRED', 'inbox', false, NULL, NULL, NULL, NULL, '{"post_mode": "MEDIA_UPLOAD"}', 'The post is in the creator''s inbox. Open the notification in the provider''s app and publish it there.', 1795176301000000, '2026-11', 1795176301000000, 1795176301000000, 1, NULL);
INSERT INTO public.posts VALUES ('01a1f8d8-81c8-7ee6-95ef-a6da0e28648f', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d8-81c8-74d4-a0fc-3a89479f75c4', NULL, 0, '01a1f8d3-ea00-7001-836d-ae220be830b3', 'failed', 'ERROR', NULL, false, NULL, NULL, NULL, NULL, '{"privacy_level": "PUBLIC_TO_EVERYONE"}', 'TikTok cannot read one of the files. Videos must be MP4, MOV or WebM with H.264, H.265, VP8 or VP9; photos must be JPEG or WebP. Replace the file and schedule the post again. (file_format_check_failed)', 1795176301000000, '2026-11', 1795176301000000, 1795176301000000, 1, NULL);
INSERT INTO public.posts VALUES ('01a1f8d8-81c8-7792-96a8-733fdca694e5', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d8-81c8-75de-8887-45a962b87ae4', NULL, 0, '01a1f8d3-ea00-7001-836d-ae220be830b3', 'draft', 'DRAFT', NULL, false, NULL, NULL, NULL, NULL, '{"privacy_level": "PUBLIC_TO_EVERYONE"}', NULL, 1795176301000000, NULL, 1795176301000000, 1795176301000000, 1, NULL);
INSERT INTO public.posts VALUES ('01a1f8d8-81c8-7484-b4b0-a5226e34c7da', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d8-81c8-7383-97e2-57dc9c6828f7', NULL, 0, '01a1f8d3-ea00-7001-836d-ae220be830b3', 'planned', 'QUEUE', NULL, false, 1795179901000000, NULL, NULL, NULL, '{"privacy_level": "PUBLIC_TO_EVERYONE"}', NULL, 1795179901000000, '2026-11', 1795176301000000, 1795176301000000, 1, NULL);
INSERT INTO public.posts VALUES ('01a1f8d8-81c8-7669-8bd9-6fd14f6a73cc', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d8-81c8-7d3c-9436-f4066ec87e3a', NULL, 0, '01a1f8d3-ea00-7001-836d-ae220be830b3', 'open', 'QUEUE', NULL, true, NULL, NULL, NULL, NULL, '{"privacy_level": "PUBLIC_TO_EVERYONE"}', NULL, 1795176301000000, '2026-11', 1795176301000000, 1795176301000000, 1, NULL);
INSERT INTO public.recovery_codes VALUES ('01a1f8d3-ea00-7c25-8b01-e5307f7b4471', '\x392f3393ab4b5f03f34cacdb42fbe3053219feb4afdacf17aa4539dcbf78969e');
INSERT INTO public.recovery_codes VALUES ('01a1f8d3-ea00-7c25-8b01-e5307f7b4471', '\xcb68d80d6d4e95fe6fea122f53380f91009b57bd4e42133f387588fcb9c6e472');
INSERT INTO public.recovery_codes VALUES ('01a1f8d3-ea00-7c25-8b01-e5307f7b4471', '\xbe8da1beedd6dc2bffd610f423a187c7bfa3ce2c844ad07dbecfc5fa570a38f6');
INSERT INTO public.recovery_codes VALUES ('01a1f8d3-ea00-7c25-8b01-e5307f7b4471', '\x8464fa3a4cfdd83ac5287f9ce9a2941f1dd8e59b90a3f5d8f7301bc459fe3a8d');
INSERT INTO public.recovery_codes VALUES ('01a1f8d3-ea00-7c25-8b01-e5307f7b4471', '\xbb3743771a4a4e6d362ae5a1a131911777278d967da5f6f237759d3333db1ce3');
INSERT INTO public.recovery_codes VALUES ('01a1f8d3-ea00-7c25-8b01-e5307f7b4471', '\x739add422b2d918fc7975805c67237f217eab0df54a7678accc8341e7c8d751b');
INSERT INTO public.recovery_codes VALUES ('01a1f8d3-ea00-7c25-8b01-e5307f7b4471', '\xaadde9acfbb522e97d24c03f4a493891e628313d39756155892d83f37a4ad68f');
INSERT INTO public.recovery_codes VALUES ('01a1f8d3-ea00-7c25-8b01-e5307f7b4471', '\xba08b76429bea72b05829568b79514ef93bce524283220b16f044ccb0264b069');
INSERT INTO public.recovery_codes VALUES ('01a1f8d3-ea00-7c25-8b01-e5307f7b4471', '\x7d2b02e4c55a2c40430838d6e66606e6e08db91239dacc2041def3495a1268ad');
INSERT INTO public.recovery_codes VALUES ('01a1f8d3-ea00-7c25-8b01-e5307f7b4471', '\x10303be5106c6d3e18f5931cd6ec1970aef41df94cbeed2328596815ae59947c');
INSERT INTO public.revocations VALUES ('01a1f8d3-ea00-7001-8b38-384c4ac0d8c3', 1, 'tiktok', '-000ZYMtVgQkSKN5fx4Asc1bJWPWfeMNbeCC', '\x4bb06f8ed15b0beba8fcd8eecde9e836046fbbf295fbf708c6e81c2b3f0410d896f057e9a531670034d789995853b95049d69409379556ea97d38c9b2841c11f21a6b8dc753e9316ba465736095b19718623bce71427b167921268', '\x4bb06f8ee4f28bea47c72fedc5cd800aa7076287c59113a2317f9f90588ece1d11ad33eeb33f13850605fb1561b951d61b2a339cfc6466f9dd3ea83c5b2b28a6d53bc449ee1cd24e67b9518594a48726d38936d89293406856deee', 1826712000000000, 1795176301000000, NULL, 0, 0, 'creator');
INSERT INTO public.second_factors VALUES ('01a1f8d3-ea00-7c25-8b01-e5307f7b4471', '\x4bb06f8e3fb37f945f4c69f756247809fc84989e05c3b3a82a64c091dd75346acc9f500739b3299de1d518bcc4548b077f5e0dfd37df95c03c49571fe98023b4891c9f77cf335eb5939720bf', 59839200, 1795176000000000, NULL);
INSERT INTO public.sessions VALUES ('\x691113372e44e2fbb64b22cdbc41d360abe3cb5c7b3bffb4b1fbcb99cad596e7', '01a1f8d3-ea00-705c-9cbe-55920ea24987', '01a1f8d3-ea00-7c25-8b01-e5307f7b4471', '127.0.0.1', 1795176000000000, 1797768000000000, NULL);
INSERT INTO public.sessions VALUES ('\xfbaf60bce0893cda366963fcc72ad3b78e9e809f87a58e8b63c4f0c521a07cbb', '01a1f8d3-ea00-7764-904c-71de16ebf264', '01a1f8d3-ea00-725d-89eb-175f3e91b58d', '127.0.0.1', 1795176000000000, 1797768000000000, NULL);
INSERT INTO public.storage VALUES ('01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', 454075);
INSERT INTO public.submissions VALUES ('01a1f8d8-81c8-7ec9-989b-685c72434c92', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-7001-836d-ae220be830b3', '01a1f8d8-81c8-7ee6-95ef-a6da0e28648f', 'upload', 'v_pub_file~v2-1.7710223506834744349', '\x4bb06f8ecbe3255aa8b4cc5a83d8ce79e70ad924aa08c9407215ec83c5fd752109f9f6ab46f0ab1c932e3df1caaad6e634df3250f7426c2a861b5b62770f38029e2a3b82a1ab22518817ac0e86fd584269e304ff28525ee873de5c323bad9c4068f9192d8960f3f42bbbc0b07441845fb2a536e37704f03c457fa7031197affacb5f7dcbc0adc3f4f767124f59ac95fba0282e30446e6615978ef17e340dc7ace457f898511f932545092304a36f3cebf8c1ecd8495556268e904a132b6c749216fd4a7699d14fc9cd9f0e89d397caf6d9c8c3815a967835a99a1db1af24eb5e162fc13c049ddc72d233c4641fbecb6a058029', 221936, NULL, 1795176301000000, NULL, NULL, 1795176301000000, 1795176301000000, 'rejected', 'file_format_check_failed', 'TikTok cannot read one of the files. Videos must be MP4, MOV or WebM with H.264, H.265, VP8 or VP9; photos must be JPEG or WebP. Replace the file and schedule the post again.', NULL, NULL, 'Videos are uploaded: an upload can be resumed, and nothing can be published before its last byte.');
INSERT INTO public.submissions VALUES ('01a1f8d3-ea00-70a9-a66d-35c80358578f', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-7001-836d-ae220be830b3', '01a1f8d3-ea00-7cba-80b9-16b14cd3c957', 'upload', 'v_pub_file~v2-1.7710222214141012120', '\x4bb06f8e7bbeefc29e7cf16ce91c43d0077799533fef124c859cb282d7e05235fb1507826619d733da7e337fba50f524708f6fdb43a3698dad9bd46dfed702b04ac363f44c19b8f449f1b1b83014469097bc78dd7e123110b1c9ad7cf645dd33c7256f856937a851b1e4e765ffa1471166d01db6ba72df39fd1f479724b8fca1f6508fa987301f2c4928dbeb1ba0de7c7dbaa297ec6a8031c705ae9c3f0465be8023d76e1dc1d328ac9ccbca251971988a3790f1aec4bac0d4d3de1b8ab45ba1b418846fd5e95a5de7f02406ca023198c17ee8859bea39405df990119479ec6aa90e83ab0503d5ef859379f611784fa767b11d', 221936, NULL, 1795176000000000, NULL, NULL, 1795176000000000, 1795176000000000, 'published', NULL, NULL, NULL, NULL, 'Videos are uploaded: an upload can be resumed, and nothing can be published before its last byte.');
INSERT INTO public.submissions VALUES ('01a1f8d3-ea00-7ee2-98d8-13a3e4b7b66a', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-7001-8781-76313bdd2b33', '01a1f8d3-ea00-708b-ab77-a34eb566043e', 'pull', 'v_pub_url~v1.7710222211247225967', NULL, 0, '\xf9929b367148856b2cd66c2da86d3b5bb80bf7d03052dad53763e2644f3ae648', NULL, 1795176000000000, NULL, 1795176000000000, 1795176001000000, 'published', NULL, NULL, NULL, NULL, 'TikTok''s business API takes media only by fetching them from this service.');
INSERT INTO public.submissions VALUES ('01a1f8d8-81c8-78ba-9f52-50268c8c22f7', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-7001-8781-76313bdd2b33', '01a1f8d3-ea00-7133-8163-5aff9489543b', 'text', NULL, NULL, 0, NULL, NULL, NULL, NULL, 1795176301000000, 1795176301000000, 'published', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.submissions VALUES ('01a1f8d8-81c8-7cd8-953f-422220daf491', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-7001-836d-ae220be830b3', '01a1f8d8-81c8-71a6-a010-797daafe6913', 'upload', 'v_inbox_file~v2.7710223503793031671', '\x4bb06f8e7696093065639bab51cd1c832affd2b12e3a5551e3568cf5fd7dbdc20d03d75494a5474893919e124ce5b0f09aa4338fda5b33ce82e2080b2cada274330871d7fa713a2d018c05f09cb52bdb93a95ae119b2a3b5d7b3f98aba898df67ed49bdeb4dece172c64e4115a497632494d35ae7ec2b2a5e040193fae53841637edad0bcb62c858656841e56d647fde1fd4a0d0bb0746404cbf02ee68fd455cee4417da644564509b83d058b12fc577031ea5e507e8cf01cce4190d620e33abe5d6838fc98f31d2e74c9ef10d8ef500f26b486a06ffd283b5f225909933b2ff349d59c267c75a2aa0c0197ec3a4b6af22c442', 221936, NULL, 1795176301000000, NULL, NULL, 1795176301000000, 1795176301000000, 'in_inbox', NULL, NULL, NULL, NULL, 'Videos are uploaded: an upload can be resumed, and nothing can be published before its last byte.');
INSERT INTO public.submissions VALUES ('01a1f8d8-81c8-73fb-b1cf-c33743d3b196', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-7001-836d-ae220be830b3', '01a1f8d8-81c8-7669-8bd9-6fd14f6a73cc', 'upload', 'v_pub_file~v2-1.7710223505581489731', '\x4bb06f8e2768fb5279f15815f338dc9568de19d8d4cdc0927121fa539d276047a2c20c0dd5de86e6976462d64890436c83296a82d3ede0ce150ec0cae67c27a589ae179748fe0e197d12bb27e053b10e96ae740909066c7765590890f9a055eeca9b5ff0bb1223c097b19fad8276206ec2fd075d7b5bb224a45073c9bb29210067ad97da4d8d537db64e4a0cbe062a8b47d880e627c40272af8323240a70065201c375a68f7b868698db2305c41e3e84978dc1c90de1918564d2939d21115890364cab034f1b6f59536640308301e5f9fdf7b8d7702f17c043c8e9f68672f34bb2ccb577626ee302da1ee0d70318359d3062ce', 221936, NULL, 1795176301000000, NULL, NULL, 1795176301000000, NULL, NULL, NULL, NULL, NULL, NULL, 'Videos are uploaded: an upload can be resumed, and nothing can be published before its last byte.');
INSERT INTO public.usage VALUES ('01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '2026-11', 6, 0);
INSERT INTO public.users VALUES ('01a1f8d3-ea00-7c25-8b01-e5307f7b4471', 'ada@example.org', '$argon2id$v=19$m=19456,t=2,p=1$SYtNCbNgPLZsIRA4HEOHbg$iUoWnkjKE7pU8OyNvqzyZxJfXhdVQ0F6RUsYfmD30Zk', NULL, 1795176000000000);
INSERT INTO public.users VALUES ('01a1f8d3-ea00-725d-89eb-175f3e91b58d', 'bob@example.org', '$argon2id$v=19$m=19456,t=2,p=1$TZrONwi55yTraZzdm460MA$QYbeXbDSHtFvjzcA6H27ysbXQXhzx0IGNBztuXNNU2Y', NULL, 1795176000000000);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d3-ea00-7001-917f-5b87ac767757', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-740c-88b1-4923fab52b25', '01a1f8d3-ea00-7001-90ec-123900fada49', 'media.ready', '{"type":"media.ready","timestamp":"2026-11-20T12:00:00.000Z","data":{"id":"01a1f8d3-ea00-7792-b392-69fe05eca728","storageKey":"b868a76b61efdd4b9b2702ffca609e79","publicUrl":"http://127.0.0.1:16944/media/b868a76b61efdd4b9b2702ffca609e79","previewUrl":"http://127.0.0.1:16944/media/b868a76b61efdd4b9b2702ffca609e79.preview.webp","mimeType":"image/jpeg","size":10203,"mediaType":"image","originalFileName":"photo.jpg","status":"READY","thumbnailMetadata":{"width":360,"height":640,"previewWidth":360,"previewHeight":640,"blurhash":"LzHV9Z2?wxkVl}WDjte;gJfjfQfj","durationMs":null,"videoCodec":null,"audioCodec":null,"frameRate":null},"finalizedAt":"2026-11-20T12:00:00.000Z","folderId":"01a1f8d3-ea00-7001-8f04-2be0b94c27b4","createdAt":"2026-11-20T12:00:00.000Z"}}', 'delivered', 1, 1795176075000000, NULL, NULL, 204, '', 1795176000000000, 1795176000000000, 0, 1795176000000000, 1795435200000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d3-ea00-7001-936e-eb14b281ac0d', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-740c-88b1-4923fab52b25', '01a1f8d3-ea00-7001-9231-edda8c763292', 'media.ready', '{"type":"media.ready","timestamp":"2026-11-20T12:00:00.000Z","data":{"id":"01a1f8d3-ea00-7794-9b60-328de4bb61cc","storageKey":"bbf6a4f6190b3a8a4152c25a45118888","publicUrl":"http://127.0.0.1:16944/media/bbf6a4f6190b3a8a4152c25a45118888","previewUrl":"http://127.0.0.1:16944/media/bbf6a4f6190b3a8a4152c25a45118888.preview.webp","mimeType":"video/mp4","size":221936,"mediaType":"video","originalFileName":"clip.mp4","status":"READY","thumbnailMetadata":{"width":720,"height":1280,"previewWidth":480,"previewHeight":853,"blurhash":"LsFzp$s:RRn,xZj[WCf70zWCt6bG","durationMs":6000,"videoCodec":"h264","audioCodec":"aac","frameRate":30.0},"finalizedAt":"2026-11-20T12:00:00.000Z","folderId":null,"createdAt":"2026-11-20T12:00:00.000Z"}}', 'delivered', 1, 1795176075000000, NULL, NULL, 204, '', 1795176000000000, 1795176000000000, 0, 1795176000000000, 1795435200000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d3-ea00-7001-9629-b03ee9851b3a', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-740c-88b1-4923fab52b25', '01a1f8d3-ea00-7001-9573-f65431c735a4', 'post.queued', '{"type":"post.queued","timestamp":"2026-11-20T12:00:00.000Z","data":{"id":"01a1f8d3-ea00-7cba-80b9-16b14cd3c957","groupId":"01a1f8d3-ea00-7c3c-a509-7c04c1f97529","parentPostId":null,"integrationId":"01a1f8d3-ea00-7001-836d-ae220be830b3","content":"published","state":"QUEUE","scheduledFor":null,"delayInMinutes":null,"releaseId":null,"releaseUrl":null,"settings":{"privacy_level":"PUBLIC_TO_EVERYONE"},"mediaIds":["01a1f8d3-ea00-7794-9b60-328de4bb61cc"],"errorText":null,"createdAt":"2026-11-20T12:00:00.000Z","updatedAt":"2026-11-20T12:00:00.000Z"}}', 'delivered', 1, 1795176075000000, NULL, NULL, 204, '', 1795176000000000, 1795176000000000, 0, 1795176000000000, 1795435200000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d3-ea00-7001-9862-a5e954dbb6b9', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-740c-88b1-4923fab52b25', '01a1f8d3-ea00-7001-971c-e6cb50898780', 'post.published', '{"type":"post.published","timestamp":"2026-11-20T12:00:00.000Z","data":{"id":"01a1f8d3-ea00-7cba-80b9-16b14cd3c957","groupId":"01a1f8d3-ea00-7c3c-a509-7c04c1f97529","parentPostId":null,"integrationId":"01a1f8d3-ea00-7001-836d-ae220be830b3","content":"published","state":"PUBLISHED","scheduledFor":null,"delayInMinutes":null,"releaseId":null,"releaseUrl":null,"settings":{"privacy_level":"PUBLIC_TO_EVERYONE"},"mediaIds":["01a1f8d3-ea00-7794-9b60-328de4bb61cc"],"errorText":null,"createdAt":"2026-11-20T12:00:00.000Z","updatedAt":"2026-11-20T12:00:00.000Z"}}', 'delivered', 1, 1795176075000000, NULL, NULL, 204, '', 1795176000000000, 1795176000000000, 0, 1795176000000000, 1795435200000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d3-ede8-7001-9e7d-59c51386ae63', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-740c-88b1-4923fab52b25', '01a1f8d3-ede8-7001-9d51-d4b718022213', 'post.published', '{"type":"post.published","timestamp":"2026-11-20T12:00:01.000Z","data":{"id":"01a1f8d3-ea00-708b-ab77-a34eb566043e","groupId":"01a1f8d3-ea00-7a85-911f-2b1ee11fd5b8","parentPostId":null,"integrationId":"01a1f8d3-ea00-7001-8781-76313bdd2b33","content":"commented","state":"PUBLISHED","scheduledFor":null,"delayInMinutes":null,"releaseId":"7710222212261130193","releaseUrl":"http://127.0.0.1:42259/@kiteshop/video/7710222212261130193","settings":{"allow_comment":true},"mediaIds":["01a1f8d3-ea00-7794-9b60-328de4bb61cc"],"errorText":null,"createdAt":"2026-11-20T12:00:00.000Z","updatedAt":"2026-11-20T12:00:01.000Z"}}', 'delivered', 1, 1795176076000000, NULL, NULL, 204, '', 1795176001000000, 1795176001000000, 0, 1795176001000000, 1795435201000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d8-81c8-7001-a569-6953c8596c16', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-740c-88b1-4923fab52b25', '01a1f8d8-81c8-7001-a4e4-3ddba25e38bf', 'post.queued', '{"type":"post.queued","timestamp":"2026-11-20T12:05:01.000Z","data":{"id":"01a1f8d8-81c8-71a6-a010-797daafe6913","groupId":"01a1f8d8-81c8-7be9-ac47-6b8a437924c3","parentPostId":null,"integrationId":"01a1f8d3-ea00-7001-836d-ae220be830b3","content":"inbox","state":"QUEUE","scheduledFor":null,"delayInMinutes":null,"releaseId":null,"releaseUrl":null,"settings":{"post_mode":"MEDIA_UPLOAD"},"mediaIds":["01a1f8d3-ea00-7794-9b60-328de4bb61cc"],"errorText":null,"createdAt":"2026-11-20T12:05:01.000Z","updatedAt":"2026-11-20T12:05:01.000Z"}}', 'delivered', 1, 1795176376000000, NULL, NULL, 204, '', 1795176301000000, 1795176301000000, 0, 1795176301000000, 1795435501000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d3-ea00-7001-9ca6-cf88e8753ae5', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-740c-88b1-4923fab52b25', '01a1f8d3-ea00-7001-9b90-2f4da1212c00', 'post.queued', '{"type":"post.queued","timestamp":"2026-11-20T12:00:00.000Z","data":{"id":"01a1f8d3-ea00-708b-ab77-a34eb566043e","groupId":"01a1f8d3-ea00-7a85-911f-2b1ee11fd5b8","parentPostId":null,"integrationId":"01a1f8d3-ea00-7001-8781-76313bdd2b33","content":"commented","state":"QUEUE","scheduledFor":null,"delayInMinutes":null,"releaseId":null,"releaseUrl":null,"settings":{"allow_comment":true},"mediaIds":["01a1f8d3-ea00-7794-9b60-328de4bb61cc"],"errorText":null,"createdAt":"2026-11-20T12:00:00.000Z","updatedAt":"2026-11-20T12:00:00.000Z"}}', 'delivered', 1, 1795176075000000, NULL, NULL, 204, '', 1795176000000000, 1795176000000000, 0, 1795176000000000, 1795435200000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d8-81c8-7001-a138-cdf9af5a7a40', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-740c-88b1-4923fab52b25', '01a1f8d8-81c8-7001-a0cb-4d4f06347a7e', 'post.published', '{"type":"post.published","timestamp":"2026-11-20T12:05:01.000Z","data":{"id":"01a1f8d3-ea00-7133-8163-5aff9489543b","groupId":"01a1f8d3-ea00-7a85-911f-2b1ee11fd5b8","parentPostId":"01a1f8d3-ea00-708b-ab77-a34eb566043e","integrationId":"01a1f8d3-ea00-7001-8781-76313bdd2b33","content":"first","state":"PUBLISHED","scheduledFor":null,"delayInMinutes":5,"releaseId":"7710223504419658980","releaseUrl":null,"settings":{},"mediaIds":[],"errorText":null,"createdAt":"2026-11-20T12:00:00.000Z","updatedAt":"2026-11-20T12:05:01.000Z"}}', 'delivered', 1, 1795176376000000, NULL, NULL, 204, '', 1795176301000000, 1795176301000000, 0, 1795176301000000, 1795435501000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d8-81c8-7001-aae7-fb0a4510bb0e', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-740c-88b1-4923fab52b25', '01a1f8d8-81c8-7001-a910-3ee474867750', 'post.queued', '{"type":"post.queued","timestamp":"2026-11-20T12:05:01.000Z","data":{"id":"01a1f8d8-81c8-7ee6-95ef-a6da0e28648f","groupId":"01a1f8d8-81c8-74d4-a0fc-3a89479f75c4","parentPostId":null,"integrationId":"01a1f8d3-ea00-7001-836d-ae220be830b3","content":"failed","state":"QUEUE","scheduledFor":null,"delayInMinutes":null,"releaseId":null,"releaseUrl":null,"settings":{"privacy_level":"PUBLIC_TO_EVERYONE"},"mediaIds":["01a1f8d3-ea00-7794-9b60-328de4bb61cc"],"errorText":null,"createdAt":"2026-11-20T12:05:01.000Z","updatedAt":"2026-11-20T12:05:01.000Z"}}', 'delivered', 1, 1795176376000000, NULL, NULL, 204, '', 1795176301000000, 1795176301000000, 0, 1795176301000000, 1795435501000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d8-81c8-7001-acdf-1da22cc8efd4', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-740c-88b1-4923fab52b25', '01a1f8d8-81c8-7001-ab66-1040f7794f9c', 'post.failed', '{"type":"post.failed","timestamp":"2026-11-20T12:05:01.000Z","data":{"id":"01a1f8d8-81c8-7ee6-95ef-a6da0e28648f","groupId":"01a1f8d8-81c8-74d4-a0fc-3a89479f75c4","parentPostId":null,"integrationId":"01a1f8d3-ea00-7001-836d-ae220be830b3","content":"failed","state":"ERROR","scheduledFor":null,"delayInMinutes":null,"releaseId":null,"releaseUrl":null,"settings":{"privacy_level":"PUBLIC_TO_EVERYONE"},"mediaIds":["01a1f8d3-ea00-7794-9b60-328de4bb61cc"],"errorText":"TikTok cannot read one of the files. Videos must be MP4, MOV or WebM with H.264, H.265, VP8 or VP9; photos must be JPEG or WebP. Replace the file and schedule the post again. (file_format_check_failed)","createdAt":"2026-11-20T12:05:01.000Z","updatedAt":"2026-11-20T12:05:01.000Z"}}', 'pending', 1, 1795176305882501, NULL, NULL, 500, '', 1795176301000000, NULL, 1, 1795176301000000, 1795435501000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d8-81c8-7001-af6d-80b1f520c16c', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-740c-88b1-4923fab52b25', '01a1f8d8-81c8-7001-aef7-3591baeb5016', 'post.queued', '{"type":"post.queued","timestamp":"2026-11-20T12:05:01.000Z","data":{"id":"01a1f8d8-81c8-7484-b4b0-a5226e34c7da","groupId":"01a1f8d8-81c8-7383-97e2-57dc9c6828f7","parentPostId":null,"integrationId":"01a1f8d3-ea00-7001-836d-ae220be830b3","content":"planned","state":"QUEUE","scheduledFor":"2026-11-20T13:05:01.000Z","delayInMinutes":null,"releaseId":null,"releaseUrl":null,"settings":{"privacy_level":"PUBLIC_TO_EVERYONE"},"mediaIds":["01a1f8d3-ea00-7794-9b60-328de4bb61cc"],"errorText":null,"createdAt":"2026-11-20T12:05:01.000Z","updatedAt":"2026-11-20T12:05:01.000Z"}}', 'delivered', 1, 1795176376000000, NULL, NULL, 204, '', 1795176301000000, 1795176301000000, 0, 1795176301000000, 1795435501000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d8-81c8-7001-b274-239b2d15bef9', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', '01a1f8d3-ea00-740c-88b1-4923fab52b25', '01a1f8d8-81c8-7001-b172-5b5b394412ba', 'post.queued', '{"type":"post.queued","timestamp":"2026-11-20T12:05:01.000Z","data":{"id":"01a1f8d8-81c8-7669-8bd9-6fd14f6a73cc","groupId":"01a1f8d8-81c8-7d3c-9436-f4066ec87e3a","parentPostId":null,"integrationId":"01a1f8d3-ea00-7001-836d-ae220be830b3","content":"open","state":"QUEUE","scheduledFor":null,"delayInMinutes":null,"releaseId":null,"releaseUrl":null,"settings":{"privacy_level":"PUBLIC_TO_EVERYONE"},"mediaIds":["01a1f8d3-ea00-7794-9b60-328de4bb61cc"],"errorText":null,"createdAt":"2026-11-20T12:05:01.000Z","updatedAt":"2026-11-20T12:05:01.000Z"}}', 'delivered', 1, 1795176376000000, NULL, NULL, 204, '', 1795176301000000, 1795176301000000, 0, 1795176301000000, 1795435501000000, NULL);
INSERT INTO public.webhooks VALUES ('01a1f8d3-ea00-740c-88b1-4923fab52b25', '01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', 'http://127.0.0.1:32959/hook', '["post.queued", "post.published", "post.failed", "media.ready"]', '\x4bb06f8e71007630b91d0dea167922c52afa1e7d465e46dd1aa0edac823b9d2a9a49b0a61e96dcc2bc945878db3a2247bfcb7c06875ec56d61f37410125ecdf99741d884f64ac89ff39c8db0fe5fed6309c736fc41b562a3b1a66155932a', false, 1795176000000000, 1795176000000000, NULL, NULL, NULL);
INSERT INTO public.workspaces VALUES ('01a1f8d3-ea00-7f1c-939f-38b5be9d3be8', 'Test', 'unlimited', 1795176000000000, 'UTC');
INSERT INTO public.workspaces VALUES ('01a1f8d3-ea00-72d3-ad60-58ee2ae54922', 'ada''s workspace', 'unlimited', 1795176000000000, 'UTC');
INSERT INTO public.workspaces VALUES ('01a1f8d3-ea00-7e43-b55a-d1086f5a665c', 'bob''s workspace', 'unlimited', 1795176000000000, 'UTC');
ALTER TABLE ONLY public._sqlx_migrations
    ADD CONSTRAINT _sqlx_migrations_pkey PRIMARY KEY (version);
ALTER TABLE ONLY public.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.authorizations
    ADD CONSTRAINT authorizations_pkey PRIMARY KEY (state_hash);
ALTER TABLE ONLY public.device_authorizations
    ADD CONSTRAINT device_authorizations_device_code_hash_key UNIQUE (device_code_hash);
ALTER TABLE ONLY public.device_authorizations
    ADD CONSTRAINT device_authorizations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.device_authorizations
    ADD CONSTRAINT device_authorizations_user_code_hash_key UNIQUE (user_code_hash);
ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.folders
    ADD CONSTRAINT folders_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.folders
    ADD CONSTRAINT folders_workspace_id_name_key_key UNIQUE (workspace_id, name_key);
ALTER TABLE ONLY public.idempotency
    ADD CONSTRAINT idempotency_pkey PRIMARY KEY (workspace_id, key);
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
ALTER TABLE ONLY public.submissions
    ADD CONSTRAINT submissions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.submissions
    ADD CONSTRAINT submissions_token_hash_key UNIQUE (token_hash);
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
CREATE INDEX audit_list ON public.audit USING btree (workspace_id, created_at, id);
CREATE INDEX authorizations_expiry ON public.authorizations USING btree (expires_at);
CREATE INDEX device_authorizations_expiry ON public.device_authorizations USING btree (expires_at);
CREATE INDEX device_authorizations_workspace ON public.device_authorizations USING btree (workspace_id);
CREATE INDEX idempotency_age ON public.idempotency USING btree (created_at);
CREATE INDEX invitations_workspace ON public.invitations USING btree (workspace_id, created_at);
CREATE INDEX jobs_due ON public.jobs USING btree (due_at, platform_id, id);
CREATE UNIQUE INDEX jobs_one_per_platform ON public.jobs USING btree (platform_id, kind) WHERE (post_id IS NULL);
CREATE UNIQUE INDEX jobs_one_per_post ON public.jobs USING btree (post_id, kind) WHERE (post_id IS NOT NULL);
CREATE INDEX jobs_platform ON public.jobs USING btree (platform_id);
CREATE INDEX keys_workspace ON public.keys USING btree (workspace_id, created_at, id);
CREATE INDEX media_folder ON public.media USING btree (workspace_id, folder_id, created_at, id);
CREATE INDEX media_list ON public.media USING btree (workspace_id, created_at, id);
CREATE INDEX media_upload_expiry ON public.media USING btree (upload_expires_at) WHERE (status = 'PENDING'::text);
CREATE INDEX members_user ON public.members USING btree (user_id, created_at);
CREATE INDEX password_resets_expiry ON public.password_resets USING btree (expires_at);
CREATE INDEX password_resets_user ON public.password_resets USING btree (user_id);
CREATE INDEX platforms_account ON public.platforms USING btree (provider, provider_account_id);
CREATE INDEX post_media_media ON public.post_media USING btree (media_id);
CREATE UNIQUE INDEX posts_group ON public.posts USING btree (workspace_id, group_id, "position");
CREATE INDEX posts_list ON public.posts USING btree (workspace_id, effective_at, id) WHERE (parent_id IS NULL);
CREATE INDEX posts_platform ON public.posts USING btree (workspace_id, platform_id, effective_at, id) WHERE (parent_id IS NULL);
CREATE INDEX posts_waiting ON public.posts USING btree (platform_id) WHERE (waiting IS NOT NULL);
CREATE INDEX restrictions_said ON public.restrictions USING btree (said_at);
CREATE INDEX revocations_account ON public.revocations USING btree (provider, provider_account_id);
CREATE INDEX revocations_due ON public.revocations USING btree (due_at);
CREATE INDEX second_factors_expiry ON public.second_factors USING btree (expires_at);
CREATE INDEX sessions_expiry ON public.sessions USING btree (expires_at);
CREATE INDEX sessions_user ON public.sessions USING btree (user_id);
CREATE INDEX sign_ins_expiry ON public.sign_ins USING btree (expires_at);
CREATE INDEX sign_ins_user ON public.sign_ins USING btree (user_id);
CREATE INDEX submissions_handle ON public.submissions USING btree (handle, platform_id) WHERE (handle IS NOT NULL);
CREATE INDEX submissions_lost ON public.submissions USING btree (platform_id) WHERE ((handle IS NULL) AND (fetched_at IS NOT NULL));
CREATE UNIQUE INDEX submissions_one_open ON public.submissions USING btree (post_id) WHERE (closed_at IS NULL);
CREATE INDEX submissions_post ON public.submissions USING btree (post_id, started_at, id);
CREATE INDEX submissions_recent ON public.submissions USING btree (platform_id, started_at);
CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (due_at, webhook_id) WHERE (state = 'pending'::text);
CREATE INDEX webhook_deliveries_finished ON public.webhook_deliveries USING btree (finished_at) WHERE (finished_at IS NOT NULL);
CREATE INDEX webhook_deliveries_list ON public.webhook_deliveries USING btree (webhook_id, created_at, id);
CREATE INDEX webhooks_workspace ON public.webhooks USING btree (workspace_id, created_at, id);
ALTER TABLE ONLY public.audit
    ADD CONSTRAINT audit_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.authorizations
    ADD CONSTRAINT authorizations_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.authorizations
    ADD CONSTRAINT authorizations_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.device_authorizations
    ADD CONSTRAINT device_authorizations_approved_by_fkey FOREIGN KEY (approved_by) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.device_authorizations
    ADD CONSTRAINT device_authorizations_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE;
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
    ADD CONSTRAINT webhooks_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE;
