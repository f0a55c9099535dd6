//! Operations that need a user's session: a key cannot create keys.

use playout_domain::access::Scope;
use playout_domain::secret::Secret;
use playout_domain::time::Time;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use crate::answers::{KeyList, NewKey, Organization, PlatformList, Reply, RevokedKeys, SessionBegun};
use crate::api::{Api, segment};
use crate::error::Error;
use crate::http::{Answer, Http};

/// The credentials of a user.
#[derive(Debug, Clone)]
pub struct Credentials {
    /// Their address.
    pub email: String,
    /// Their password.
    pub password: Secret,
    /// A code of their second factor, or a recovery code.
    pub code: Option<String>,
}

/// A key to create.
#[derive(Debug, Clone, Default)]
pub struct CreateKey {
    /// Its name.
    pub name: String,
    /// What it may do; empty: everything.
    pub scopes: Vec<Scope>,
    /// The IDs of the accounts that it sees; empty: all.
    pub platform_ids: Vec<String>,
    /// When it expires.
    pub expires_at: Option<Time>,
}

impl CreateKey {
    fn to_json(&self) -> Value {
        let mut body = json!({ "name": self.name, "expiresAt": self.expires_at });
        if !self.scopes.is_empty() {
            let scopes = self.scopes.iter().map(|scope| scope.as_str());
            body["scopes"] = scopes.collect();
        }
        if !self.platform_ids.is_empty() {
            body["platformIds"] = json!(self.platform_ids);
        }
        body
    }
}

/// A signed-in user. The session lasts until [`Person::sign_out`], or 30 days.
#[derive(Debug, Clone)]
pub struct Person {
    http: Http,
    /// The user's workspaces.
    pub organizations: Vec<Organization>,
}

impl Api {
    /// `POST /app/v1/auth/sign-in`
    ///
    /// # Errors
    /// `invalid_credentials`, `second_factor_required`, and those of every operation.
    pub async fn sign_in(&self, credentials: &Credentials) -> Result<Person, Error> {
        let mut body = json!({ "email": credentials.email, "password": credentials.password.expose() });
        if let Some(code) = &credentials.code {
            body["code"] = json!(code);
        }
        let anonymous = self.http.with_token(None);
        let build = async || -> Result<RequestBuilder, Error> {
            Ok(anonymous
                .request(Method::POST, "/app/v1/auth/sign-in")
                .json(&body))
        };
        let answer = anonymous.send(false, build).await?;
        let begun: SessionBegun = Reply::read(answer.json()?)?.value;
        Ok(Person {
            http: anonymous.with_token(Some(Secret::new(begun.token))),
            organizations: begun.organizations,
        })
    }
}

impl Person {
    /// `GET /app/v1/keys`
    ///
    /// # Errors
    /// `forbidden` for users who are not admins there, and those of every operation.
    pub async fn keys(&self, workspace: &str) -> Result<Reply<KeyList>, Error> {
        let answer = self.call(workspace, Method::GET, "/keys", None).await?;
        Reply::read(answer.json()?)
    }

    /// `POST /app/v1/keys`
    ///
    /// # Errors
    /// Those of [`Person::keys`].
    pub async fn create_key(&self, workspace: &str, key: &CreateKey) -> Result<Reply<NewKey>, Error> {
        let body = key.to_json();
        let answer = self.call(workspace, Method::POST, "/keys", Some(&body)).await?;
        Reply::read(answer.json()?)
    }

    /// `DELETE /app/v1/keys/{id}`
    ///
    /// # Errors
    /// Those of [`Person::keys`].
    pub async fn revoke_key(&self, workspace: &str, id: &str) -> Result<(), Error> {
        let path = format!("/keys/{}", segment(id));
        self.call(workspace, Method::DELETE, &path, None).await.map(drop)
    }

    /// `DELETE /app/v1/keys`: all keys of the workspace.
    ///
    /// # Errors
    /// Those of [`Person::keys`].
    pub async fn revoke_all_keys(&self, workspace: &str) -> Result<Reply<RevokedKeys>, Error> {
        let answer = self.call(workspace, Method::DELETE, "/keys", None).await?;
        Reply::read(answer.json()?)
    }

    /// `GET /app/v1/platforms?all=true`: also the accounts that are disabled or must be connected again.
    ///
    /// # Errors
    /// Those of every operation.
    pub async fn platforms(&self, workspace: &str) -> Result<Reply<PlatformList>, Error> {
        let path = "/platforms?all=true";
        let answer = self.call(workspace, Method::GET, path, None).await?;
        Reply::read(answer.json()?)
    }

    /// `POST /app/v1/auth/sign-out`
    ///
    /// # Errors
    /// Those of every operation.
    pub async fn sign_out(&self) -> Result<(), Error> {
        let build = async || Ok(self.http.request(Method::POST, "/app/v1/auth/sign-out"));
        self.http.send(false, build).await.map(drop)
    }

    async fn call(
        &self,
        workspace: &str,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Answer, Error> {
        let build = async || -> Result<RequestBuilder, Error> {
            let request = self.http.request(method.clone(), &format!("/app/v1{path}"));
            let request = request.header("x-organization-id", workspace);
            Ok(match body {
                Some(body) => request.json(body),
                None => request,
            })
        };
        self.http.send(method == Method::GET, build).await
    }
}
