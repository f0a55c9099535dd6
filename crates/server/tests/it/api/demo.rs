//! `playoutd demo`: what its workspace contains after the first start, and after a second one.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::harness::{Client, Database, Db, Playoutd, SHARED_KEY, eventually, on_both, secret, with_form};

on_both!(the_demo_has_a_month_in_it_and_a_second_start_adds_only_what_it_publishes,);

/// The workspace of every demo.
const WORKSPACE: &str = "01902b54-6c00-7000-8000-00000000de40";

/// A demo that has published its posts. Killed when dropped.
struct Demo {
    child: Child,
    /// With the key that it printed.
    api: Client,
    simulator: String,
    password: String,
}

/// Where a demo is started, the same each time.
struct Place<'a> {
    dir: &'a Path,
    database: &'a Database,
    listen: SocketAddr,
    simulator: SocketAddr,
    /// The public address, if it is chosen.
    base_url: Option<String>,
}

impl<'a> Place<'a> {
    fn new(dir: &'a Path, database: &'a Database) -> Self {
        Self {
            dir,
            database,
            listen: Playoutd::free_address(),
            simulator: Playoutd::free_address(),
            base_url: None,
        }
    }

    /// Starts it and waits until both of its posts are out.
    fn start(&self) -> Demo {
        let mut command = Command::new(env!("CARGO_BIN_EXE_playoutd"));
        command
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("PLAYOUT_LOG", "error")
            .env("PLAYOUT_RATE_LIMIT", "off")
            .env("PLAYOUT_DATABASE_URL", &self.database.url)
            .env("PLAYOUT_SECRET_KEY", SHARED_KEY)
            .current_dir(self.dir)
            .args(["demo", "--listen", &self.listen.to_string()])
            .args(["--simulator-listen", &self.simulator.to_string()])
            .args(self.base_url.iter().flat_map(|url| ["--base-url", url]))
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut told = String::new();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        for line in lines.map(Result::unwrap) {
            told.push_str(&line);
            told.push('\n');
            if line.starts_with("Still serving") {
                break;
            }
        }
        let word_after = |text: &str| {
            let (_, rest) = told
                .split_once(text)
                .unwrap_or_else(|| panic!("no {text}: {told}"));
            rest.split_whitespace().next().unwrap().to_owned()
        };
        let local = format!("http://{}", self.listen);
        let base_url = self.base_url.as_ref().unwrap_or(&local);
        let demo = Demo {
            api: Client::new(&local, Some(secret(&word_after("PLAYOUT_API_KEY=")))),
            simulator: format!("http://{}", self.simulator),
            password: word_after("with the password "),
            child,
        };
        assert_eq!(word_after("export PLAYOUT_API_URL="), *base_url);
        for page in ["/sign-in", "/accounts", "/posts/"] {
            assert!(told.contains(&format!(": {base_url}{page}")), "{page}: {told}");
        }
        assert!(!told.contains("/public/v1/"), "{told}");
        demo
    }
}

impl Demo {
    /// Every post, by its state.
    async fn posts(&self) -> BTreeMap<String, Vec<Value>> {
        let list = self.api.get("/public/v1/posts?limit=100").await.ok();
        assert_eq!(list["nextCursor"], Value::Null);
        let mut by_state: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for post in list["posts"].as_array().unwrap() {
            let state = post["state"].as_str().unwrap().to_owned();
            by_state.entry(state).or_default().push(post.clone());
        }
        by_state
    }

    /// The accounts by handle, in any state.
    async fn platforms(&self) -> BTreeMap<String, Value> {
        let session = self.session().await;
        let list = session.get("/app/v1/platforms?all=true").await.ok();
        let platforms = list["platforms"].as_array().unwrap().iter();
        platforms
            .map(|platform| (text(&platform["displayHandle"]), platform.clone()))
            .collect()
    }

    async fn media(&self) -> Vec<Value> {
        let list = self.api.get("/public/v1/media?limit=100").await.ok();
        list["media"].as_array().unwrap().clone()
    }

    /// A client with the session of the user that the demo names.
    async fn session(&self) -> Client {
        let account = json!({ "email": "demo@example.org", "password": self.password });
        let nobody = self.api.with_key(None);
        let begun = nobody.post("/app/v1/auth/sign-in", &account).await.ok();
        let token = secret(begun["token"].as_str().unwrap());
        nobody.with_key(Some(token)).in_workspace(WORKSPACE)
    }

