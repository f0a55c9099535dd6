use playout_domain::audit::{Action, Actor, ActorKind};
use playout_domain::id::{UserId, WorkspaceId};
use playout_domain::people::Invitation;
use playout_domain::workspace::Role;

use super::harness::on_both;
use super::world::{DAY, NOON, OPERATOR, World, hash, new_group, new_user, new_workspace};
use crate::db::new_id;
use crate::{By, ChangeMember, InvitationLimits, NewInvitation, Page, Store, Unchanged, WorkspaceChanges};

on_both!(
    a_workspace_keeps_an_owner_whatever_two_of_them_do_at_once,
    nobody_changes_those_above_them_and_the_last_owner_stays,
    the_role_that_counts_for_changes_of_a_workspace_is_the_one_they_have_then,
    a_deleted_workspace_leaves_nothing_but_notes_of_its_files,
    the_trail_says_who_did_what_from_where_page_by_page,
);

const ALL: Page = Page {
    limit: 100,
    after: None,
};

pub(super) fn by(role: Role) -> By<'static> {
    By {
        role,
        actor: OPERATOR,
    }
}

pub(super) fn invitation(email: &str, role: Role) -> Invitation {
    Invitation {
        id: new_id(NOON),
        email: email.to_owned(),
        role,
        invited_by: None,
        created_at: NOON,
        expires_at: NOON.plus(DAY),
    }
}

pub(super) fn offer(invitation: &Invitation, hash: [u8; 32]) -> NewInvitation<'_> {
    let rate = "100/1s".parse().unwrap();
    let limits = InvitationLimits {
        by_person: rate,
        to_workspace: rate,
        for_address: rate,
    };
    NewInvitation {
        invitation,
        hash,
        limits,
    }
}

async fn actions(store: &Store, workspace: WorkspaceId) -> Vec<Action> {
    let entries = store.list_audit(workspace, ALL).await.unwrap();
    entries.iter().map(|entry| entry.action).collect()
}

pub(super) async fn owned(store: &Store) -> (WorkspaceId, UserId) {
    let owner = new_user(store).await;
    (new_workspace(store, owner).await, owner)
}

async fn a_workspace_keeps_an_owner_whatever_two_of_them_do_at_once(store: Store) {
    let (workspace, first) = owned(&store).await;
    let second = new_user(&store).await;
    let demote = |user| {
        let store = store.clone();
        async move {
            store
                .change_role(workspace, by(Role::Owner), user, Role::Member, NOON)
                .await
                .unwrap()
        }
    };
    assert_eq!(demote(first).await, ChangeMember::LastOwner);
    store
        .add_member(workspace, second, Role::Owner, NOON)
        .await
        .unwrap();
    let (one, other) = tokio::join!(tokio::spawn(demote(first)), tokio::spawn(demote(second)));
    let outcomes = [one.unwrap(), other.unwrap()];
    assert_eq!(
        outcomes
            .iter()
            .filter(|outcome| **outcome == ChangeMember::LastOwner)
            .count(),
        1,
        "{outcomes:?}"
    );
    let owners = store.list_members(workspace).await.unwrap();
    assert_eq!(
        owners.iter().filter(|member| member.role == Role::Owner).count(),
        1
    );
}

async fn nobody_changes_those_above_them_and_the_last_owner_stays(store: Store) {
    let (workspace, owner) = owned(&store).await;
    let (admin, member) = (new_user(&store).await, new_user(&store).await);
    for (user, role) in [(admin, Role::Admin), (member, Role::Member)] {
        store.add_member(workspace, user, role, NOON).await.unwrap();
    }
    let change = async |role, user, to| {
        store
            .change_role(workspace, by(role), user, to, NOON)
            .await
            .unwrap()
    };
    assert_eq!(
        change(Role::Admin, owner, Role::Member).await,
        ChangeMember::Forbidden
    );
    assert_eq!(
        change(Role::Admin, member, Role::Owner).await,
        ChangeMember::Forbidden
    );
    assert!(
        matches!(change(Role::Admin, member, Role::Admin).await, ChangeMember::Done(changed) if changed.role == Role::Admin)
    );
    assert_eq!(
        change(Role::Owner, new_id(NOON), Role::Member).await,
        ChangeMember::NotFound
    );
    assert_eq!(
        store
            .leave_workspace(workspace, owner, OPERATOR, NOON)
            .await
            .unwrap(),
        ChangeMember::LastOwner
    );
    assert_eq!(
        store
            .remove_member(workspace, by(Role::Owner), owner, NOON)
            .await
            .unwrap(),
        ChangeMember::LastOwner
    );
    assert!(matches!(
        store
            .leave_workspace(workspace, member, OPERATOR, NOON)
            .await
            .unwrap(),
        ChangeMember::Done(_)
    ));
    assert!(matches!(
        store
            .remove_member(workspace, by(Role::Owner), admin, NOON)
            .await
            .unwrap(),
        ChangeMember::Done(_)
    ));
    assert_eq!(store.list_members(workspace).await.unwrap().len(), 1);
    assert_eq!(
        actions(&store, workspace).await,
        [
            Action::MemberRemoved,
            Action::MemberLeft,
            Action::MemberRoleChanged,
            Action::WorkspaceCreated
        ]
    );
}

