//! Device authorizations (RFC 8628, `docs/contract.md#device-authorization`): a program asks, a person decides in a
//! browser, the program gets a key.

use std::net::IpAddr;

use playout_domain::access::Scopes;
use playout_domain::audit::Actor;
use playout_domain::device::{Grant, LIFETIME, PendingDevice, UserCode};
use playout_domain::error::{Code, Issue, IssueCode, Refusal};
use playout_domain::id::{DeviceId, WorkspaceId};
use playout_domain::secret::Secret;
use playout_domain::workspace::User;
use playout_store::{
    ApproveDevice, AskDevice, FoundDevice, KeyToBe, NewDevice, PollDevice as Polled, TriedCode,
};
use playout_wire::devices::{PollDevice, StartDevice};
use playout_wire::keys::GrantFields;

use super::opaque_token::hash_of;
use super::refusals::{too_many, too_many_keys};
use super::{App, AppError};
use crate::chance;

/// A device authorization that has just begun.
pub struct Started {
    /// The client's secret. Shown this once.
    pub device_code: Secret,
    /// What the person compares or types.
    pub user_code: UserCode,
}

/// What a poll comes to.
pub enum Answer {
    /// No one has decided yet.
    Pending,
    /// It came too early.
    SlowDown,
    /// A person refused.
    Denied,
    /// There is nothing any more, or never was.
    Expired,
    /// The code is another client's.
    OtherClient,
    /// The key, this once.
    Key(Secret, Grant),
}

impl App {
    /// Gives a client its codes. Neither is stored, but for a hash.
    pub async fn start_device(
        &self,
        request: StartDevice,
        asked: Scopes,
        from: Option<IpAddr>,
    ) -> Result<Started, AppError> {
        let now = self.now();
        let device_code = Secret::new(hex::encode(chance::bytes::<32>()));
        let mut new = NewDevice {
            id: chance::id(now),
            device_code_hash: hash_of(&device_code),
            user_code: UserCode::make(chance::bytes()),
            client_name: request.client_name,
            client_id: request.client_id,
            client_address: from.map(|address| address.to_string()),
            expires_at: now.plus(LIFETIME),
            asked,
        };
        while !self.store.create_device(&new, now).await? {
            new.user_code = UserCode::make(chance::bytes());
        }
        Ok(Started {
            device_code,
            user_code: new.user_code,
        })
    }

    /// Answers a client that asks. If a person approved, the key is made now, for this one poll.
    pub async fn poll_device(&self, request: &PollDevice) -> Result<Answer, AppError> {
        let fresh = self.fresh_key();
        let ask = AskDevice {
            device_code_hash: hash_of(&request.device_code),
            client_id: request.client_id.clone(),
            key: KeyToBe {
                id: fresh.id,
                hashes: fresh.hashes,
                last_four: fresh.last_four,
            },
        };
        Ok(match self.store.poll_device(&ask, self.now()).await? {
            Polled::Pending => Answer::Pending,
            Polled::SlowDown => Answer::SlowDown,
            Polled::Denied => Answer::Denied,
            Polled::Expired => Answer::Expired,
            Polled::OtherClient => Answer::OtherClient,
            Polled::Approved(grant) => Answer::Key(fresh.key, grant),
        })
    }

    /// The device that waits for the code that a person typed, and the code as it is shown. Wrong codes are counted.
    pub async fn get_device(&self, user: &User, typed: &str) -> Result<(UserCode, PendingDevice), AppError> {
        let code = UserCode::parse(typed);
        match (
            self.store.try_code(user.id, code.as_ref(), self.now()).await?,
            code,
        ) {
            (TriedCode::Found(FoundDevice::Pending(device)), Some(code)) => Ok((code, device)),
            (TriedCode::Found(_), _) => Err(no_such_code().into()),
            (TriedCode::TooMany(wait), _) => Err(too_many("Too many wrong codes.", wait).into()),
        }
    }

    /// Lets the client behind a code into a workspace, in the name of one of its people, who may grant less than it asks for.
    pub async fn approve_device(
        &self,
        workspace: WorkspaceId,
        device: &PendingDevice,
        fields: &GrantFields,
        actor: &Actor,
    ) -> Result<(), AppError> {
        if !device.asked.cover(fields.scopes.unwrap_or(Scopes::NONE)) {
            let message = format!(
                "must be among those that the program asks for: {}",
                device.asked.words()
            );
            let issue = Issue::field("scopes", IssueCode::Conflict.with(message));
            return Err(Refusal::invalid(vec![issue]).into());
        }
        let grant = Grant {
            access: fields.access(device.asked),
            until: fields.expires_at,
        };
        if grant.access.scopes == Scopes::NONE {
            let message = "leave nothing that the key may do: webhooks do not go together with platformIds";
            let issue = Issue::field("platformIds", IssueCode::Conflict.with(message));
            return Err(Refusal::invalid(vec![issue]).into());
        }
        self.require_verified(actor).await?;
        self.check_accounts(workspace, fields).await?;
        let approved = self
            .store
            .approve_device(workspace, device.id, &grant, actor, self.now());
        match approved.await? {
            ApproveDevice::Approved => Ok(()),
            ApproveDevice::NotFound => Err(no_such_code().into()),
            ApproveDevice::TooManyKeys => Err(too_many_keys().into()),
        }
    }

    /// Refuses the client behind a code.
    pub async fn deny_device(&self, device: DeviceId) -> Result<(), AppError> {
        decided(self.store.deny_device(device, self.now()).await?)
    }

    /// The page on which people enter their code.
    pub fn device_page(&self) -> String {
        format!("{}/device", self.config.base_url)
    }
}

/// The second decision is rejected (`docs/contract.md#device-decisions`).
fn decided(is_first: bool) -> Result<(), AppError> {
    match is_first {
        true => Ok(()),
        false => Err(no_such_code().into()),
    }
}

fn no_such_code() -> Refusal {
    let message = "This code is wrong, or no longer good. Compare it with the one that the program shows.";
    Refusal::new(Code::DeviceCodeNotFound, message)
}
