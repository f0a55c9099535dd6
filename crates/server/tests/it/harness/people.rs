//! People who sign up over HTTP, as tests need them.

use playout_domain::id::WorkspaceId;
use playout_domain::second_factor::TotpSecret;
use playout_domain::time::Time;
use playout_domain::workspace::Role;
use serde_json::{Value, json};

use super::{Answer, Client, Mailbox, TIKTOK, TestApp, secret, token_in};

/// The password of every person.
pub(crate) const PASSWORD: &str = "correct horse battery";

/// Where the second factor is.
pub(crate) const SECOND_FACTOR: &str = "/app/v1/me/second-factor";

/// A person with a session.
#[derive(Clone)]
pub(crate) struct Person {
    pub(crate) id: String,
    pub(crate) email: String,
    /// The workspace that came with signing up.
    pub(crate) workspace: String,
    /// The session's token.
    pub(crate) token: String,
    /// A client with the session, in that workspace.
    pub(crate) api: Client,
}

/// A person whose second factor is on.
pub(crate) struct Protected {
    pub(crate) person: Person,
    pub(crate) app: Authenticator,
    pub(crate) recovery_codes: Vec<String>,
}

/// An app that shows codes.
pub(crate) struct Authenticator(TotpSecret);

impl Authenticator {
    /// An app with the secret of the response to setting up.
    pub(crate) fn of(set_up: &Value) -> Self {
        let secret = set_up["secret"].as_str().unwrap();
        Self(TotpSecret::parse(secret).unwrap())
    }

    /// The code that it shows at that time.
    pub(crate) fn code(&self, at: Time) -> String {
        format!("{:06}", self.0.code_at(at))
    }
}

impl Person {
    /// Deletes the workspace, with the password of every person.
    pub(crate) async fn delete_workspace(&self) -> Answer {
        let path = format!("/app/v1/organizations/{}", self.workspace);
        self.api
            .delete_with(&path, &json!({ "password": PASSWORD }))
            .await
    }

    /// The same session under its new token.
    pub(crate) fn renewed(&self, token: &Value) -> Self {
        let token = token.as_str().unwrap();
        Self {
            api: self.api.with_key(Some(secret(token))),
            token: token.to_owned(),
            ..self.clone()
        }
    }
}

/// The texts of an array.
pub(crate) fn texts(list: &Value) -> Vec<String> {
    let items = list.as_array().unwrap().iter();
    items.map(|item| item.as_str().unwrap().to_owned()).collect()
}

impl TestApp {
    /// A client without key or session.
    pub(crate) fn nobody(&self) -> Client {
        self.api.with_key(None)
    }

    /// A new person, who owns a workspace.
    pub(crate) async fn sign_up(&self, email: &str) -> Person {
        let body = json!({ "email": email, "password": PASSWORD });
        let begun = self.nobody().post("/app/v1/auth/sign-up", &body).await.ok();
        self.person(&begun)
    }

    /// A new person who has used the link that was mailed to verify their address.
    pub(crate) async fn sign_up_verified(&self, mailbox: &mut Mailbox, email: &str) -> Person {
        let person = self.sign_up(email).await;
        let token = json!({ "token": token_in(&mailbox.next().await) });
        let verified = self.nobody().post("/app/v1/auth/verify-email", &token).await;
        assert_eq!(verified.status, 204);
        person
    }

    /// The response to signing in with the password of every person.
    pub(crate) async fn sign_in(&self, email: &str) -> Answer {
        let body = json!({ "email": email, "password": PASSWORD });
        self.nobody().post("/app/v1/auth/sign-in", &body).await
    }

    /// The same with a code of an app, or a recovery code.
    pub(crate) async fn sign_in_with(&self, email: &str, code: &str) -> Answer {
        let body = json!({ "email": email, "password": PASSWORD, "code": code });
        self.nobody().post("/app/v1/auth/sign-in", &body).await
    }

    /// A new person whose second factor is on. Turning it on used up the current code.
    pub(crate) async fn sign_up_protected(&self, email: &str) -> Protected {
        let person = self.sign_up(email).await;
        self.protect(person).await
    }