    /// The workspace's keys and members: what each is called, with the end of the one and the role of the other.
    async fn people(&self) -> (BTreeMap<String, bool>, BTreeMap<String, String>) {
        let session = self.session().await;
        let keys = session.get("/app/v1/keys").await.ok();
        let keys = keys["keys"].as_array().unwrap().iter();
        let members = format!("/app/v1/organizations/{WORKSPACE}/members");
        let members = session.get(&members).await.ok();
        let members = members["members"].as_array().unwrap().iter();
        (
            keys.map(|key| (text(&key["name"]), key["expiresAt"].is_null()))
                .collect(),
            members
                .map(|member| (text(&member["email"]), text(&member["role"])))
                .collect(),
        )
    }

    /// Asserts that the page of every post that is out shows its caption.
    async fn links_answer(&self, published: &[Value]) {
        for post in published {
            let url = text(&post["releaseUrl"]);
            assert!(url.starts_with(&self.simulator), "{post:#}");
            let page = self.api.follow(&url).await;
            let page = String::from_utf8(page.body).unwrap();
            let caption = text(&post["content"]);
            assert!(page.contains(&caption), "{url} does not show {caption:?}");
            assert!(page.contains("/sim/media/"), "{url} shows no picture");
        }
    }

    /// Ends it as Ctrl-C does.
    fn stop(mut self) {
        let pid = self.child.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-INT", &pid])
                .status()
                .unwrap()
                .success()
        );
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        let _already_ended = self.child.kill();
        let _status = self.child.wait();
    }
}

fn text(value: &Value) -> String {
    value
        .as_str()
        .unwrap_or_else(|| panic!("no text: {value}"))
        .to_owned()
}

fn ids<'a>(posts: impl IntoIterator<Item = &'a Value>) -> BTreeSet<String> {
    posts.into_iter().map(|post| text(&post["id"])).collect()
}

/// What the month leaves for a person to do, each with its reason.
async fn the_failures_say_what_to_do(demo: &Demo, posts: &BTreeMap<String, Vec<Value>>) {
    let refused = &posts["ERROR"];
    assert_eq!(refused.len(), 1);
    let reason = text(&refused[0]["errorText"]);
    assert!(
        reason.contains("Create the post again with another text") && reason.ends_with("(spam_risk_text)"),
        "{reason}"
    );
    let attempts = format!("/public/v1/posts/{}/attempts", text(&refused[0]["id"]));
    let attempts = demo.api.get(&attempts).await.ok();
    let attempt = &attempts["attempts"][0];
    assert_eq!(attempt["explanation"]["whoActs"], "user");
    let note = text(&attempt["transferReason"]);
    assert!(note.starts_with("Demo data"), "a made-up attempt says so: {note}");
    let waiting: Vec<String> = posts["ACTION_REQUIRED"]
        .iter()
        .map(|post| text(&post["errorText"]))
        .collect();
    assert_eq!(waiting.len(), 2);
    assert!(
        waiting.iter().any(|reason| reason.contains("creator's inbox")),
        "{waiting:?}"
    );
    assert!(
        waiting
            .iter()
            .any(|reason| reason.contains("Reconnect the account")),
        "{waiting:?}"
    );
}

/// What is scheduled would be taken, if it were created now.
async fn what_is_scheduled_is_fit_to_go_out(demo: &Demo, scheduled: &[Value]) {
    let gone = text(&demo.platforms().await["tidegarden"]["id"]);
    for post in scheduled
        .iter()
        .filter(|post| post["integrationId"] != gone.as_str())
    {
        let draft = json!({
            "platformIds": [post["integrationId"]],
            "content": post["content"],
            "mode": "schedule",
            "scheduledFor": post["scheduledFor"],
            "mediaIds": post["mediaIds"],
            "settings": post["settings"],
        });
        let judged = demo.api.post("/public/v1/posts/validate", &draft).await.ok();
        assert_eq!(judged["results"][0]["status"], "valid", "{post:#}{judged:#}");
    }
}

async fn accounts_files_and_people_are_there(
    demo: &Demo,
    platforms: &BTreeMap<String, Value>,
    media: &[Value],
) {
    let dead: Vec<&String> = platforms
        .iter()
        .filter(|(_, platform)| platform["refreshNeeded"] == true)
        .map(|(name, _)| name)
        .collect();
    assert_eq!(platforms.len(), 4);
    assert_eq!(dead, ["tidegarden"]);
    let folders = demo.api.get("/public/v1/media/folders").await.ok();
    let names: Vec<String> = folders["folders"]
        .as_array()
        .unwrap()
        .iter()
        .map(|folder| text(&folder["name"]))
        .collect();
    assert_eq!(names, ["Bakery", "Kite festival"]);
    let filed = media
        .iter()
        .filter(|medium| medium["folderId"].is_string())
        .count();
    assert_eq!((media.len(), filed), (15 + 7, 9));
    let (keys, members) = demo.people().await;
    assert_eq!(
        keys.into_iter().collect::<Vec<_>>(),
        [
            ("CI".to_owned(), true),
            ("Demo".to_owned(), true),
            ("Kite festival stand".to_owned(), false),
        ]
    );
    assert_eq!(members.values().collect::<Vec<_>>(), ["owner", "admin", "member"]);
}

