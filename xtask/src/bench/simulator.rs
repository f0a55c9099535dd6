//! The provider's simulator as a process of its own, turned and read over its control API (`docs/simulator.md`).

use std::net::SocketAddr;

use serde_json::{Value, json};

use super::app::SCOPES;
use super::http::{Connection, Request};
use super::process::Process;
use super::world::World;
use crate::failure::{Failure, Outcome};
use crate::machine::free_port;

/// A running simulator.
#[derive(Debug)]
pub struct Simulator {
    address: SocketAddr,
    control: Control,
    _process: Process,
}

/// A connection to its control API.
#[derive(Debug)]
pub struct Control(Connection);

impl Simulator {
    /// Starts one that knows no rate limits, processes at once and forgets the bytes.
    ///
    /// # Errors
    /// When it does not start or does not know these knobs.
    pub fn start(world: &World) -> Outcome<Self> {
        let address = SocketAddr::from(([127, 0, 0, 1], free_port()?));
        let mut command = world.simulator();
        command.args(["--listen", &address.to_string()]);
        let mut process = Process::start(&mut command, &world.path("simulator.log"))?;
        process.wait_for(address, "/")?;
        let mut simulator = Self {
            address,
            control: Control::open(address)?,
            _process: process,
        };
        let knobs = json!({
            "rateLimits": false, "processingMs": 0, "moderationMs": 0, "keepMedia": false, "journalLimit": 1_000_000
        });
        simulator.ask("PATCH", "/sim/knobs", &knobs)?;
        Ok(simulator)
    }

    /// Its address, for `PLAYOUT_TIKTOK_API_URL`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Makes an account that may post without end and grants it to the app; the account as `bench-seed` takes it.
    ///
    /// # Errors
    /// When the simulator refuses.
    pub fn account(&mut self, number: usize) -> Outcome<Value> {
        let username = self.stranger(number)?;
        let path = format!("/sim/accounts/bench-{number:03}/grant");
        let tokens = self.ask(
            "POST",
            &path,
            &json!({ "scopes": SCOPES.split(',').collect::<Vec<_>>() }),
        )?;
        Ok(json!({
            "openId": format!("bench-{number:03}"),
            "username": username,
            "displayName": format!("Bench {number:03}"),
            "accessToken": tokens["accessToken"],
            "refreshToken": tokens["refreshToken"],
            "scopes": SCOPES,
        }))
    }

    /// Makes an account without a post cap that has granted nothing; returns its username.
    ///
    /// # Errors
    /// When the simulator refuses.
    pub fn stranger(&mut self, number: usize) -> Outcome<String> {
        let username = format!("bench{number:03}");
        let account =
            json!({ "username": username, "openId": format!("bench-{number:03}"), "postCap": null });
        self.ask("POST", "/sim/accounts", &account)?;
        Ok(username)
    }

    /// Every post that went out so far.
    ///
    /// # Errors
    /// When the simulator does not answer.
    pub fn publications(&mut self) -> Outcome<Vec<Value>> {
        self.ask("GET", "/sim/publications", &Value::Null).and_then(list)
    }

    /// Every request that came so far, in order.
    ///
    /// # Errors
    /// When the simulator does not answer.
    pub fn journal(&mut self) -> Outcome<Vec<Value>> {
        self.ask("GET", "/sim/journal", &Value::Null).and_then(list)
    }

    /// Its control API, asked over the connection that this simulator keeps.
    ///
    /// # Errors
    /// When it refuses or does not answer.
    pub fn ask(&mut self, method: &str, path: &str, body: &Value) -> Outcome<Value> {
        self.control.ask(method, path, body)
    }

    /// Another connection to its control API.
    ///
    /// # Errors
    /// When it does not listen.
    pub fn control(&self) -> Outcome<Control> {
        Control::open(self.address)
    }
}

impl Control {
    fn open(address: SocketAddr) -> Outcome<Self> {
        Connection::open(address, "").map(Self)
    }

    /// Asks the control API; `body` null: without one.
    ///
    /// # Errors
    /// When it refuses or does not answer.
    pub fn ask(&mut self, method: &str, path: &str, body: &Value) -> Outcome<Value> {
        let json = if body.is_null() {
            String::new()
        } else {
            body.to_string()
        };
        let answer = self.0.send(Request {
            method,
            path,
            json: &json,
        })?;
        match answer.status {
            204 => Ok(Value::Null),
            200 | 201 => answer.json(answer.status),
            status => Err(Failure::new(format!(
                "simulator: {method} {path}: {status} {}",
                answer.text()
            ))),
        }
    }
}

fn list(answer: Value) -> Outcome<Vec<Value>> {
    match answer {
        Value::Array(values) => Ok(values),
        other => Err(Failure::new(format!(
            "the simulator answers {other} instead of a list"
        ))),
    }
}