async fn the_role_that_counts_for_changes_of_a_workspace_is_the_one_they_have_then(store: Store) {
    let (workspace, owner) = owned(&store).await;
    let (demoted, removed) = (new_user(&store).await, new_user(&store).await);
    store
        .add_member(workspace, demoted, Role::Member, NOON)
        .await
        .unwrap();
    let open = invitation("eve@example.org", Role::Member);
    store
        .create_invitation(workspace, offer(&open, hash()), by(Role::Owner), NOON)
        .await
        .unwrap();
    let changes = WorkspaceChanges {
        name: Some("Theirs".to_owned()),
        time_zone: None,
        lateness_policy: None,
    };
    let rename = async |by: By<'_>| {
        store
            .update_workspace(workspace, &changes, by, NOON)
            .await
            .unwrap()
    };
    let revoke = async |by: By<'_>| {
        store
            .revoke_invitation(workspace, open.id, by, NOON)
            .await
            .unwrap()
    };
    let delete = async |by: By<'_>| store.delete_workspace(workspace, by, NOON).await.unwrap();
    let actor = |user: UserId| Actor {
        kind: ActorKind::User,
        id: Some(user.0),
        ..Actor::operator()
    };
    for user in [demoted, removed] {
        let actor = actor(user);
        // What they were when the request came.
        let by = By {
            role: Role::Owner,
            actor: &actor,
        };
        assert_eq!(rename(by).await, Err(Unchanged::Forbidden));
        assert_eq!(revoke(by).await, Err(Unchanged::Forbidden));
        assert_eq!(delete(by).await, Err(Unchanged::Forbidden));
    }
    store
        .add_member(workspace, demoted, Role::Admin, NOON)
        .await
        .unwrap();
    let admin = actor(demoted);
    let by = By {
        role: Role::Owner,
        actor: &admin,
    };
    rename(by).await.unwrap();
    assert_eq!(revoke(by).await, Ok(()));
    assert_eq!(delete(by).await, Err(Unchanged::Forbidden));
    let owner = actor(owner);
    let by = By {
        role: Role::Owner,
        actor: &owner,
    };
    delete(by).await.unwrap();
}

async fn a_deleted_workspace_leaves_nothing_but_notes_of_its_files(store: Store) {
    let world = World::new(store.clone()).await;
    let neighbour = world.neighbour().await;
    let media = world.media(10).await;
    let kept = neighbour.media(10).await;
    let mut group = new_group(world.platform, true, None);
    group.root.media_ids = vec![media.id];
    world.group(group).await;
    let job = world.claim_at(NOON).await.remove(0);
    world.open(&job).await;
    let files = store
        .delete_workspace(world.workspace, by(Role::Owner), NOON)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(files, std::slice::from_ref(&media.storage_key));
    assert_eq!(
        store.removed_files("", 10, NOON).await.unwrap(),
        [(media.storage_key, NOON)]
    );
    assert!(
        store
            .delete_workspace(world.workspace, by(Role::Owner), NOON)
            .await
            .unwrap()
            .is_err()
    );
    assert!(store.find_workspace(world.workspace).await.unwrap().is_none());
    assert!(
        store
            .find_media(neighbour.workspace, kept.id)
            .await
            .unwrap()
            .is_some()
    );
}

async fn the_trail_says_who_did_what_from_where_page_by_page(store: Store) {
    let (workspace, owner) = owned(&store).await;
    let actor = Actor {
        kind: ActorKind::User,
        id: Some(owner.0),
        name: Some("ada@example.org".to_owned()),
        session: Some(new_id(NOON)),
        address: Some("192.0.2.7".to_owned()),
    };
    for name in ["One", "Two", "Three"] {
        let changes = WorkspaceChanges {
            name: Some(name.to_owned()),
            time_zone: None,
            lateness_policy: None,
        };
        store
            .update_workspace(
                workspace,
                &changes,
                By {
                    role: Role::Owner,
                    actor: &actor,
                },
                NOON,
            )
            .await
            .unwrap()
            .unwrap();
    }
    let mut names = Vec::new();
    let mut page = Page {
        limit: 1,
        after: None,
    };
    loop {
        let entries = store.list_audit(workspace, page).await.unwrap();
        let Some(entry) = entries.first() else { break };
        page.after = Some((entry.created_at, entry.id.0));
        names.push(entry.detail.clone().unwrap()["name"].as_str().unwrap().to_owned());
        if entry.action == Action::WorkspaceRenamed {
            assert_eq!(entry.actor, actor);
        }
    }
    assert_eq!(names, ["Three", "Two", "One", "Studio"]);
    assert!(store.list_audit(new_id(NOON), ALL).await.unwrap().is_empty());
}
