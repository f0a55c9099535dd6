//! People come to a workspace: by signing up, and by invitation; what a new password ends.

use playout_domain::id::UserId;
use playout_domain::people::Invitation;
use playout_domain::time::Time;
use playout_domain::workspace::Role;

use super::harness::on_both;
use super::workspaces::{by, invitation, offer, owned};
use super::world::{DAY, NOON, OPERATOR, begin_session, hash, new_user};
use crate::db::new_id;
use crate::{
    AcceptInvitation, Admission, CreateInvitation, InvitationToken, NewAccount, NewCredentials, NewSession,
    NewUser, NewWorkspace, Renewal, SignUp, Store, Unchanged, UpdateUser, UserChanges,
};

on_both!(
    signing_up_is_all_or_nothing,
    an_invitation_is_accepted_once_by_whom_it_is_for,
    a_new_password_ends_the_other_sessions,
);

fn session() -> NewSession {
    NewSession {
        id: new_id(NOON),
        hash: hash(),
        address: Some("192.0.2.7".to_owned()),
        program: None,
    }
}

fn account(email: &str, invitation: Option<[u8; 32]>) -> NewAccount {
    let id: UserId = new_id(NOON);
    let workspace = NewWorkspace {
        id: new_id(NOON),
        name: "Own".to_owned(),
        plan: "free".to_owned(),
        owner: Some(id),
    };
    NewAccount {
        admission: Admission::Anyone,
        user: NewUser {
            id,
            email: email.to_owned(),
            name: None,
            password_hash: "$argon2id$".to_owned(),
        },
        workspace: invitation.is_none().then_some(workspace),
        invitation: invitation.map(|hash| InvitationToken {
            hash,
            was_mailed: false,
        }),
        session: session(),
    }
}

async fn signing_up_is_all_or_nothing(store: Store) {
    let (workspace, _) = owned(&store).await;
    let ada = account("ada@example.org", None);
    let own = ada.workspace.clone().unwrap().id;
    let session = ada.session.hash;
    let SignUp::Done(user) = store.sign_up(ada, OPERATOR, NOON).await.unwrap() else {
        panic!()
    };
    assert_eq!(
        store.find_session(session, NOON).await.unwrap().unwrap().user,
        user
    );
    assert_eq!(store.role_of(own, user.id).await.unwrap(), Some(Role::Owner));
    assert_eq!(
        store
            .sign_up(account("Ada@Example.org", None), OPERATOR, NOON)
            .await
            .unwrap(),
        SignUp::EmailTaken
    );
    let token = hash();
    let invited = invitation("bob@example.org", Role::Admin);
    store
        .create_invitation(workspace, offer(&invited, token), by(Role::Owner), NOON)
        .await
        .unwrap();
    for (email, token, at) in [
        ("bob@example.org", hash(), NOON),
        ("eve@example.org", token, NOON),
        ("bob@example.org", token, NOON.plus(DAY)),
    ] {
        let refused = store
            .sign_up(account(email, Some(token)), OPERATOR, at)
            .await
            .unwrap();
        assert_eq!(refused, SignUp::NotInvited, "{email}");
        assert!(
            store.find_user_by_email(email).await.unwrap().is_none(),
            "{email}"
        );
    }
    let SignUp::Done(bob) = store
        .sign_up(account("bob@example.org", Some(token)), OPERATOR, NOON)
        .await
        .unwrap()
    else {
        panic!()
    };
    assert_eq!(store.role_of(workspace, bob.id).await.unwrap(), Some(Role::Admin));
}

