//! Invitations: made by members, accepted by whom they are for.

use std::sync::Arc;
use std::time::Duration;

use playout_domain::audit::Actor;
use playout_domain::error::{Code, Issue, Refusal};
use playout_domain::id::{InvitationId, UserId, WorkspaceId};
use playout_domain::people::Invitation;
use playout_domain::secret::Secret;
use playout_domain::workspace::{Role, User, Workspace};
use playout_store::{AcceptInvitation, By, CreateInvitation};
use playout_wire::organizations::Invite;

use super::organizations::role_too_low;
use super::sessions::hash_of;
use super::{App, AppError};
use crate::chance;
use crate::mail::Mail;

/// How long an invitation can be accepted.
const INVITATION_LASTS: Duration = Duration::from_secs(7 * 24 * 3600);

impl App {
    /// Invites somebody; the token is shown this once. An earlier invitation for the same address ends.
    pub async fn invite(
        &self,
        workspace: WorkspaceId,
        by: By<'_>,
        request: Invite,
    ) -> Result<(Invitation, Secret), AppError> {
        if !by.role.manages(request.role) {
            return Err(role_too_low().into());
        }
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
        let new = (&invitation, hash_of(&token));
        match self
            .store
            .create_invitation(workspace, new, by.actor, now)
            .await?
        {
            CreateInvitation::Created => Ok((invitation, token)),
            CreateInvitation::MemberAlready => {
                let issue = Issue::field("email", "is the address of a member");
                Err(Refusal::invalid(vec![issue]).into())
            }
        }
    }

    /// Mails an invitation to whom it is for.
    pub fn mail_invitation(self: &Arc<Self>, workspace: &Workspace, invitation: &Invitation, token: &Secret) {
        let text = format!(
            "You are invited to the workspace {:?} of Playout.\n\n{}/accept-invitation?token={}\n\n\
             The link works once, for a week, for {}.\n",
            workspace.name,
            self.config.base_url,
            token.expose(),
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
        let found = self.store.find_invitation(hash_of(token), self.now()).await?;
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
        actor: &Actor,
    ) -> Result<(), AppError> {
        let revoked = self
            .store
            .revoke_invitation(workspace, id, actor, self.now())
            .await?;
        match revoked {
            true => Ok(()),
            false => Err(no_invitation().into()),
        }
    }

    /// Makes somebody a member of the workspace that invited them.
    pub async fn accept_invitation(
        &self,
        token: &Secret,
        user: &User,
        actor: &Actor,
    ) -> Result<(Workspace, Role), AppError> {
        match self
            .store
            .accept_invitation(hash_of(token), user, actor, self.now())
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
