-- {"workspace":"01a1f8d3-ea00-7d00-a486-c15ef71d54ab","key":"svc_sk_49UR1RxwVaOrcbzXtvwMkayJmvoEOISG4tuwuOw2MQX1Qklk9","keyOfAda":"svc_sk_idSwEN9XBwqtLsUy5NIGcn43WdYW4wXBysPdAmi1t1N2sFcEI","revokedKey":"svc_sk_VzdKiOdLI911vxo0yph7dFlMJcwTNbMPSJ2caTsUdqe1F4Jw3","sessionOfBob":"86640d641b1a1da07f4769779ad5e1ccbe3c741a55daad1449ff43f6be32b26f","recoveryCodes":["V6TM-PZ6G-YO5S-FWLF","IACH-V5HO-LZHK-CQVY","J3IY-K5BW-YUOK-3CFW","4DQW-OM6H-NUVK-BPHS","OAD6-DR65-II46-PG3M","OTVW-7SYT-WHOQ-2LGJ","BECZ-CTNH-S5BH-F3BZ","KXP2-RR2Z-X5SK-75FX","VSWR-6BOV-VVK6-6QBK","PLCH-NTFG-K3SJ-K6H7"],"codeOfAda":{"at":"2026-11-20T14:00:00.000Z","code":"793147"},"webhook":"01a1f8d3-ea00-7c5c-8531-a4ce0bf3b075","posts":{"creator":"01a1f8d3-ea00-7000-aa75-f6ce6754b6a4","business":"01a1f8d3-ea00-7000-b1d7-bb8058bc008f","gone":"01a1f8d3-ea00-7000-bb41-6604a2e2c8c0","published":"01a1f8d3-ea00-7c60-bfd5-df283c230f04","commented":"01a1f8d3-ea00-7647-b14a-bcbc10184dee","inbox":"01a1f8d8-81c8-784e-97b3-d64dd08780bd","failed":"01a1f8d8-81c8-73d5-bf3d-93afabfaf58e","draft":"01a1f8d8-81c8-7d13-8f1b-2959d94cd292","planned":"01a1f8d8-81c8-7482-82cf-c515602ba311","plannedRequest":{"platformIds":["01a1f8d3-ea00-7000-aa75-f6ce6754b6a4"],"content":"planned","mode":"schedule","mediaIds":["01a1f8d3-ea00-7e95-a0a2-208a5a4b220a"],"settings":{"privacy_level":"PUBLIC_TO_EVERYONE"},"scheduledFor":"2026-11-20T13:05:01.000Z"},"open":"01a1f8d8-81c8-7495-a9a3-866365959b40"},"now":"2026-11-20T12:05:01.000Z"}
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
    created_by uuid
);
INSERT INTO public._sqlx_migrations VALUES (1, 'people', '2026-11-23 23:19:38.146804+00', true, '\xc967e103aa2714dd61a3122b353f96997a073165ebc095da8d1d8cecf81ce67976383f3cff29ce14476a76c943b03a9c', 15495111);
INSERT INTO public._sqlx_migrations VALUES (2, 'accounts and media', '2026-11-23 23:19:38.164299+00', true, '\x47cdaad71406159befde750f26c575a31b1617896aaddc97b39baf3f251dcb9f74c69d38148f79cf2be9db683d36264c', 13003374);
INSERT INTO public._sqlx_migrations VALUES (3, 'posts', '2026-11-23 23:19:38.177484+00', true, '\x587fef0358bb15df4929d2c37612bddfe85c494f2bf51959d5cb16e07a1bccc3ed7b4270a8a6d7cd5e5485b39aaacfb8', 23180794);
INSERT INTO public._sqlx_migrations VALUES (4, 'log and webhooks', '2026-11-23 23:19:38.204232+00', true, '\xb46f05abdd279b40cdb87b4aebd3edfd98fb4b547f40d42ac21e22b4fb56d7748589e7c6b72c7bfef32550e32c71163d', 23366251);
INSERT INTO public._sqlx_migrations VALUES (5, 'removed files', '2026-11-23 23:19:38.224733+00', true, '\x1f15e579c71d9370a43360805c7b5dd53fa1448cd424fd2e010e12cca275dfdfefadeeb06081ca8af0e1a29ee304aa42', 2369985);
INSERT INTO public._sqlx_migrations VALUES (6, 'sessions and audit', '2026-11-23 23:19:38.227215+00', true, '\x732ecfd8856d575cde2c0bb66a14ab52bf6870d1f4d79f7b5f502d05a81fc978f9ec2ff4cf3b56f44caf16ea9b10d673', 9476133);
INSERT INTO public._sqlx_migrations VALUES (7, 'password resets', '2026-11-23 23:19:38.236872+00', true, '\x7728131d29a19c8fea516165405f212c501b7db1eaf58d54670872687d226e478b449ebf5124691e0b5b63205fafe9a4', 5771108);
INSERT INTO public._sqlx_migrations VALUES (8, 'revocations', '2026-11-23 23:19:38.242725+00', true, '\x3d696912997d9cdf8a1591a1735549fa9110e0c3347be91ee53e70e7d6e530b89e79f50ac9cb70d770635f9e1571326b', 5779610);
INSERT INTO public._sqlx_migrations VALUES (9, 'device authorizations', '2026-11-23 23:19:38.248587+00', true, '\x80973a491a2bbaf58b6a2cfdb71c67b917af83ff24799967b0db9e63c8775372eaedd1d13ef5d1bd7f97cc234a79452b', 8756841);
INSERT INTO public._sqlx_migrations VALUES (10, 'second factors', '2026-11-23 23:19:38.257458+00', true, '\xb6b9acd35f25ac396d99c3901df3c63f615fdc32dc261e02cc9e07b77888174de08b95ea456b7e7d9f2dc38b83301164', 11100837);
INSERT INTO public._sqlx_migrations VALUES (11, 'provider events', '2026-11-23 23:19:38.268666+00', true, '\x2b46d8533dd989f7b3a461dce6149e549066997eeafb10852a8c6509ec462eaff4c76723ab3fba320cadfca2db6b79d9', 1473818);
INSERT INTO public._sqlx_migrations VALUES (12, 'connections', '2026-11-23 23:19:38.270225+00', true, '\x1d7872b96eec9f8987b37955748bf50a375472d245804580ab4a5a96fe046df2859e53b2709fe057b4dd6bea433bff7b', 729819);
INSERT INTO public._sqlx_migrations VALUES (13, 'limits', '2026-11-23 23:19:38.271026+00', true, '\x7306a9d658c9622421758d586043ef7b9c77ca25aefac4612c9e42b05118ed5de27fe32d159515d7ee61b3ec8beee36e', 2969579);
INSERT INTO public._sqlx_migrations VALUES (14, 'time zones', '2026-11-23 23:19:38.274075+00', true, '\x9b24ba76e61ea6e2c3e3861a9c90d3d86eb266395d5d44c69b45b0424a4e3ed5af036790793e4b6e9721c81c63f6bd79', 497772);
INSERT INTO public._sqlx_migrations VALUES (15, 'webhooks', '2026-11-23 23:19:38.274724+00', true, '\xc48959ea626299a8f8d51599ce6bdaa2fad7f6ca8c962352a5eae95551fdbe6b73835dc67514e59d712d3f1d6719e664', 1660737);
INSERT INTO public._sqlx_migrations VALUES (16, 'programs of sessions', '2026-11-23 23:19:38.276469+00', true, '\x1698424c72b27d21f18ae72718d6b5941f891c60f8d7eab521758e954edceedeb3cad4397d42255ca549decd5793664a', 231385);
INSERT INTO public._sqlx_migrations VALUES (17, 'failed uploads', '2026-11-23 23:19:38.27675+00', true, '\x0521954884debcb667bc7d153ad692f586eadd9e6667473317720caf773c79031099236f23b808c0c897323d1f22b77c', 2471967);
INSERT INTO public._sqlx_migrations VALUES (18, 'verified addresses', '2026-11-23 23:19:38.279309+00', true, '\xab341de906c129ba623f43cca6b839625c676ceea243ecf9b1ef786c30a4be953b3701917d7a468d3d8944666ef32d42', 7755377);
INSERT INTO public._sqlx_migrations VALUES (19, 'instance', '2026-11-23 23:19:38.287157+00', true, '\xd21a41f12bb871a233c28ad650059b4c5fa00256d350214883cc5c518382c9d269a18b6b517b27986701b1d74125790c', 4484399);
INSERT INTO public._sqlx_migrations VALUES (20, 'trail', '2026-11-23 23:19:38.291753+00', true, '\x75c8979c9c094e16a88921947dc1cbab93a485692fda90ca1b4bb77331d06a264c4b78033aca8b3f049fe3dcc009b3aa', 12729807);
INSERT INTO public._sqlx_migrations VALUES (21, 'unnamed files', '2026-11-23 23:19:38.304635+00', true, '\x87520c905c850f61fc531b4efc4c6754d843bdb0758d2d9fa4e11dfb9a6f0e882e28d1cc695eb51863f2a6a6c2847fc0', 1977890);
INSERT INTO public._sqlx_migrations VALUES (22, 'webhook turns', '2026-11-23 23:19:38.306705+00', true, '\x06b7b70f61ace9b2a882b323897df788681feb3f41943fbe95166289c34a8477e98cb63db865c7114a88ce8e1fe0a8ae', 859592);
INSERT INTO public._sqlx_migrations VALUES (23, 'counts', '2026-11-23 23:19:38.307637+00', true, '\xdeff11c3683c63dead642ff9b1a9b7e21f1fef20cb2e98de16be8cf3c0e32b50984af4aedaee0714bd9e71a0d61b5031', 4307635);
INSERT INTO public.activity VALUES ('01a1f8d3-ea00-7b78-bc12-845aaa2c819c', '01a1f8d3-ea00-7000-9fee-120fbf3a6c3f', 'user', '01a1f8d3-ea00-7b78-bc12-845aaa2c819c', 'ada@example.org', '01a1f8d3-ea00-7650-ab45-5957cb729cb1', '127.0.0.1', 'signed_up', NULL, 1, NULL, 1795176000000000);
INSERT INTO public.activity VALUES ('01a1f8d3-ea00-7b78-bc12-845aaa2c819c', '01a1f8d3-ea00-7000-a024-10e7948141b4', 'user', '01a1f8d3-ea00-7b78-bc12-845aaa2c819c', 'ada@example.org', '01a1f8d3-ea00-7650-ab45-5957cb729cb1', '127.0.0.1', 'second_factor.enabled', NULL, 1, NULL, 1795176000000000);
INSERT INTO public.activity VALUES ('01a1f8d3-ea00-707d-bbf8-faf5f25814ae', '01a1f8d3-ea00-7000-a21c-1eb75de44dfe', 'user', '01a1f8d3-ea00-707d-bbf8-faf5f25814ae', 'bob@example.org', '01a1f8d3-ea00-7796-a7d5-e330fbad0bb1', '127.0.0.1', 'signed_up', NULL, 1, NULL, 1795176000000000);
INSERT INTO public.allowances VALUES ('invitations by', '\xeeb7507f96246c300705b69f5213379b271a98da94f66f860f3038114b88d443', 1795180320000000);
INSERT INTO public.allowances VALUES ('invitations to workspace', '\x54e53242b2fda3ee3f443723410120787e334025ae7725bccbd08c05a295e3a1', 1795177728000000);
INSERT INTO public.allowances VALUES ('invitations for', '\x29bf507952f12f841d90ac6eea1c8fb0d79bee6a855c6621307037cabd1f0225', 1795177200000000);
INSERT INTO public.allowances VALUES ('mails for', '\x9908d79fedc3a7933451c69430f8f9559a95e2bb063fdc7249995e41b4435c61', 1795177200000000);
INSERT INTO public.allowances VALUES ('stored answers of', '\x54e53242b2fda3ee3f443723410120787e334025ae7725bccbd08c05a295e3a1', 1795176301341865);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7000-9c94-dc20d09616c4', 'system', NULL, NULL, NULL, NULL, 'workspace.created', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '{"name": "Test"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7000-9d66-412de5963125', 'system', NULL, NULL, NULL, NULL, 'key.created', '01a1f8d3-ea00-7cb1-b484-960132bdb5b4', '{"name": "test"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-7b23-b456-22a9da639005', '01a1f8d3-ea00-7000-9e5a-dd48dc9e7d52', 'user', '01a1f8d3-ea00-7b78-bc12-845aaa2c819c', 'ada@example.org', '01a1f8d3-ea00-7650-ab45-5957cb729cb1', '127.0.0.1', 'workspace.created', '01a1f8d3-ea00-7b23-b456-22a9da639005', '{"name": "ada''s workspace"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-7695-a6f7-771c651e06bb', '01a1f8d3-ea00-7000-a1d7-4b9cc923df36', 'user', '01a1f8d3-ea00-707d-bbf8-faf5f25814ae', 'bob@example.org', '01a1f8d3-ea00-7796-a7d5-e330fbad0bb1', '127.0.0.1', 'workspace.created', '01a1f8d3-ea00-7695-a6f7-771c651e06bb', '{"name": "bob''s workspace"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7000-a332-58024a049169', 'user', '01a1f8d3-ea00-7b78-bc12-845aaa2c819c', 'ada@example.org', '01a1f8d3-ea00-7650-ab45-5957cb729cb1', '127.0.0.1', 'key.created', '01a1f8d3-ea00-7c4a-8bcb-f06842262c9f', '{"name": "Ada''s"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7000-a48d-e6fed8c3e432', 'user', '01a1f8d3-ea00-7b78-bc12-845aaa2c819c', 'ada@example.org', '01a1f8d3-ea00-7650-ab45-5957cb729cb1', '127.0.0.1', 'key.created', '01a1f8d3-ea00-74a9-abf4-65f8c36bca3d', '{"name": "lost"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7000-a5cf-2725c975502d', 'user', '01a1f8d3-ea00-7b78-bc12-845aaa2c819c', 'ada@example.org', '01a1f8d3-ea00-7650-ab45-5957cb729cb1', '127.0.0.1', 'key.revoked', '01a1f8d3-ea00-74a9-abf4-65f8c36bca3d', '{"name": "lost"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7000-a6a6-116e8706905f', 'user', '01a1f8d3-ea00-7b78-bc12-845aaa2c819c', 'ada@example.org', '01a1f8d3-ea00-7650-ab45-5957cb729cb1', '127.0.0.1', 'invitation.created', '01a1f8d3-ea00-7e2f-9fb8-8e93e46b294b', '{"role": "member", "email": "cay@example.org"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7000-a74f-bef6fd4a59a1', 'key', '01a1f8d3-ea00-7cb1-b484-960132bdb5b4', 'test', NULL, NULL, 'webhook.created', '01a1f8d3-ea00-7c5c-8531-a4ce0bf3b075', '{"url": "http://127.0.0.1:46017/hook", "events": ["post.queued", "post.published", "post.failed", "media.ready"]}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7000-b08d-3882deb6ecc8', 'system', NULL, NULL, NULL, NULL, 'platform.connected', '01a1f8d3-ea00-7000-aa75-f6ce6754b6a4', '{"account": "Kite Studio", "provider": "tiktok", "connection": "creator"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7000-b730-c06f4530d28f', 'system', NULL, NULL, NULL, NULL, 'platform.connected', '01a1f8d3-ea00-7000-b1d7-bb8058bc008f', '{"account": "kiteshop", "provider": "tiktok", "connection": "business"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7000-be76-685c0a05c0ec', 'system', NULL, NULL, NULL, NULL, 'platform.connected', '01a1f8d3-ea00-7000-bb41-6604a2e2c8c0', '{"account": "kitesgone", "provider": "tiktok", "connection": "creator"}', 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7001-8083-feb14ca21452', 'key', '01a1f8d3-ea00-7cb1-b484-960132bdb5b4', 'test', NULL, NULL, 'folder.created', '01a1f8d3-ea00-7000-bffd-4ca654708536', NULL, 1795176000000000);
INSERT INTO public.audit VALUES ('01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d8-81c8-7001-bb69-033f79d5704b', 'system', NULL, NULL, NULL, NULL, 'platform.disconnected', '01a1f8d3-ea00-7000-bb41-6604a2e2c8c0', '{"account": "kitesgone", "provider": "tiktok"}', 1795176301000000);
INSERT INTO public.authorizations VALUES ('\xa8784d7f9a1a3bfad4cb296c7836758d41cd47f29c8f3f554ed77eeba7ba2f61', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', NULL, NULL, 'tiktok', '\x4bb06f8e85771f52ba0a4e4b6b9ae86012b18d6df4c3488288c3e5fa3c7e995fcc25e32f6c0ed71ea1c2a2db3cf7d7e3bd60617e231f145f112ad29ce674790b5576a7b1f19debdd0fb5aaec76a8263622f5434a00c9a536a9c73b4fbb8b3c1c592a47b78654f264366c182a', 1795176301000000, 1795177201000000, 'creator');
INSERT INTO public.device_authorizations VALUES ('01a1f8d3-ea00-71bf-9aa4-f9ef3e25f474', '\x05031e62b63e45418d6c2ecb521516711c537cada697712f65d0857bbfa0662f', '\x1380d86bed2374eef21421db269bebd0b05297e8e0978f2faf5daf85336f2d7a', NULL, NULL, '127.0.0.1', 5, NULL, 'pending', NULL, NULL, NULL, NULL, NULL, 1795176000000000, 1795176600000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7000-af8e-cef901b11b3b', 'platform.connected', '{"isNew": true, "provider": "tiktok", "platformId": "01a1f8d3-ea00-7000-aa75-f6ce6754b6a4"}', 1795176000000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7000-b61d-4aeda63fb687', 'platform.connected', '{"isNew": true, "provider": "tiktok", "platformId": "01a1f8d3-ea00-7000-b1d7-bb8058bc008f"}', 1795176000000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7000-bdb9-acd14aecffe8', 'platform.connected', '{"isNew": true, "provider": "tiktok", "platformId": "01a1f8d3-ea00-7000-bb41-6604a2e2c8c0"}', 1795176000000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7001-8c9d-3ef80ab2fb95', 'media.ready', '{"mediaId": "01a1f8d3-ea00-706a-9900-46673376bdc8", "mediaType": "image"}', 1795176000000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7001-9a29-993fbf936785', 'media.ready', '{"mediaId": "01a1f8d3-ea00-7e95-a0a2-208a5a4b220a", "mediaType": "video"}', 1795176000000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7001-9d66-f8779a178755', 'post.queued', '{"state": "QUEUE", "postId": "01a1f8d3-ea00-7c60-bfd5-df283c230f04", "groupId": "01a1f8d3-ea00-77b9-9016-956785c024d5", "errorText": null, "releaseId": null, "platformId": "01a1f8d3-ea00-7000-aa75-f6ce6754b6a4", "releaseUrl": null, "parentPostId": null, "scheduledFor": null}', 1795176000000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7001-9fdd-f7152ba83fd6', 'post.published', '{"state": "PUBLISHED", "postId": "01a1f8d3-ea00-7c60-bfd5-df283c230f04", "groupId": "01a1f8d3-ea00-77b9-9016-956785c024d5", "errorText": null, "releaseId": null, "platformId": "01a1f8d3-ea00-7000-aa75-f6ce6754b6a4", "releaseUrl": null, "parentPostId": null, "scheduledFor": null}', 1795176000000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7001-a344-4b19a0b4d575', 'post.queued', '{"state": "QUEUE", "postId": "01a1f8d3-ea00-7647-b14a-bcbc10184dee", "groupId": "01a1f8d3-ea00-7f67-9647-4534bf775fb0", "errorText": null, "releaseId": null, "platformId": "01a1f8d3-ea00-7000-b1d7-bb8058bc008f", "releaseUrl": null, "parentPostId": null, "scheduledFor": null}', 1795176000000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ede8-7001-a52f-06c8513e6f98', 'post.published', '{"state": "PUBLISHED", "postId": "01a1f8d3-ea00-7647-b14a-bcbc10184dee", "groupId": "01a1f8d3-ea00-7f67-9647-4534bf775fb0", "errorText": null, "releaseId": "7710222212261130193", "platformId": "01a1f8d3-ea00-7000-b1d7-bb8058bc008f", "releaseUrl": "http://127.0.0.1:40125/@kiteshop/video/7710222212261130193", "parentPostId": null, "scheduledFor": null}', 1795176001000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d8-81c8-7001-a88d-e48f29de5a0b', 'post.published', '{"state": "PUBLISHED", "postId": "01a1f8d3-ea00-7280-9043-84eb8ebeef1b", "groupId": "01a1f8d3-ea00-7f67-9647-4534bf775fb0", "errorText": null, "releaseId": "7710223504419658980", "platformId": "01a1f8d3-ea00-7000-b1d7-bb8058bc008f", "releaseUrl": null, "parentPostId": "01a1f8d3-ea00-7647-b14a-bcbc10184dee", "scheduledFor": null}', 1795176301000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d8-81c8-7001-ac88-15a4f6950e5d', 'post.queued', '{"state": "QUEUE", "postId": "01a1f8d8-81c8-784e-97b3-d64dd08780bd", "groupId": "01a1f8d8-81c8-7a5b-b82e-357565214a65", "errorText": null, "releaseId": null, "platformId": "01a1f8d3-ea00-7000-aa75-f6ce6754b6a4", "releaseUrl": null, "parentPostId": null, "scheduledFor": null}', 1795176301000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d8-81c8-7001-ae76-1739d1697221', 'post.action_required', '{"state": "ACTION_REQUIRED", "postId": "01a1f8d8-81c8-784e-97b3-d64dd08780bd", "groupId": "01a1f8d8-81c8-7a5b-b82e-357565214a65", "errorText": "The post is in the creator''s inbox. Open the notification in the provider''s app and publish it there.", "releaseId": null, "platformId": "01a1f8d3-ea00-7000-aa75-f6ce6754b6a4", "releaseUrl": null, "parentPostId": null, "scheduledFor": null}', 1795176301000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d8-81c8-7001-b194-26ffc3c1b6eb', 'post.queued', '{"state": "QUEUE", "postId": "01a1f8d8-81c8-73d5-bf3d-93afabfaf58e", "groupId": "01a1f8d8-81c8-7950-b6ed-9f83dec61002", "errorText": null, "releaseId": null, "platformId": "01a1f8d3-ea00-7000-aa75-f6ce6754b6a4", "releaseUrl": null, "parentPostId": null, "scheduledFor": null}', 1795176301000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d8-81c8-7001-b3bf-49e06dbad64e', 'post.failed', '{"state": "ERROR", "postId": "01a1f8d8-81c8-73d5-bf3d-93afabfaf58e", "groupId": "01a1f8d8-81c8-7950-b6ed-9f83dec61002", "errorText": "TikTok cannot read one of the files. Videos must be MP4, MOV or WebM with H.264, H.265, VP8 or VP9; photos must be JPEG or WebP. Replace the file and schedule the post again. (file_format_check_failed)", "releaseId": null, "platformId": "01a1f8d3-ea00-7000-aa75-f6ce6754b6a4", "releaseUrl": null, "parentPostId": null, "scheduledFor": null}', 1795176301000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d8-81c8-7001-b6a1-937425de9848', 'post.queued', '{"state": "QUEUE", "postId": "01a1f8d8-81c8-7482-82cf-c515602ba311", "groupId": "01a1f8d8-81c8-7e57-9087-c91e7b0d11d6", "errorText": null, "releaseId": null, "platformId": "01a1f8d3-ea00-7000-aa75-f6ce6754b6a4", "releaseUrl": null, "parentPostId": null, "scheduledFor": "2026-11-20T13:05:01.000Z"}', 1795176301000000);
INSERT INTO public.events VALUES ('01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d8-81c8-7001-b9f3-879b907e4a47', 'post.queued', '{"state": "QUEUE", "postId": "01a1f8d8-81c8-7495-a9a3-866365959b40", "groupId": "01a1f8d8-81c8-7b0b-aabd-bd3a939d7a65", "errorText": null, "releaseId": null, "platformId": "01a1f8d3-ea00-7000-aa75-f6ce6754b6a4", "releaseUrl": null, "parentPostId": null, "scheduledFor": null}', 1795176301000000);
INSERT INTO public.folders VALUES ('01a1f8d3-ea00-7000-bffd-4ca654708536', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', 'Wind', 'wind', 1795176000000000, 1795176000000000);
INSERT INTO public.idempotency VALUES ('01a1f8d3-ea00-7d00-a486-c15ef71d54ab', 'kept', '\x92fb53c7d5c756f8d1123d71baf93b8b45875d951402a4adcb81cc44add0ede5', 'completed', 201, '[["content-type", "application/json"]]', '\x7b22726573756c7473223a5b7b22737461747573223a2263726561746564222c22706c6174666f726d4964223a2230316131663864332d656130302d373030302d616137352d663663653637353462366134222c22706f7374223a7b22726f6f74223a7b226964223a2230316131663864382d383163382d373438322d383263662d633531353630326261333131222c2267726f75704964223a2230316131663864382d383163382d376535372d393038372d633931653762306431316436222c22706172656e74506f73744964223a6e756c6c2c22696e746567726174696f6e4964223a2230316131663864332d656130302d373030302d616137352d663663653637353462366134222c22636f6e74656e74223a22706c616e6e6564222c227374617465223a225155455545222c227363686564756c6564466f72223a22323032362d31312d32305431333a30353a30312e3030305a222c2264656c6179496e4d696e75746573223a6e756c6c2c2272656c656173654964223a6e756c6c2c2272656c6561736555726c223a6e756c6c2c2273657474696e6773223a7b22707269766163795f6c6576656c223a225055424c49435f544f5f45564552594f4e45227d2c226d65646961496473223a5b2230316131663864332d656130302d376539352d613061322d323038613561346232323061225d2c226572726f7254657874223a6e756c6c2c22637265617465644174223a22323032362d31312d32305431323a30353a30312e3030305a222c22757064617465644174223a22323032362d31312d32305431323a30353a30312e3030305a222c22637265617465644279223a7b226b696e64223a226b6579222c226964223a2230316131663864332d656130302d376362312d623438342d393630313332626462356234222c226e616d65223a2274657374227d2c22757064617465644279223a6e756c6c7d2c226368696c6472656e223a5b5d7d2c2277696c6c5075626c6973684174223a22323032362d31312d32305431333a30353a30312e3030305a222c227761726e696e6773223a5b5d7d5d7d', 1795176301000000);
INSERT INTO public.instance VALUES (1, false);
INSERT INTO public.invitations VALUES ('01a1f8d3-ea00-7e2f-9fb8-8e93e46b294b', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', 'cay@example.org', 'member', '\xffeaa203051896faa0f555d7e0cf85eced12e29dea762e67e9104de6f6785ed4', '01a1f8d3-ea00-7b78-bc12-845aaa2c819c', 1795176000000000, 1795780800000000, NULL);
INSERT INTO public.jobs VALUES ('01a1f8d3-ea00-7000-aefc-a3b99a34b188', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7000-aa75-f6ce6754b6a4', NULL, 'refresh_platform', 1795243918236380, 1795243918236380, 0, 0, 0, NULL, NULL, 1795348800000000);
INSERT INTO public.jobs VALUES ('01a1f8d3-ea00-7000-b5de-c8285b2f063c', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7000-b1d7-bb8058bc008f', NULL, 'refresh_platform', 1795239445482165, 1795239445482165, 0, 0, 0, NULL, NULL, 1795348800000000);
INSERT INTO public.jobs VALUES ('01a1f8d8-81c8-7001-aad8-9267a2feb09a', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7000-b1d7-bb8058bc008f', '01a1f8d3-ea00-7646-8ce5-773dcadfe1d1', 'publish_comment', 1795236301000000, 1795236301000000, 0, 0, 0, NULL, NULL, 1795322701000000);
INSERT INTO public.jobs VALUES ('01a1f8d8-81c8-7001-af8b-0cdb0afd1a99', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7000-aa75-f6ce6754b6a4', '01a1f8d8-81c8-784e-97b3-d64dd08780bd', 'resolve_link', 1795176311000000, 1795176311000000, 0, 0, 0, NULL, NULL, 1795262711000000);
INSERT INTO public.jobs VALUES ('01a1f8d8-81c8-7001-b57c-6f7aee53d776', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7000-aa75-f6ce6754b6a4', '01a1f8d8-81c8-7482-82cf-c515602ba311', 'publish_post', 1795179901000000, 1795179901000000, 0, 0, 0, NULL, NULL, 1795266301000000);
INSERT INTO public.jobs VALUES ('01a1f8d8-81c8-7001-b882-1f7dbd85c340', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7000-aa75-f6ce6754b6a4', '01a1f8d8-81c8-7495-a9a3-866365959b40', 'publish_post', 1795176302000000, 1795176302000000, 1, 0, 1, NULL, NULL, 1795262701000000);
INSERT INTO public.keys VALUES ('01a1f8d3-ea00-7c4a-8bcb-f06842262c9f', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '\xa81bafca4627845b31a9ed9fe4097e0097a2e20858424a0e3630e1c9f4a6c35f', 'Ada''s', 'FcEI', '01a1f8d3-ea00-7b78-bc12-845aaa2c819c', 1795176000000000, NULL, NULL, NULL);
INSERT INTO public.keys VALUES ('01a1f8d3-ea00-74a9-abf4-65f8c36bca3d', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '\xb58a3c5799112e09348e0913b552918788005111ccd966362f1923349199987e', 'lost', '4Jw3', '01a1f8d3-ea00-7b78-bc12-845aaa2c819c', 1795176000000000, NULL, NULL, 1795176000000000);
INSERT INTO public.keys VALUES ('01a1f8d3-ea00-7cb1-b484-960132bdb5b4', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '\xfecea3b5e43d2f2f4ee8d2b778e47286187cc5f3e700a941d16890700cbf3706', 'test', 'klk9', NULL, 1795176000000000, 1795176301000000, NULL, NULL);
INSERT INTO public.media VALUES ('01a1f8d3-ea00-706a-9900-46673376bdc8', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7000-bffd-4ca654708536', 'cf3068e17d406d1b10906fe642b0d621', 'cf3068e17d406d1b10906fe642b0d621.preview.webp', 'image/jpeg', 'image', 10203, 'photo.jpg', 'READY', '{"width": 360, "height": 640, "blurhash": "LzHV9Z2?wxkVl}WDjte;gJfjfQfj", "frameRate": null, "audioCodec": null, "durationMs": null, "videoCodec": null, "previewWidth": 360, "previewHeight": 640, "rotationDegrees": 0}', '\xb37806b495aa6181e4fedb79007ff7f8dde1f1cb491fd37149cbdf1bfeee2720', NULL, NULL, NULL, NULL, 1795176000000000, 1795176000000000, 0, NULL, NULL);
INSERT INTO public.media VALUES ('01a1f8d3-ea00-7e95-a0a2-208a5a4b220a', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', NULL, '2156c60f40a2f5db1e81464b1012a0fc', '2156c60f40a2f5db1e81464b1012a0fc.preview.webp', 'video/mp4', 'video', 221936, 'clip.mp4', 'READY', '{"width": 720, "height": 1280, "blurhash": "LsFzp$s:RRn,xZj[WCf70zWCt6bG", "frameRate": 30.0, "audioCodec": "aac", "durationMs": 6000, "videoCodec": "h264", "previewWidth": 480, "previewHeight": 853, "rotationDegrees": 0}', '\x68a4bf064b6e0fcb556eefb10b016a8e4ebc59a3bd1070c40ba7075d677a70cc', NULL, NULL, NULL, NULL, 1795176000000000, 1795176000000000, 0, NULL, NULL);
INSERT INTO public.media VALUES ('01a1f8d8-81c8-7572-b31f-3a6d2cc70171', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', NULL, 'b5374f38d08fda032c29bc09c43f6456', NULL, 'video/mp4', 'video', 221936, 'upload.mp4', 'PENDING', NULL, NULL, 221936, 0, NULL, 1795262701000000, NULL, 1795176301000000, 0, NULL, NULL);
INSERT INTO public.members VALUES ('01a1f8d3-ea00-7b23-b456-22a9da639005', '01a1f8d3-ea00-7b78-bc12-845aaa2c819c', 'owner', 1795176000000000);
INSERT INTO public.members VALUES ('01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7b78-bc12-845aaa2c819c', 'owner', 1795176000000000);
INSERT INTO public.members VALUES ('01a1f8d3-ea00-7695-a6f7-771c651e06bb', '01a1f8d3-ea00-707d-bbf8-faf5f25814ae', 'owner', 1795176000000000);
INSERT INTO public.members VALUES ('01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-707d-bbf8-faf5f25814ae', 'member', 1795176000000000);
INSERT INTO public.password_resets VALUES ('\xb713199d7fd2865b4a13b5256af356cd22fded3d60d1244da19abfd5416a164c', '01a1f8d3-ea00-707d-bbf8-faf5f25814ae', 1795176000000000, 1795179600000000);
INSERT INTO public.platforms VALUES ('01a1f8d3-ea00-7000-aa75-f6ce6754b6a4', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', 'tiktok', '-000s8NHWCpY72ild6TJ7o4xnXKC2U1np0O3', 'Kite Studio', 'kitestudio', 'http://127.0.0.1:40125/sim/avatar/kitestudio.svg', false, false, '\x4bb06f8ed2a665521f0ee1932d9f026b69791d5206361e2c24d50ed22a5e7228ff622591e073523f8323718c29c118a04bcefd50d384b0a389f1fe45c70196fbcdf1b36a68fa61fdf0ee6fc7786ef43ad43f1b82e452e6473f1fff', 1795262400000000, '\x4bb06f8ed7ebeb0d0664258310a415b35ffb905a82a0f37214f0f47b523d984a0efe527a748475f5a9a6ed51d94c04413071334b1880796548e1255c213eb92439d4f6da12f3e57d5b5a296568d8f5a0be9567723fade2f64d959f', 1826712000000000, '["user.info.basic", "user.info.profile", "video.publish", "video.upload", "video.list"]', 1, NULL, NULL, '["video", "photos", "direct_post", "inbox_draft"]', '{"scopes": ["user.info.basic", "user.info.profile", "video.publish", "video.upload", "video.list"], "username": "kitestudio", "refreshedAt": "2026-11-20T12:00:00.000Z", "duetDisabled": false, "stitchDisabled": false, "commentDisabled": false, "privacyLevelOptions": ["PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", "SELF_ONLY"], "maxVideoPostDurationSec": 600}', '{}', 1795176000000000, 1795176000000000, NULL, 'creator', 1795176000000000, NULL);
INSERT INTO public.platforms VALUES ('01a1f8d3-ea00-7000-b1d7-bb8058bc008f', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', 'tiktok', '_000iLELiIB8IxBR2EMDFYNpDze3006ARVkm', 'kiteshop', 'kiteshop', 'http://127.0.0.1:40125/sim/avatar/kiteshop.svg', false, false, '\x4bb06f8e9083b4465b099f1b0f7c29df60053679a67b0f91471f5d5dacc7b3cf3e9d1d6a0e2842e3aa72cc809f96f3095d6e5b98fe4207b2b1d17d20b566855bbabb4382bd729510f0ec468878475b49979e2e2f41395b8450ffb5', 1795262400000000, '\x4bb06f8ef49cc887fad6216b6879c743daef79a12688f48ed29588bfe90d23b7cef19bcfaed5b28bc9e90b49a4096bb69289e6ff1b0c49be52b446832b71f89bce6a74216eb12fbf989d9b02abaed3b14d8d556360f28385881bd7', 1826712000000000, '["user.info.basic", "user.info.username", "video.publish", "video.upload", "video.list", "comment.list", "comment.list.manage"]', 1, NULL, NULL, '["video", "photos", "direct_post", "inbox_draft", "comments"]', '{"scopes": ["user.info.basic", "user.info.username", "video.publish", "video.upload", "video.list", "comment.list", "comment.list.manage"], "username": "kiteshop", "refreshedAt": "2026-11-20T12:00:00.000Z", "duetDisabled": false, "stitchDisabled": false, "commentDisabled": false, "privacyLevelOptions": ["PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", "SELF_ONLY"], "maxVideoPostDurationSec": 600}', '{}', 1795176000000000, 1795176000000000, NULL, 'business', 1795176000000000, NULL);
INSERT INTO public.platforms VALUES ('01a1f8d3-ea00-7000-bb41-6604a2e2c8c0', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', 'tiktok', '-000ZYMtVgQkSKN5fx4Asc1bJWPWfeMNbeCC', 'kitesgone', 'kitesgone', 'http://127.0.0.1:40125/sim/avatar/kitesgone.svg', false, false, NULL, NULL, NULL, NULL, '["user.info.basic", "user.info.profile", "video.publish", "video.upload", "video.list"]', 2, NULL, NULL, '["video", "photos", "direct_post", "inbox_draft"]', '{"scopes": ["user.info.basic", "user.info.profile", "video.publish", "video.upload", "video.list"], "username": "kitesgone", "refreshedAt": "2026-11-20T12:00:00.000Z", "duetDisabled": false, "stitchDisabled": false, "commentDisabled": false, "privacyLevelOptions": ["PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", "SELF_ONLY"], "maxVideoPostDurationSec": 600}', '{}', 1795176000000000, 1795176301000000, 1795176301000000, 'creator', 1795176000000000, NULL);
INSERT INTO public.post_media VALUES ('01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7c60-bfd5-df283c230f04', 0, '01a1f8d3-ea00-7e95-a0a2-208a5a4b220a');
INSERT INTO public.post_media VALUES ('01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7647-b14a-bcbc10184dee', 0, '01a1f8d3-ea00-7e95-a0a2-208a5a4b220a');
INSERT INTO public.post_media VALUES ('01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d8-81c8-784e-97b3-d64dd08780bd', 0, '01a1f8d3-ea00-7e95-a0a2-208a5a4b220a');
INSERT INTO public.post_media VALUES ('01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d8-81c8-73d5-bf3d-93afabfaf58e', 0, '01a1f8d3-ea00-7e95-a0a2-208a5a4b220a');
INSERT INTO public.post_media VALUES ('01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d8-81c8-7d13-8f1b-2959d94cd292', 0, '01a1f8d3-ea00-7e95-a0a2-208a5a4b220a');
INSERT INTO public.post_media VALUES ('01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d8-81c8-7482-82cf-c515602ba311', 0, '01a1f8d3-ea00-7e95-a0a2-208a5a4b220a');
INSERT INTO public.post_media VALUES ('01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d8-81c8-7495-a9a3-866365959b40', 0, '01a1f8d3-ea00-7e95-a0a2-208a5a4b220a');
INSERT INTO public.posts VALUES ('01a1f8d3-ea00-7c60-bfd5-df283c230f04', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-77b9-9016-956785c024d5', NULL, 0, '01a1f8d3-ea00-7000-aa75-f6ce6754b6a4', 'published', 'PUBLISHED', NULL, false, NULL, NULL, '7710222211873853276', 'http://127.0.0.1:40125/@kitestudio/video/7710222211873853276', '{"privacy_level": "PUBLIC_TO_EVERYONE"}', NULL, 1795176000000000, '2026-11', 1795176000000000, 1795176000000000, 1, NULL, '{"id": "01a1f8d3-ea00-7cb1-b484-960132bdb5b4", "kind": "key", "name": "test"}', NULL);
INSERT INTO public.posts VALUES ('01a1f8d3-ea00-7646-8ce5-773dcadfe1d1', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7f67-9647-4534bf775fb0', '01a1f8d3-ea00-7647-b14a-bcbc10184dee', 2, '01a1f8d3-ea00-7000-b1d7-bb8058bc008f', 'in the evening', 'QUEUE', NULL, false, NULL, 1000, NULL, NULL, '{}', NULL, 1795176000000000, NULL, 1795176000000000, 1795176000000000, 1, NULL, '{"id": "01a1f8d3-ea00-7cb1-b484-960132bdb5b4", "kind": "key", "name": "test"}', NULL);
INSERT INTO public.posts VALUES ('01a1f8d3-ea00-7647-b14a-bcbc10184dee', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7f67-9647-4534bf775fb0', NULL, 0, '01a1f8d3-ea00-7000-b1d7-bb8058bc008f', 'commented', 'PUBLISHED', NULL, false, NULL, NULL, '7710222212261130193', 'http://127.0.0.1:40125/@kiteshop/video/7710222212261130193', '{"allow_comment": true}', NULL, 1795176000000000, '2026-11', 1795176000000000, 1795176001000000, 1, NULL, '{"id": "01a1f8d3-ea00-7cb1-b484-960132bdb5b4", "kind": "key", "name": "test"}', NULL);
INSERT INTO public.posts VALUES ('01a1f8d3-ea00-7280-9043-84eb8ebeef1b', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7f67-9647-4534bf775fb0', '01a1f8d3-ea00-7647-b14a-bcbc10184dee', 1, '01a1f8d3-ea00-7000-b1d7-bb8058bc008f', 'first', 'PUBLISHED', NULL, false, NULL, 5, '7710223504419658980', NULL, '{}', NULL, 1795176000000000, NULL, 1795176000000000, 1795176301000000, 1, NULL, '{"id": "01a1f8d3-ea00-7cb1-b484-960132bdb5b4", "kind": "key", "name": "test"}', NULL);
INSERT INTO public.posts VALUES ('01a1f8d8-81c8-784e-97b3-d64dd08780bd', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d8-81c8-7a5b-b82e-357565214a65', NULL, 0, '01a1f8d3-ea00-7000-aa75-f6ce6754b6a4', 'inbox', 'ACTION_REQUIRED', 'inbox', false, NULL, NULL, NULL, NULL, '{"post_mode": "MEDIA_UPLOAD"}', 'The post is in the creator''s inbox. Open the notification in the provider''s app and publish it there.', 1795176301000000, '2026-11', 1795176301000000, 1795176301000000, 1, NULL, '{"id": "01a1f8d3-ea00-7cb1-b484-960132bdb5b4", "kind": "key", "name": "test"}', NULL);
INSERT INTO public.posts VALUES ('01a1f8d8-81c8-73d5-bf3d-93afabfaf58e', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d8-81c8-7950-b6ed-9f83dec61002', NULL, 0, '01a1f8d3-ea00-7000-aa75-f6ce6754b6a4', 'failed', 'ERROR', NULL, false, NULL, NULL, NULL, NULL, '{"privacy_level": "PUBLIC_TO_EVERYONE"}', 'TikTok cannot read one of the files. Videos must be MP4, MOV or WebM with H.264, H.265, VP8 or VP9; photos must be JPEG or WebP. Replace the file and schedule the post again. (file_format_check_failed)', 1795176301000000, '2026-11', 1795176301000000, 1795176301000000, 1, NULL, '{"id": "01a1f8d3-ea00-7cb1-b484-960132bdb5b4", "kind": "key", "name": "test"}', NULL);
INSERT INTO public.posts VALUES ('01a1f8d8-81c8-7d13-8f1b-2959d94cd292', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d8-81c8-7330-8050-cc17e2bea02f', NULL, 0, '01a1f8d3-ea00-7000-aa75-f6ce6754b6a4', 'draft', 'DRAFT', NULL, false, NULL, NULL, NULL, NULL, '{"privacy_level": "PUBLIC_TO_EVERYONE"}', NULL, 1795176301000000, NULL, 1795176301000000, 1795176301000000, 1, NULL, '{"id": "01a1f8d3-ea00-7cb1-b484-960132bdb5b4", "kind": "key", "name": "test"}', NULL);
INSERT INTO public.posts VALUES ('01a1f8d8-81c8-7482-82cf-c515602ba311', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d8-81c8-7e57-9087-c91e7b0d11d6', NULL, 0, '01a1f8d3-ea00-7000-aa75-f6ce6754b6a4', 'planned', 'QUEUE', NULL, false, 1795179901000000, NULL, NULL, NULL, '{"privacy_level": "PUBLIC_TO_EVERYONE"}', NULL, 1795179901000000, '2026-11', 1795176301000000, 1795176301000000, 1, NULL, '{"id": "01a1f8d3-ea00-7cb1-b484-960132bdb5b4", "kind": "key", "name": "test"}', NULL);
INSERT INTO public.posts VALUES ('01a1f8d8-81c8-7495-a9a3-866365959b40', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d8-81c8-7b0b-aabd-bd3a939d7a65', NULL, 0, '01a1f8d3-ea00-7000-aa75-f6ce6754b6a4', 'open', 'QUEUE', NULL, true, NULL, NULL, NULL, NULL, '{"privacy_level": "PUBLIC_TO_EVERYONE"}', NULL, 1795176301000000, '2026-11', 1795176301000000, 1795176301000000, 1, NULL, '{"id": "01a1f8d3-ea00-7cb1-b484-960132bdb5b4", "kind": "key", "name": "test"}', NULL);
INSERT INTO public.recovery_codes VALUES ('01a1f8d3-ea00-7b78-bc12-845aaa2c819c', '\xc606348821a57486495df71f5991ad1c7955f16358dbcb90dc3ceced29b9a1ce');
INSERT INTO public.recovery_codes VALUES ('01a1f8d3-ea00-7b78-bc12-845aaa2c819c', '\xdae3e9e8331dc245e2c3aac1f49a3f2c35c5a7bb9aaffafc0add23a914add36b');
INSERT INTO public.recovery_codes VALUES ('01a1f8d3-ea00-7b78-bc12-845aaa2c819c', '\x0c2254ddc0b67d4740e7787d1e11ac5536a7541f99e64648d9cac1ac05e81ec1');
INSERT INTO public.recovery_codes VALUES ('01a1f8d3-ea00-7b78-bc12-845aaa2c819c', '\xec0a4445ac7d94d6ab05dc15e596ed7c31363102e297e96e41ffabb0d0dc812a');
INSERT INTO public.recovery_codes VALUES ('01a1f8d3-ea00-7b78-bc12-845aaa2c819c', '\x138ec7178be26b684197a306df0d88cbbf806359f5417fcd184b89ab3d77c351');
INSERT INTO public.recovery_codes VALUES ('01a1f8d3-ea00-7b78-bc12-845aaa2c819c', '\x33afd1d5d064bcb89984a1afbf554ea298d99b5d4ec3e026e0215e2b70517b0b');
INSERT INTO public.recovery_codes VALUES ('01a1f8d3-ea00-7b78-bc12-845aaa2c819c', '\x95d2357d89606aa7098e84e746fed441ff85f2c2c10c71dfb4884ab40d740b62');
INSERT INTO public.recovery_codes VALUES ('01a1f8d3-ea00-7b78-bc12-845aaa2c819c', '\x91cfdbe9809ae4527740f65013e9b51152e8ed608ba50fcd5e1c41d12cfb68e4');
INSERT INTO public.recovery_codes VALUES ('01a1f8d3-ea00-7b78-bc12-845aaa2c819c', '\xe582cee112f32e8c8b4802e09143c5727d4f9c3b37b5390eca066db310a70e89');
INSERT INTO public.recovery_codes VALUES ('01a1f8d3-ea00-7b78-bc12-845aaa2c819c', '\x6157a73b38b9dc0bbd7a7140570c61e0f1917aea99a97ad614adb674ac8eab49');
INSERT INTO public.revocations VALUES ('01a1f8d3-ea00-7000-bb41-6604a2e2c8c0', 1, 'tiktok', '-000ZYMtVgQkSKN5fx4Asc1bJWPWfeMNbeCC', '\x4bb06f8ece3cdaf42c20501222362129a3addcb1992818baf86781e07c03a0c2bb3d60b23a78cfa1961a189e4d09dc0aa6294d8378abe9364b882af460580cbe649fb890f21369308b3cf0bf8f1dfff8595ca740ce3903d81c834e', '\x4bb06f8e1cdb02283556acfcb66bbd7eb1708a1b7422838698b3668c606de3adac38c8087863e06ad320bf16361db38353ee37eb68795d0253495cbd28a0283b85c02c27e273483c47473818cfd080b60a74ebd25c5c6ca46e9c23', 1826712000000000, 1795176301000000, NULL, 0, 0, 'creator');
INSERT INTO public.second_factors VALUES ('01a1f8d3-ea00-7b78-bc12-845aaa2c819c', '\x4bb06f8e2f63f36519f0b2789f67579b23d273e282d0b5531451ea65df7a9ad972018a0ddb43dcc7f3ce2fc75eabb9b20eb36284d7b3678fbab74c99dc00bfc86403ecd2b066cedb93d0328f', 59839200, 1795176000000000, NULL);
INSERT INTO public.sessions VALUES ('\x53ac688fc39c4f00b547a4d927b6d71418af1c546b5e79e36864f97ae53221ea', '01a1f8d3-ea00-7650-ab45-5957cb729cb1', '01a1f8d3-ea00-7b78-bc12-845aaa2c819c', '127.0.0.1', 1795176000000000, 1797768000000000, NULL, 1795176000000000);
INSERT INTO public.sessions VALUES ('\x80260670705eaee0071bc0270cbc12a64a78a34bd20e28414c7fc0b53a8f7272', '01a1f8d3-ea00-7796-a7d5-e330fbad0bb1', '01a1f8d3-ea00-707d-bbf8-faf5f25814ae', '127.0.0.1', 1795176000000000, 1797768000000000, NULL, 1795176000000000);
INSERT INTO public.storage VALUES ('01a1f8d3-ea00-7d00-a486-c15ef71d54ab', 454075);
INSERT INTO public.submissions VALUES ('01a1f8d8-81c8-7837-b3d6-540b911b2390', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7000-aa75-f6ce6754b6a4', '01a1f8d8-81c8-73d5-bf3d-93afabfaf58e', 'upload', 'v_pub_file~v2-1.7710223506834744349', '\x4bb06f8e42d0e502236b285116b7e333f63acf2a12b567c8ac53b965b92a97702ea6520347a5c403e16fcc08e33e95983759538cc24870aec807c282d921d7b40f7fc3503888e9684e452ce0fc117444e03c6e2a66f437678d5ab6735f9b49008e00c3fa11c1f8a4c6d85543f244a7767cd984fa98641cbee011e685fe88ffd5d1239fbb3d9b942c872d047c6f983a52e6baa77001f377f2d179427a69072b12cb2f0765b6cd342d4d388394f8b1d710b0d774cfbfffacf11af490cc1c04eed517eca39f58180baf81530a66ce956719d98e407ed203990d1a0a48eb2eaaaaeb0dde7b1ba281a82676e4912329ea0db46d59c5', 221936, NULL, 1795176301000000, NULL, NULL, 1795176301000000, 1795176301000000, 'rejected', 'file_format_check_failed', 'TikTok cannot read one of the files. Videos must be MP4, MOV or WebM with H.264, H.265, VP8 or VP9; photos must be JPEG or WebP. Replace the file and schedule the post again.', NULL, NULL, 'Videos are uploaded: an upload can be resumed, and nothing can be published before its last byte.');
INSERT INTO public.submissions VALUES ('01a1f8d3-ea00-7f06-b924-2da9045a7de0', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7000-aa75-f6ce6754b6a4', '01a1f8d3-ea00-7c60-bfd5-df283c230f04', 'upload', 'v_pub_file~v2-1.7710222214141012120', '\x4bb06f8ee8574980a971e992404bc40e32aef1e8bc19e4c9cd73ac01ee5d10e7edc1a9e1eff3854d94968828fa6d8a3b75f3ad5002cafbde41f7c95ba60bb1fe102438040bba2189f6ffadaff48e52223eb68aff84b72a65bb36440f6025d4945096f2e2086c845bbeadf7c99a3d0dac07500faa316e5db3cf4a3cfb30b42efb226e72e443c9ce9d43c03afd6f0b7895de57846d76de22a961d1c4090d3de853dbbf7eb317f3cf265aa4536f0c9ff90cef710baa6833e2f51095c837af4cd110e2819ea1f34ffd5c50547949ea2119d10a012dd2661a9f0165954d31499d3e123ed06a6336c5341bfa67bc7fcdac2b70fac924', 221936, NULL, 1795176000000000, NULL, NULL, 1795176000000000, 1795176000000000, 'published', NULL, NULL, NULL, NULL, 'Videos are uploaded: an upload can be resumed, and nothing can be published before its last byte.');
INSERT INTO public.submissions VALUES ('01a1f8d3-ea00-755c-ba91-ec46e91fd69a', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7000-b1d7-bb8058bc008f', '01a1f8d3-ea00-7647-b14a-bcbc10184dee', 'pull', 'v_pub_url~v1.7710222211247225967', NULL, 0, '\x2d9e324e2d135c6c814152199cb536818ec7d60de1229ae169602d73bba489eb', NULL, 1795176000000000, NULL, 1795176000000000, 1795176001000000, 'published', NULL, NULL, NULL, NULL, 'TikTok''s business API takes media only by fetching them from this service.');
INSERT INTO public.submissions VALUES ('01a1f8d8-81c8-7ee8-9e34-485fa05bb72b', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7000-b1d7-bb8058bc008f', '01a1f8d3-ea00-7280-9043-84eb8ebeef1b', 'text', NULL, NULL, 0, NULL, NULL, NULL, NULL, 1795176301000000, 1795176301000000, 'published', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.submissions VALUES ('01a1f8d8-81c8-7450-b7d8-d55907c41e2f', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7000-aa75-f6ce6754b6a4', '01a1f8d8-81c8-784e-97b3-d64dd08780bd', 'upload', 'v_inbox_file~v2.7710223503793031671', '\x4bb06f8eb941af2040e99be4648309143f85900c159cb3a87e6047deec1d830eb0a02c42c6f7fbf2b54236c42706d8cc26b1f5feaae7596c87ffc6a538ed7dd47146b097ab757131d285c834d29a73ffec162f677860a96cea46dd9bc78aea4acd0bd1a8adfae84818b67d9a16f4cf19b76940fd2950f71ed62c821877c19a1f29aa28ba33177a66e0e5c4db2fafa662b08470aa6a1c54367d03dd961d26572a3a754b563c0f92ac42eccf560c5faf6acd3b769281321f0e5a73b4843cf11646b9b7fbc64452ef71bccfe9299592fb6373954eaa4b4892da22d2fc8b1b9e03ee5350c25d7dda7f369cfe419f3dd21e838c8988', 221936, NULL, 1795176301000000, NULL, NULL, 1795176301000000, 1795176301000000, 'in_inbox', NULL, NULL, NULL, NULL, 'Videos are uploaded: an upload can be resumed, and nothing can be published before its last byte.');
INSERT INTO public.submissions VALUES ('01a1f8d8-81c8-7302-8aad-074418b093fe', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7000-aa75-f6ce6754b6a4', '01a1f8d8-81c8-7495-a9a3-866365959b40', 'upload', 'v_pub_file~v2-1.7710223505581489731', '\x4bb06f8e78dc5df83944e6c861481e677fb70af16573ef7b0be3390ccd3bd23980eee938987b3a037dee534278e42b762bf30d627ca6e32fa11fd6eec4b4f456167629354f45efbc2cce1dff068451dbad85ab7ce051c06234ada1f7f63cbfe2d7e43df3f6c9d0bd8b1aa756032f62fa33790da51078466619288906ec686894d7932edc470cfb26fa8873a9fb8728cef669a897114ab7f6dff37493c8ffa71f8d74150f548718f4745d37f072ae935329c80b9f4a75b589262f22b12c4211a6aff799f419fd0aba39aef90028d711d09eed0d3fae8d9f875bf7ccfd4ff2f6290063c7a290345359d099e50fb640c73bf5b422', 221936, NULL, 1795176301000000, NULL, NULL, 1795176301000000, NULL, NULL, NULL, NULL, NULL, NULL, 'Videos are uploaded: an upload can be resumed, and nothing can be published before its last byte.');
INSERT INTO public.usage VALUES ('01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '2026-11', 6, 0);
INSERT INTO public.users VALUES ('01a1f8d3-ea00-7b78-bc12-845aaa2c819c', 'ada@example.org', '$argon2id$v=19$m=19456,t=2,p=1$nLqaM228Qg/JryD2MiIvcA$dmsRJ3lJxoTe0iBb4cooDua3V9I3KWPjrfoNBA8xE+g', NULL, 1795176000000000, NULL, true);
INSERT INTO public.users VALUES ('01a1f8d3-ea00-707d-bbf8-faf5f25814ae', 'bob@example.org', '$argon2id$v=19$m=19456,t=2,p=1$d0ODyQwKw1O3xpPLbw1E+Q$jqwupSBvI1+KXNLG4jCpGWwHOqV2bzPmWTwOOJKwngI', NULL, 1795176000000000, NULL, false);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d3-ea00-7001-9068-5417f1492e95', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7c5c-8531-a4ce0bf3b075', '01a1f8d3-ea00-7001-8c9d-3ef80ab2fb95', 'media.ready', '{"type":"media.ready","timestamp":"2026-11-20T12:00:00.000Z","data":{"id":"01a1f8d3-ea00-706a-9900-46673376bdc8","storageKey":"cf3068e17d406d1b10906fe642b0d621","publicUrl":"http://127.0.0.1:15785/media/cf3068e17d406d1b10906fe642b0d621","previewUrl":"http://127.0.0.1:15785/media/cf3068e17d406d1b10906fe642b0d621.preview.webp","mimeType":"image/jpeg","size":10203,"mediaType":"image","originalFileName":"photo.jpg","status":"READY","thumbnailMetadata":{"width":360,"height":640,"previewWidth":360,"previewHeight":640,"blurhash":"LzHV9Z2?wxkVl}WDjte;gJfjfQfj","durationMs":null,"videoCodec":null,"audioCodec":null,"frameRate":null},"finalizedAt":"2026-11-20T12:00:00.000Z","folderId":"01a1f8d3-ea00-7000-bffd-4ca654708536","failure":null,"createdAt":"2026-11-20T12:00:00.000Z"}}', 'delivered', 1, 1795176075000000, NULL, NULL, 204, '', 1795176000000000, 1795176000000000, 0, 1795176000000000, 1795435200000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d3-ea00-7001-9b27-fa1c153fb163', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7c5c-8531-a4ce0bf3b075', '01a1f8d3-ea00-7001-9a29-993fbf936785', 'media.ready', '{"type":"media.ready","timestamp":"2026-11-20T12:00:00.000Z","data":{"id":"01a1f8d3-ea00-7e95-a0a2-208a5a4b220a","storageKey":"2156c60f40a2f5db1e81464b1012a0fc","publicUrl":"http://127.0.0.1:15785/media/2156c60f40a2f5db1e81464b1012a0fc","previewUrl":"http://127.0.0.1:15785/media/2156c60f40a2f5db1e81464b1012a0fc.preview.webp","mimeType":"video/mp4","size":221936,"mediaType":"video","originalFileName":"clip.mp4","status":"READY","thumbnailMetadata":{"width":720,"height":1280,"previewWidth":480,"previewHeight":853,"blurhash":"LsFzp$s:RRn,xZj[WCf70zWCt6bG","durationMs":6000,"videoCodec":"h264","audioCodec":"aac","frameRate":30.0},"finalizedAt":"2026-11-20T12:00:00.000Z","folderId":null,"failure":null,"createdAt":"2026-11-20T12:00:00.000Z"}}', 'delivered', 1, 1795176075000000, NULL, NULL, 204, '', 1795176000000000, 1795176000000000, 0, 1795176000000000, 1795435200000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d3-ea00-7001-9eef-415e1123d244', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7c5c-8531-a4ce0bf3b075', '01a1f8d3-ea00-7001-9d66-f8779a178755', 'post.queued', '{"type":"post.queued","timestamp":"2026-11-20T12:00:00.000Z","data":{"id":"01a1f8d3-ea00-7c60-bfd5-df283c230f04","groupId":"01a1f8d3-ea00-77b9-9016-956785c024d5","parentPostId":null,"integrationId":"01a1f8d3-ea00-7000-aa75-f6ce6754b6a4","content":"published","state":"QUEUE","scheduledFor":null,"delayInMinutes":null,"releaseId":null,"releaseUrl":null,"settings":{"privacy_level":"PUBLIC_TO_EVERYONE"},"mediaIds":["01a1f8d3-ea00-7e95-a0a2-208a5a4b220a"],"errorText":null,"createdAt":"2026-11-20T12:00:00.000Z","updatedAt":"2026-11-20T12:00:00.000Z","createdBy":{"kind":"key","id":"01a1f8d3-ea00-7cb1-b484-960132bdb5b4","name":"test"},"updatedBy":null}}', 'delivered', 1, 1795176075000000, NULL, NULL, 204, '', 1795176000000000, 1795176000000000, 0, 1795176000000000, 1795435200000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d3-ea00-7001-a0c7-4e66c3d35837', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7c5c-8531-a4ce0bf3b075', '01a1f8d3-ea00-7001-9fdd-f7152ba83fd6', 'post.published', '{"type":"post.published","timestamp":"2026-11-20T12:00:00.000Z","data":{"id":"01a1f8d3-ea00-7c60-bfd5-df283c230f04","groupId":"01a1f8d3-ea00-77b9-9016-956785c024d5","parentPostId":null,"integrationId":"01a1f8d3-ea00-7000-aa75-f6ce6754b6a4","content":"published","state":"PUBLISHED","scheduledFor":null,"delayInMinutes":null,"releaseId":null,"releaseUrl":null,"settings":{"privacy_level":"PUBLIC_TO_EVERYONE"},"mediaIds":["01a1f8d3-ea00-7e95-a0a2-208a5a4b220a"],"errorText":null,"createdAt":"2026-11-20T12:00:00.000Z","updatedAt":"2026-11-20T12:00:00.000Z","createdBy":{"kind":"key","id":"01a1f8d3-ea00-7cb1-b484-960132bdb5b4","name":"test"},"updatedBy":null}}', 'delivered', 1, 1795176075000000, NULL, NULL, 204, '', 1795176000000000, 1795176000000000, 0, 1795176000000000, 1795435200000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d3-ea00-7001-a436-95995bbec6e3', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7c5c-8531-a4ce0bf3b075', '01a1f8d3-ea00-7001-a344-4b19a0b4d575', 'post.queued', '{"type":"post.queued","timestamp":"2026-11-20T12:00:00.000Z","data":{"id":"01a1f8d3-ea00-7647-b14a-bcbc10184dee","groupId":"01a1f8d3-ea00-7f67-9647-4534bf775fb0","parentPostId":null,"integrationId":"01a1f8d3-ea00-7000-b1d7-bb8058bc008f","content":"commented","state":"QUEUE","scheduledFor":null,"delayInMinutes":null,"releaseId":null,"releaseUrl":null,"settings":{"allow_comment":true},"mediaIds":["01a1f8d3-ea00-7e95-a0a2-208a5a4b220a"],"errorText":null,"createdAt":"2026-11-20T12:00:00.000Z","updatedAt":"2026-11-20T12:00:00.000Z","createdBy":{"kind":"key","id":"01a1f8d3-ea00-7cb1-b484-960132bdb5b4","name":"test"},"updatedBy":null}}', 'delivered', 1, 1795176075000000, NULL, NULL, 204, '', 1795176000000000, 1795176000000000, 0, 1795176000000000, 1795435200000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d3-ede8-7001-a6c3-1d88d1ce7a10', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7c5c-8531-a4ce0bf3b075', '01a1f8d3-ede8-7001-a52f-06c8513e6f98', 'post.published', '{"type":"post.published","timestamp":"2026-11-20T12:00:01.000Z","data":{"id":"01a1f8d3-ea00-7647-b14a-bcbc10184dee","groupId":"01a1f8d3-ea00-7f67-9647-4534bf775fb0","parentPostId":null,"integrationId":"01a1f8d3-ea00-7000-b1d7-bb8058bc008f","content":"commented","state":"PUBLISHED","scheduledFor":null,"delayInMinutes":null,"releaseId":"7710222212261130193","releaseUrl":"http://127.0.0.1:40125/@kiteshop/video/7710222212261130193","settings":{"allow_comment":true},"mediaIds":["01a1f8d3-ea00-7e95-a0a2-208a5a4b220a"],"errorText":null,"createdAt":"2026-11-20T12:00:00.000Z","updatedAt":"2026-11-20T12:00:01.000Z","createdBy":{"kind":"key","id":"01a1f8d3-ea00-7cb1-b484-960132bdb5b4","name":"test"},"updatedBy":null}}', 'delivered', 1, 1795176076000000, NULL, NULL, 204, '', 1795176001000000, 1795176001000000, 0, 1795176001000000, 1795435201000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d8-81c8-7001-a917-30b82e6d64e0', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7c5c-8531-a4ce0bf3b075', '01a1f8d8-81c8-7001-a88d-e48f29de5a0b', 'post.published', '{"type":"post.published","timestamp":"2026-11-20T12:05:01.000Z","data":{"id":"01a1f8d3-ea00-7280-9043-84eb8ebeef1b","groupId":"01a1f8d3-ea00-7f67-9647-4534bf775fb0","parentPostId":"01a1f8d3-ea00-7647-b14a-bcbc10184dee","integrationId":"01a1f8d3-ea00-7000-b1d7-bb8058bc008f","content":"first","state":"PUBLISHED","scheduledFor":null,"delayInMinutes":5,"releaseId":"7710223504419658980","releaseUrl":null,"settings":{},"mediaIds":[],"errorText":null,"createdAt":"2026-11-20T12:00:00.000Z","updatedAt":"2026-11-20T12:05:01.000Z","createdBy":{"kind":"key","id":"01a1f8d3-ea00-7cb1-b484-960132bdb5b4","name":"test"},"updatedBy":null}}', 'delivered', 1, 1795176376000000, NULL, NULL, 204, '', 1795176301000000, 1795176301000000, 0, 1795176301000000, 1795435501000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d8-81c8-7001-adce-0835fce345bd', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7c5c-8531-a4ce0bf3b075', '01a1f8d8-81c8-7001-ac88-15a4f6950e5d', 'post.queued', '{"type":"post.queued","timestamp":"2026-11-20T12:05:01.000Z","data":{"id":"01a1f8d8-81c8-784e-97b3-d64dd08780bd","groupId":"01a1f8d8-81c8-7a5b-b82e-357565214a65","parentPostId":null,"integrationId":"01a1f8d3-ea00-7000-aa75-f6ce6754b6a4","content":"inbox","state":"QUEUE","scheduledFor":null,"delayInMinutes":null,"releaseId":null,"releaseUrl":null,"settings":{"post_mode":"MEDIA_UPLOAD"},"mediaIds":["01a1f8d3-ea00-7e95-a0a2-208a5a4b220a"],"errorText":null,"createdAt":"2026-11-20T12:05:01.000Z","updatedAt":"2026-11-20T12:05:01.000Z","createdBy":{"kind":"key","id":"01a1f8d3-ea00-7cb1-b484-960132bdb5b4","name":"test"},"updatedBy":null}}', 'delivered', 1, 1795176376000000, NULL, NULL, 204, '', 1795176301000000, 1795176301000000, 0, 1795176301000000, 1795435501000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d8-81c8-7001-b27e-eaf168583f0f', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7c5c-8531-a4ce0bf3b075', '01a1f8d8-81c8-7001-b194-26ffc3c1b6eb', 'post.queued', '{"type":"post.queued","timestamp":"2026-11-20T12:05:01.000Z","data":{"id":"01a1f8d8-81c8-73d5-bf3d-93afabfaf58e","groupId":"01a1f8d8-81c8-7950-b6ed-9f83dec61002","parentPostId":null,"integrationId":"01a1f8d3-ea00-7000-aa75-f6ce6754b6a4","content":"failed","state":"QUEUE","scheduledFor":null,"delayInMinutes":null,"releaseId":null,"releaseUrl":null,"settings":{"privacy_level":"PUBLIC_TO_EVERYONE"},"mediaIds":["01a1f8d3-ea00-7e95-a0a2-208a5a4b220a"],"errorText":null,"createdAt":"2026-11-20T12:05:01.000Z","updatedAt":"2026-11-20T12:05:01.000Z","createdBy":{"kind":"key","id":"01a1f8d3-ea00-7cb1-b484-960132bdb5b4","name":"test"},"updatedBy":null}}', 'delivered', 1, 1795176376000000, NULL, NULL, 204, '', 1795176301000000, 1795176301000000, 0, 1795176301000000, 1795435501000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d8-81c8-7001-b4cc-a148cbe351dd', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7c5c-8531-a4ce0bf3b075', '01a1f8d8-81c8-7001-b3bf-49e06dbad64e', 'post.failed', '{"type":"post.failed","timestamp":"2026-11-20T12:05:01.000Z","data":{"id":"01a1f8d8-81c8-73d5-bf3d-93afabfaf58e","groupId":"01a1f8d8-81c8-7950-b6ed-9f83dec61002","parentPostId":null,"integrationId":"01a1f8d3-ea00-7000-aa75-f6ce6754b6a4","content":"failed","state":"ERROR","scheduledFor":null,"delayInMinutes":null,"releaseId":null,"releaseUrl":null,"settings":{"privacy_level":"PUBLIC_TO_EVERYONE"},"mediaIds":["01a1f8d3-ea00-7e95-a0a2-208a5a4b220a"],"errorText":"TikTok cannot read one of the files. Videos must be MP4, MOV or WebM with H.264, H.265, VP8 or VP9; photos must be JPEG or WebP. Replace the file and schedule the post again. (file_format_check_failed)","createdAt":"2026-11-20T12:05:01.000Z","updatedAt":"2026-11-20T12:05:01.000Z","createdBy":{"kind":"key","id":"01a1f8d3-ea00-7cb1-b484-960132bdb5b4","name":"test"},"updatedBy":null}}', 'pending', 1, 1795176306478638, NULL, NULL, 500, '', 1795176301000000, NULL, 1, 1795176301000000, 1795435501000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d8-81c8-7001-b7a2-7a6232fb6629', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7c5c-8531-a4ce0bf3b075', '01a1f8d8-81c8-7001-b6a1-937425de9848', 'post.queued', '{"type":"post.queued","timestamp":"2026-11-20T12:05:01.000Z","data":{"id":"01a1f8d8-81c8-7482-82cf-c515602ba311","groupId":"01a1f8d8-81c8-7e57-9087-c91e7b0d11d6","parentPostId":null,"integrationId":"01a1f8d3-ea00-7000-aa75-f6ce6754b6a4","content":"planned","state":"QUEUE","scheduledFor":"2026-11-20T13:05:01.000Z","delayInMinutes":null,"releaseId":null,"releaseUrl":null,"settings":{"privacy_level":"PUBLIC_TO_EVERYONE"},"mediaIds":["01a1f8d3-ea00-7e95-a0a2-208a5a4b220a"],"errorText":null,"createdAt":"2026-11-20T12:05:01.000Z","updatedAt":"2026-11-20T12:05:01.000Z","createdBy":{"kind":"key","id":"01a1f8d3-ea00-7cb1-b484-960132bdb5b4","name":"test"},"updatedBy":null}}', 'delivered', 1, 1795176376000000, NULL, NULL, 204, '', 1795176301000000, 1795176301000000, 0, 1795176301000000, 1795435501000000, NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a1f8d8-81c8-7001-bab2-fece431a006a', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', '01a1f8d3-ea00-7c5c-8531-a4ce0bf3b075', '01a1f8d8-81c8-7001-b9f3-879b907e4a47', 'post.queued', '{"type":"post.queued","timestamp":"2026-11-20T12:05:01.000Z","data":{"id":"01a1f8d8-81c8-7495-a9a3-866365959b40","groupId":"01a1f8d8-81c8-7b0b-aabd-bd3a939d7a65","parentPostId":null,"integrationId":"01a1f8d3-ea00-7000-aa75-f6ce6754b6a4","content":"open","state":"QUEUE","scheduledFor":null,"delayInMinutes":null,"releaseId":null,"releaseUrl":null,"settings":{"privacy_level":"PUBLIC_TO_EVERYONE"},"mediaIds":["01a1f8d3-ea00-7e95-a0a2-208a5a4b220a"],"errorText":null,"createdAt":"2026-11-20T12:05:01.000Z","updatedAt":"2026-11-20T12:05:01.000Z","createdBy":{"kind":"key","id":"01a1f8d3-ea00-7cb1-b484-960132bdb5b4","name":"test"},"updatedBy":null}}', 'delivered', 1, 1795176376000000, NULL, NULL, 204, '', 1795176301000000, 1795176301000000, 0, 1795176301000000, 1795435501000000, NULL);
INSERT INTO public.webhooks VALUES ('01a1f8d3-ea00-7c5c-8531-a4ce0bf3b075', '01a1f8d3-ea00-7d00-a486-c15ef71d54ab', 'http://127.0.0.1:46017/hook', '["post.queued", "post.published", "post.failed", "media.ready"]', '\x4bb06f8eb0a2e09e16a3b7dd0d23f723489892918e35ebedc91cd8a98895296bd4972fc7cb74ffe715bea210500d3ae5196a7dc61efca1a6b4c6ca3c8b87e8fc3b6d3a634170cb9e8dbb5ebd89bee5944bdafa9c92f071faa3bffa73bd3c', false, 1795176000000000, 1795176000000000, NULL, NULL, NULL, NULL);
INSERT INTO public.workspaces VALUES ('01a1f8d3-ea00-7d00-a486-c15ef71d54ab', 'Test', 'unlimited', 1795176000000000, 'UTC', NULL);
INSERT INTO public.workspaces VALUES ('01a1f8d3-ea00-7b23-b456-22a9da639005', 'ada''s workspace', 'unlimited', 1795176000000000, 'UTC', '01a1f8d3-ea00-7b78-bc12-845aaa2c819c');
INSERT INTO public.workspaces VALUES ('01a1f8d3-ea00-7695-a6f7-771c651e06bb', 'bob''s workspace', 'unlimited', 1795176000000000, 'UTC', '01a1f8d3-ea00-707d-bbf8-faf5f25814ae');
ALTER TABLE ONLY public._sqlx_migrations
    ADD CONSTRAINT _sqlx_migrations_pkey PRIMARY KEY (version);
ALTER TABLE ONLY public.activity
    ADD CONSTRAINT activity_pkey PRIMARY KEY (user_id, id);
ALTER TABLE ONLY public.allowances
    ADD CONSTRAINT allowances_pkey PRIMARY KEY (kind, subject);
ALTER TABLE ONLY public.authorizations
    ADD CONSTRAINT authorizations_pkey PRIMARY KEY (state_hash);
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
CREATE INDEX jobs_due ON public.jobs USING btree (due_at, platform_id, id);
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
CREATE INDEX posts_waiting ON public.posts USING btree (platform_id) WHERE (waiting IS NOT NULL);
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