    /// Turns a person's second factor on.
    pub(crate) async fn protect(&self, person: Person) -> Protected {
        let set_up = person
            .api
            .post(SECOND_FACTOR, &json!({ "password": PASSWORD }))
            .await
            .ok();
        let app = Authenticator::of(&set_up);
        let confirm = json!({ "code": app.code(self.now()) });
        let confirmed = person
            .api
            .post(&format!("{SECOND_FACTOR}/confirm"), &confirm)
            .await
            .ok();
        Protected {
            person: person.renewed(&confirmed["token"]),
            app,
            recovery_codes: texts(&confirmed["recoveryCodes"]),
        }
    }

    /// The person of a response that begins a session.
    pub(crate) fn person(&self, begun: &Value) -> Person {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let (token, workspace) = (text(&begun["token"]), text(&begun["organizations"][0]["id"]));
        Person {
            id: text(&begun["user"]["id"]),
            email: text(&begun["user"]["email"]),
            api: self.api.with_key(Some(secret(&token))).in_workspace(&workspace),
            workspace,
            token,
        }
    }

    /// A new person, who has this role in the workspace of `owner`, and acts in it.
    pub(crate) async fn colleague(&self, owner: &Person, role: Role, email: &str) -> Person {
        let person = self.sign_up(email).await;
        let (workspace, user) = (owner.workspace.parse().unwrap(), person.id.parse().unwrap());
        self.app
            .store
            .add_member(workspace, user, role, self.now())
            .await
            .unwrap();
        Person {
            api: person.api.in_workspace(&owner.workspace),
            workspace: owner.workspace.clone(),
            ..person
        }
    }

    /// Connects an account to another workspace than the test's own, as a person would; returns the platform's ID.
    pub(crate) async fn connect_in(&self, workspace: WorkspaceId, username: &str) -> String {
        let url = self.app.start_connecting(workspace, TIKTOK).await.unwrap();
        let back = self
            .sim
            .approve(&url, username, &[])
            .expect("the provider shows an error page");
        let to = self.api.follow(&back).await.header("location").to_owned();
        let (_, id) = to
            .split_once("connected=")
            .unwrap_or_else(|| panic!("connecting led to {to}"));
        id.to_owned()
    }

    /// The number of requests to the provider to revoke a grant.
    pub(crate) fn revocations(&self) -> usize {
        let journal = self.sim.journal();
        journal
            .iter()
            .filter(|entry| entry.path == "/v2/oauth/revoke/")
            .count()
    }
}

impl TestApp {
    /// Begins to connect an account as `person`, through the API; the provider's page.
    pub(crate) async fn begin_connecting(&self, person: &Person) -> String {
        let body = json!({ "provider": "tiktok" });
        let begun = person.api.post("/app/v1/platforms/connect", &body).await.ok();
        begun["authorizationUrl"].as_str().unwrap().to_owned()
    }

    /// Comes back from the provider in a browser with the session of this token, or with none; where that leads, without
    /// this service's address.
    pub(crate) async fn come_back(&self, token: Option<&str>, back: &str) -> String {
        let path = back
            .strip_prefix(&self.app.config.base_url)
            .expect("our own callback");
        let mut browser = match token {
            Some(token) => self.browser_of(token),
            None => self.browser(),
        };
        let to = browser.open(path).await.leads_to().to_owned();
        to.strip_prefix(&self.app.config.base_url).unwrap().to_owned()
    }

    /// Connects an account as `person` does, granting `scopes` (none: all that are requested); returns where that leads.
    pub(crate) async fn connect_as(&self, person: &Person, username: &str, scopes: &[&str]) -> String {
        let url = self.begin_connecting(person).await;
        let back = self
            .sim
            .approve(&url, username, scopes)
            .expect("the provider shows an error page");
        self.come_back(Some(&person.token), &back).await
    }

    /// Connects an account as `person` does; the platform's ID.
    pub(crate) async fn connected_as(&self, person: &Person, username: &str) -> String {
        let to = self.connect_as(person, username, &[]).await;
        let (_, id) = to
            .split_once("connected=")
            .unwrap_or_else(|| panic!("connecting led to {to}"));
        id.to_owned()
    }
}

impl Person {
    /// All accounts of their workspace.
    pub(crate) async fn accounts(&self) -> Vec<Value> {
        let list = self.api.get("/app/v1/platforms?all=true").await.ok();
        list["platforms"].as_array().unwrap().clone()
    }

    /// What was done in their workspace, newest first.
    pub(crate) async fn trail(&self) -> Vec<Value> {
        let trail = self.api.get("/app/v1/audit").await.ok();
        trail["entries"].as_array().unwrap().clone()
    }
}
