//! Settings: their sources, their precedence, and the errors for invalid ones (`docs/contract.md#configuration`).

use playout_server::config::Config;
use playout_server::settings::Sources;

type Place = fn(&mut Sources) -> &mut std::collections::BTreeMap<String, String>;

/// Sources in which these settings are flags.
fn flags(settings: &[(&str, &str)]) -> Sources {
    let mut sources = Sources::default();
    for (name, value) in settings {
        sources.flags.insert((*name).to_owned(), (*value).to_owned());
    }
    sources
}

fn load(settings: &[(&str, &str)]) -> Config {
    Config::load(&flags(settings)).unwrap()
}

/// The value of a setting as `playoutd check` shows it, and where it comes from.
fn shown(sources: &Sources, name: &str) -> (String, &'static str) {
    let all = Config::describe(sources);
    let (_, value, origin) = all.into_iter().find(|(known, ..)| *known == name).unwrap();
    (value, origin)
}

#[test]
fn flags_win_over_the_environment_over_the_file_over_defaults() {
    let mut sources = Sources::default();
    assert_eq!(Config::load(&sources).unwrap().listen.port(), 8080);
    let places: [Place; 3] = [|s| &mut s.file, |s| &mut s.env, |s| &mut s.flags];
    for (port, place) in (9001..).zip(places) {
        place(&mut sources).insert("listen".to_owned(), format!("127.0.0.1:{port}"));
        assert_eq!(Config::load(&sources).unwrap().listen.port(), port);
    }
}

#[test]
fn the_defaults_are_those_of_the_contract() {
    let config = load(&[("data_dir", "/srv/playout")]);
    assert_eq!(config.listen.to_string(), "127.0.0.1:8080");
    assert_eq!(config.base_url, "http://localhost:8080");
    assert_eq!(config.database_url.expose(), "sqlite:///srv/playout/playout.db");
    assert_eq!(config.storage_url, "file:///srv/playout/media");
    assert_eq!(
        (config.default_plan.as_str(), config.log.as_str()),
        ("unlimited", "info")
    );
    assert!(config.tiktok.is_none(), "connecting is off");
    assert!(
        config.llm.is_none() && config.composite_credits == 0,
        "no model, and slides are free"
    );
    assert_eq!(config.rate_limit.unwrap().to_string(), "120/60s;burst=60");
    assert_eq!(load(&[("rate_limit", "off")]).rate_limit, None);
    assert_eq!(config.workspaces_per_user, 5);
    assert!(!config.log_json && config.secret_keys.0.is_empty() && config.failpoint.is_none());
    assert!(load(&[]).data_dir.is_absolute());
}

#[test]
fn a_bad_value_names_its_setting_and_where_it_was_set() {
    for (name, value) in [
        ("listen", "nowhere"),
        ("listen", "127.0.0.1:99999"),
        ("base_url", "ftp://playout.example"),
        ("base_url", "playout.example"),
        ("secret_key", "c2hvcnQ="),
        ("secret_key", "not base64!"),
        ("default_plan", "golden"),
        ("plans_file", "/nowhere/plans.toml"),
        ("log_format", "xml"),
        ("log", "info,[["),
        ("worker_concurrency", "many"),
        ("worker_concurrency", "0"),
        ("rate_limit", "many"),
        ("rate_limit", "120/60s;burst=0"),
        ("composite_credits", "-1"),
        ("composite_credits", "a few"),
    ] {
        let error = Config::load(&flags(&[(name, value)])).unwrap_err().to_string();
        assert!(
            error.starts_with(name) && error.contains("flag"),
            "{name}={value}: {error}"
        );
    }
    let app = [("tiktok_client_key", "app"), ("tiktok_client_secret", "secret")];
    for (name, value) in [
        ("tiktok_transfer", "pigeon"),
        ("tiktok_rate_limits", "maybe"),
        ("tiktok_api_url", "nowhere"),
        ("tiktok_auth_url", "file:///etc"),
    ] {
        let settings = [app[0], app[1], (name, value)];
        let error = Config::load(&flags(&settings)).unwrap_err().to_string();
        assert!(error.starts_with(name), "{name}={value}: {error}");
    }
    let model = [("llm_url", "http://localhost:11434/v1"), ("llm_model", "kite-1")];
    for (name, value) in [
        ("llm_url", "localhost"),
        ("llm_model", ""),
        ("llm_timeout_seconds", "0"),
    ] {
        let settings = [model[0], model[1], (name, value)];
        let error = Config::load(&flags(&settings)).unwrap_err().to_string();
        assert!(error.starts_with(name), "{name}={value}: {error}");
    }
    let mut sources = Sources::default();
    sources.env.insert("listen".to_owned(), "nowhere".to_owned());
    let error = Config::load(&sources).unwrap_err().to_string();
    assert!(error.contains("environment"), "{error}");
}

#[test]
fn a_bad_secret_is_not_repeated() {
    let error = Config::load(&flags(&[("secret_key", "hunter2-hunter2")])).unwrap_err();
    assert!(!format!("{error} {error:?}").contains("hunter2"), "{error}");
}