async fn the_demo_has_a_month_in_it_and_a_second_start_adds_only_what_it_publishes(db: Db) {
    let dir = tempfile::tempdir().unwrap();
    let database = Database::create(db, dir.path()).await;
    let place = Place::new(dir.path(), &database);
    let demo = place.start();

    let posts = demo.posts().await;
    let count = |state: &str| posts[state].len();
    assert_eq!(
        posts.values().flatten().count(),
        62,
        "sixty, and the two that it published itself"
    );
    assert_eq!(
        (count("DRAFT"), count("ERROR"), count("ACTION_REQUIRED")),
        (4, 1, 2)
    );
    assert!((30..=33).contains(&count("PUBLISHED")), "{}", count("PUBLISHED"));
    assert!((22..=25).contains(&count("QUEUE")), "{}", count("QUEUE"));
    demo.links_answer(&posts["PUBLISHED"]).await;
    the_failures_say_what_to_do(&demo, &posts).await;
    what_is_scheduled_is_fit_to_go_out(&demo, &posts["QUEUE"]).await;

    let (platforms, media) = (demo.platforms().await, demo.media().await);
    accounts_files_and_people_are_there(&demo, &platforms, &media).await;
    let printed = (demo.api.key().to_owned(), demo.password.clone());
    demo.stop();

    let place = Place {
        base_url: Some(format!("http://localhost:{}", place.listen.port())),
        ..place
    };
    let demo = place.start();
    assert_eq!((demo.api.key(), &demo.password), (&*printed.0, &printed.1));
    let later = demo.posts().await;
    let (before, after) = (ids(posts.values().flatten()), ids(later.values().flatten()));
    assert!(before.is_subset(&after));
    assert_eq!(
        after.len(),
        before.len() + 2,
        "each start publishes a video and a slideshow"
    );
    assert_eq!(ids(&later["ACTION_REQUIRED"]), ids(&posts["ACTION_REQUIRED"]));
    demo.links_answer(&later["PUBLISHED"]).await;
    assert_eq!(demo.media().await.len(), media.len() + 7);
    let same = |platforms: &BTreeMap<String, Value>| -> Vec<(Value, Value)> {
        platforms
            .values()
            .map(|platform| (platform["id"].clone(), platform["refreshNeeded"].clone()))
            .collect()
    };
    assert_eq!(same(&demo.platforms().await), same(&platforms));
    let (keys, members) = demo.people().await;
    assert_eq!(
        (keys.len(), members.len()),
        (3, 3),
        "the key of the earlier start is that of this one"
    );
}

#[tokio::test]
async fn what_waits_in_the_demos_inbox_can_be_finished_there_also_after_a_second_start() {
    let dir = tempfile::tempdir().unwrap();
    let database = Database::create(Db::Sqlite, dir.path()).await;
    let place = Place::new(dir.path(), &database);
    place.start().stop();
    let demo = place.start();
    let waiting = demo.posts().await.remove("ACTION_REQUIRED").unwrap();
    let post = waiting
        .iter()
        .find(|post| text(&post["errorText"]).contains("inbox"))
        .unwrap();
    let attempts = format!("/public/v1/posts/{}/attempts", text(&post["id"]));
    let attempts = demo.api.get(&attempts).await.ok();
    let handle = text(&attempts["attempts"][0]["publishId"]);
    let inbox = demo.api.at(&demo.simulator);
    let page = inbox.get("/messages/harborbakes").await;
    assert!(String::from_utf8(page.body).unwrap().contains(&handle));
    let fields = [
        ("publish_id", handle.as_str()),
        ("caption", "Now with a song"),
        ("privacy_level", "PUBLIC_TO_EVERYONE"),
    ];
    let finish = inbox.request(reqwest::Method::POST, "/messages/harborbakes");
    assert_eq!(inbox.send(with_form(finish, &fields)).await.status, 303);
    let path = format!("/public/v1/posts/{}", text(&post["id"]));
    let root = async || demo.api.get(&path).await.ok()["root"].take();
    eventually("the finished post is out and has its page", async || {
        let root = root().await;
        root["state"] == "PUBLISHED" && root["releaseUrl"].is_string()
    })
    .await;
    let page = demo.api.follow(&text(&root().await["releaseUrl"])).await;
    assert!(String::from_utf8(page.body).unwrap().contains("Now with a song"));
}