async fn an_invitation_is_accepted_once_by_whom_it_is_for(store: Store) {
    let (workspace, owner) = owned(&store).await;
    let guest = store
        .find_user(new_user(&store).await)
        .await
        .unwrap()
        .unwrap()
        .user;
    let invite = async |invited: &Invitation, token| {
        store
            .create_invitation(workspace, offer(invited, token), by(Role::Owner), NOON)
            .await
            .unwrap()
    };
    let (old, new) = (hash(), hash());
    for token in [old, new] {
        let invited = invitation(&guest.email, Role::Admin);
        assert_eq!(invite(&invited, token).await, CreateInvitation::Created);
    }
    assert_eq!(
        store.list_invitations(workspace, NOON).await.unwrap().len(),
        1,
        "the second replaces the first"
    );
    let accept = async |hash, user, at: Time| {
        store
            .accept_invitation(
                InvitationToken {
                    hash,
                    was_mailed: false,
                },
                user,
                OPERATOR,
                at,
            )
            .await
            .unwrap()
    };
    let owner = store.find_user(owner).await.unwrap().unwrap().user;
    assert_eq!(accept(old, &guest, NOON).await, AcceptInvitation::NotFound);
    assert_eq!(accept(new, &owner, NOON).await, AcceptInvitation::ForAnother);
    assert_eq!(
        accept(new, &guest, NOON.plus(DAY)).await,
        AcceptInvitation::NotFound
    );
    assert!(
        matches!(accept(new, &guest, NOON).await, AcceptInvitation::Accepted(joined, Role::Admin) if joined.id == workspace)
    );
    assert_eq!(accept(new, &guest, NOON).await, AcceptInvitation::NotFound);
    let again = invitation(&guest.email, Role::Member);
    assert_eq!(invite(&again, hash()).await, CreateInvitation::MemberAlready);
    let other = invitation("eve@example.org", Role::Member);
    invite(&other, hash()).await;
    let revoke = async |workspace| {
        store
            .revoke_invitation(workspace, other.id, by(Role::Owner), NOON)
            .await
            .unwrap()
    };
    assert_eq!(revoke(new_id(NOON)).await, Err(Unchanged::NotFound));
    assert_eq!(revoke(workspace).await, Ok(()));
    assert_eq!(revoke(workspace).await, Err(Unchanged::NotFound));
}

async fn a_new_password_ends_the_other_sessions(store: Store) {
    let user = new_user(&store).await;
    let (here, there) = (session(), session());
    for session in [&here, &there] {
        begin_session(&store, session, user, NOON).await;
    }
    let changes = UserChanges {
        name: Some(Some("Ada".to_owned())),
        ..UserChanges::default()
    };
    store.update_user(user, &changes, OPERATOR, NOON).await.unwrap();
    assert!(
        store.find_session(there.hash, NOON).await.unwrap().is_some(),
        "a name ends nothing"
    );
    let renewal = Renewal {
        session: here.id,
        hash: hash(),
    };
    let new = NewCredentials {
        email: None,
        password_hash: Some("$new$".to_owned()),
        renewal,
    };
    let changes = UserChanges {
        credentials: Some(new),
        ..UserChanges::default()
    };
    let UpdateUser::Updated(updated) = store.update_user(user, &changes, OPERATOR, NOON).await.unwrap()
    else {
        panic!()
    };
    assert_eq!(updated.name.as_deref(), Some("Ada"));
    assert_eq!(
        store.find_user(user).await.unwrap().unwrap().password_hash,
        "$new$"
    );
    assert_eq!(
        store.find_session(renewal.hash, NOON).await.unwrap().unwrap().id,
        here.id
    );
    assert!(
        store.find_session(here.hash, NOON).await.unwrap().is_none(),
        "it goes on under another token"
    );
    assert!(store.find_session(there.hash, NOON).await.unwrap().is_none());
    assert_eq!(store.delete_sessions_of(user, OPERATOR, NOON).await.unwrap(), 1);
    let other = new_user(&store).await;
    let new = NewCredentials {
        email: Some(format!("{other}@EXAMPLE.org")),
        password_hash: None,
        renewal,
    };
    let taken = UserChanges {
        credentials: Some(new),
        ..UserChanges::default()
    };
    assert_eq!(
        store.update_user(user, &taken, OPERATOR, NOON).await.unwrap(),
        UpdateUser::EmailTaken
    );
    assert_eq!(
        store
            .update_user(new_id(NOON), &changes, OPERATOR, NOON)
            .await
            .unwrap(),
        UpdateUser::NotFound
    );
}