#[test]
fn secrets_are_masked_when_shown() {
    let sources = flags(&[
        ("secret_key", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="),
        ("tiktok_client_secret", "hunter2"),
        ("llm_api_key", "hunter2"),
        ("database_url", "postgres://app:hunter2@db.example:5432/playout"),
    ]);
    for name in ["secret_key", "tiktok_client_secret", "llm_api_key"] {
        assert_eq!(shown(&sources, name), ("********".to_owned(), "a flag"));
    }
    let (database, _) = shown(&sources, "database_url");
    assert!(
        database.contains("app:") && database.contains("db.example") && !database.contains("hunter2"),
        "{database}"
    );
    assert_eq!(shown(&sources, "listen").1, "the default");
    assert_eq!(
        shown(&Sources::default(), "tiktok_client_secret").0,
        "",
        "an unset secret is not masked"
    );
}

#[test]
fn no_secret_shows_in_debug() {
    let config = load(&[
        ("secret_key", "KioqKioqKioqKioqKioqKioqKioqKioqKioqKioqKio="),
        ("tiktok_client_key", "app"),
        ("tiktok_client_secret", "hunter2"),
        ("llm_api_key", "hunter2"),
        ("database_url", "postgres://app:hunter2@db.example/playout"),
    ]);
    let text = format!("{config:?}");
    assert!(!text.contains("hunter2") && !text.contains("42, 42"), "{text}");
}

#[test]
fn several_keys_rotate() {
    let keys = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=, AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=";
    assert_eq!(load(&[("secret_key", keys)]).secret_keys.0.len(), 2);
}

#[test]
fn the_base_url_loses_its_trailing_slash() {
    for (given, kept) in [
        ("https://playout.example/", "https://playout.example"),
        ("https://example.com/playout/", "https://example.com/playout"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
    ] {
        assert_eq!(load(&[("base_url", given)]).base_url, kept);
    }
}

#[test]
fn the_providers_addresses_are_taken_each_by_itself() {
    let app = [("tiktok_client_key", "app"), ("tiktok_client_secret", "secret")];
    let tiktok = |name, value| load(&[app[0], app[1], (name, value)]).tiktok.unwrap();
    let login = tiktok("tiktok_auth_url", "http://127.0.0.1:9100");
    assert_eq!(login.auth_url.as_str(), "http://127.0.0.1:9100/");
    assert_eq!(login.api_url.as_str(), "https://open.tiktokapis.com/");
    let api = tiktok("tiktok_api_url", "http://127.0.0.1:9100");
    assert_eq!(api.auth_url.as_str(), "https://www.tiktok.com/");
    assert_eq!(api.api_url.as_str(), "http://127.0.0.1:9100/");
}

#[test]
fn plans_come_from_a_file() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(
        &file,
        "[plans.unlimited]\n[plans.club]\nposts_per_month = 7\nstorage_bytes = 1_000\n",
    )
    .unwrap();
    let path = file.path().to_str().unwrap();
    let config = load(&[("plans_file", path), ("default_plan", "club")]);
    let club = config.plans.find("club").unwrap();
    assert_eq!(
        (club.posts_per_month, club.storage_bytes, club.max_video_bytes),
        (Some(7), Some(1000), None)
    );
    assert!(config.plans.find("free").is_none());
    for (text, wrong) in [("posts = 7", "posts"), ("rate_limit = \"fast\"", "calls/window")] {
        std::fs::write(&file, format!("[plans.club]\n{text}\n")).unwrap();
        let error = Config::load(&flags(&[("plans_file", path)]))
            .unwrap_err()
            .to_string();
        assert!(
            error.starts_with("plans_file") && error.contains(wrong),
            "{error}"
        );
    }
}

#[test]
fn mail_has_a_sender_and_the_password_of_its_server_is_not_repeated() {
    let url = "smtps://user:hunter2@mail.example.org";
    let sender = |settings: &[(&str, &str)]| format!("{:?}", load(settings).mailer);
    let default = sender(&[("smtp_url", url), ("base_url", "https://a.example")]);
    assert!(default.contains("playout@a.example"), "{default}");
    let own = sender(&[("smtp_url", url), ("mail_from", "Kites <a@example.org>")]);
    assert!(own.contains("a@example.org") && !own.contains("hunter2"), "{own}");
    for (settings, name) in [
        ([("smtp_url", url), ("mail_from", "nobody")], "mail_from"),
        (
            [
                ("smtp_url", "ftp://user:hunter2@host"),
                ("mail_from", "a@example.org"),
            ],
            "smtp_url",
        ),
    ] {
        let error = Config::load(&flags(&settings)).unwrap_err().to_string();
        assert!(error.starts_with(name) && !error.contains("hunter2"), "{error}");
    }
    assert_eq!(shown(&flags(&[("smtp_url", url)]), "smtp_url").0, "********");
}

#[test]
fn exempts_loopback_and_trusted_proxies_from_the_limit_of_connections_unless_told_otherwise() {
    let exempt = |settings: &[(&str, &str)]| -> Vec<String> {
        let exempt = load(settings).connections_exempt;
        exempt.iter().map(ToString::to_string).collect()
    };
    assert_eq!(exempt(&[]), ["127.0.0.0/8", "::1/128"]);
    assert_eq!(
        exempt(&[("trusted_proxies", "10.0.0.0/8")]),
        ["127.0.0.0/8", "::1/128", "10.0.0.0/8"]
    );
    assert_eq!(
        exempt(&[
            ("trusted_proxies", "10.0.0.0/8"),
            ("connections_exempt", "192.0.2.7")
        ]),
        ["192.0.2.7/32"]
    );
    assert_eq!(exempt(&[("connections_exempt", "none")]), Vec::<String>::new());
    let config = load(&[]);
    assert_eq!(
        (config.max_connections, config.connections_per_address),
        (4096, 128)
    );
    for name in ["max_connections", "connections_per_address"] {
        assert!(Config::load(&flags(&[(name, "0")])).is_err(), "{name}");
    }
}
