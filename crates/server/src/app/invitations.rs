//! Invitations: created by members, accepted by their recipients.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use playout_domain::audit::Actor;
use playout_domain::error::{Code, Issue, IssueCode, Refusal};
use playout_domain::id::{InvitationId, UserId, WorkspaceId};
use playout_domain::people::Invitation;
use playout_domain::rate::Rate;
use playout_domain::secret::Secret;
use playout_domain::text::quoted_name;
use playout_domain::workspace::{Role, User, Workspace};
use playout_store::{
    AcceptInvitation, By, CreateInvitation, InvitationLimits, InvitationToken, NewInvitation, Unchanged,
};
use playout_wire::organizations::Invite;

use super::opaque_token::hash_of;
use super::refusals::{role_too_low, too_many};
use super::throttle::MAILS;
use super::{App, AppError};
use crate::chance;
use crate::mail::Mail;

/// The characters of a token without the proof that it was mailed: 32 bytes in hexadecimal.
const TOKEN_CHARS: usize = 64;
/// How long an invitation can be accepted.
const INVITATION_LASTS: Duration = Duration::from_secs(7 * 24 * 3600);

/// How many invitations one person sends: twenty at once, then twenty a day.
static BY_PERSON: LazyLock<Rate> = LazyLock::new(|| {
    "20/86400s;burst=20"
        .parse()
        .expect("a valid rate, as a test checks")
});

/// How many invitations go out for one workspace.
static TO_WORKSPACE: LazyLock<Rate> = LazyLock::new(|| {
    "50/86400s;burst=50"
        .parse()
        .expect("a valid rate, as a test checks")
});

impl App {
    /// Creates an invitation and mails it; the token is returned only here. An earlier invitation for the same address ends.
    pub async fn invite(
        self: &Arc<Self>,
        workspace: &Workspace,
        by: By<'_>,
        request: Invite,
    ) -> Result<(Invitation, Secret), AppError> {
        if !by.role.manages(request.role) {
            return Err(role_too_low().into());
        }
        self.require_verified(by.actor).await?;
        let now = self.now();
        let token = Secret::new(hex::encode(chance::bytes::<32>()));
        let invitation = Invitation {
            id: chance::id(now),
            email: request.email.as_str().to_owned(),
            role: request.role,
            invited_by: by.actor.id.map(UserId),
            created_at: now,
            expires_at: now.plus(INVITATION_LASTS),
        };
        let new = NewInvitation {
            invitation: &invitation,
            hash: hash_of(&token),
            limits: InvitationLimits {
                by_person: *BY_PERSON,
                to_workspace: *TO_WORKSPACE,
                for_address: *MAILS,
            },
        };
        match self.store.create_invitation(workspace.id, new, by, now).await? {
            CreateInvitation::Created => {
                self.mail_invitation(workspace, &invitation, &token);
                Ok((invitation, token))
            }
            CreateInvitation::TooMany(wait) => Err(too_many(
                "Too many invitations by you, to this workspace or for this address.",
                wait,
            )
            .into()),
            CreateInvitation::Forbidden => Err(role_too_low().into()),
            CreateInvitation::MemberAlready => {
                let issue = Issue::field("email", IssueCode::Duplicate.with("is the address of a member"));
                Err(Refusal::invalid(vec![issue]).into())
            }
        }
    }

    /// The page that accepts an invitation.
    pub fn invitation_url(&self, token: &Secret) -> String {
        format!(
            "{}/accept-invitation?token={}",
            self.config.base_url,
            token.expose()
        )
    }

    /// Mails an invitation to its recipient. The workspace's name is the only text in it that the inviter can choose.
    fn mail_invitation(self: &Arc<Self>, workspace: &Workspace, invitation: &Invitation, token: &Secret) {
        let text = format!(
            "You are invited to the workspace {} of Playout.

{}

\
             The link works once, for a week, for {}. If you do not know what this is about, there is nothing to do.
",
            quoted_name(&workspace.name),
            self.invitation_url(&self.mailed_token(token)),
            invitation.email
        );
        self.mail_later(Mail {
            to: invitation.email.clone(),
            subject: "You are invited".to_owned(),
            text,
        });
    }

    /// The invitation of a token, and the name of the workspace it is to.
    pub async fn get_invitation(&self, token: &Secret) -> Result<(Invitation, String), AppError> {
        let hash = self.read_invitation_token(token).hash;
        let found = self.store.find_invitation(hash, self.now()).await?;
        Ok(found.ok_or_else(no_invitation)?)
    }

    /// Who sent an invitation: their name, or their address where they have given none.
    pub async fn find_inviter(&self, invitation: &Invitation) -> Result<Option<String>, AppError> {
        let Some(id) = invitation.invited_by else {
            return Ok(None);
        };
        let found = self.store.find_user(id).await?;
        Ok(found.map(|found| found.user.name.unwrap_or(found.user.email)))
    }

    /// Takes an invitation back.
    pub async fn revoke_invitation(
        &self,
        workspace: WorkspaceId,
        id: InvitationId,
        by: By<'_>,
    ) -> Result<(), AppError> {
        match self
            .store
            .revoke_invitation(workspace, id, by, self.now())
            .await?
        {
            Ok(()) => Ok(()),
            Err(Unchanged::NotFound) => Err(no_invitation().into()),
            Err(Unchanged::Forbidden) => Err(role_too_low().into()),
        }
    }

    /// The token as it is mailed: with a proof that it came from the mail. Accepting with it verifies the address; accepting
    /// with the token that the inviter sees does not.
    fn mailed_token(&self, token: &Secret) -> Secret {
        let proof = hex::encode(self.store.mailed_proof(hash_of(token)));
        Secret::new(format!("{}{proof}", token.expose()))
    }

    /// What a presented token accepts, and whether it came from the mail.
    pub(super) fn read_invitation_token(&self, presented: &Secret) -> InvitationToken {
        if let Some((token, proof)) = presented.expose().split_at_checked(TOKEN_CHARS) {
            let hash = hash_of(&Secret::new(token));
            if proof == hex::encode(self.store.mailed_proof(hash)) {
                return InvitationToken {
                    hash,
                    was_mailed: true,
                };
            }
        }
        InvitationToken {
            hash: hash_of(presented),
            was_mailed: false,
        }
    }

    /// Makes the user a member of the workspace that invited them.
    pub async fn accept_invitation(
        &self,
        token: &Secret,
        user: &User,
        actor: &Actor,
    ) -> Result<(Workspace, Role), AppError> {
        match self
            .store
            .accept_invitation(self.read_invitation_token(token), user, actor, self.now())
            .await?
        {
            AcceptInvitation::Accepted(workspace, role) => Ok((workspace, role)),
            AcceptInvitation::NotFound => Err(no_invitation().into()),
            AcceptInvitation::ForAnother => {
                let message = "This invitation is for another address.";
                Err(Refusal::new(Code::Forbidden, message).into())
            }
        }
    }
}

/// The refusal of an invitation that cannot be accepted.
pub(super) fn no_invitation() -> Refusal {
    let message =
        "There is no such invitation: it was accepted, taken back or has expired, or is for another address.";
    Refusal::new(Code::NotFound, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_sends_twenty_invitations_a_day_and_a_workspace_fifty() {
        assert_eq!((BY_PERSON.quota(), BY_PERSON.window_seconds()), (20, 86_400));
        assert_eq!(
            (TO_WORKSPACE.quota(), TO_WORKSPACE.window_seconds()),
            (50, 86_400)
        );
    }
}
