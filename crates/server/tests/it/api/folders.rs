//! Folders of media (`docs/contract.md#folders`).

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::harness::{Answer, Db, TestApp, jpeg, on_both};

on_both!(
    a_folder_is_made_renamed_and_listed_by_name,
    names_are_unique_ignoring_case,
    of_many_at_once_with_one_name_one_is_made,
    a_name_has_from_1_to_255_characters,
    of_many_folders_made_at_once_a_workspace_has_a_thousand_at_most,
    a_deleted_folders_media_move_to_the_root,
    moving_into_a_folder_that_goes_at_the_same_instant_never_fails_inside,
);

const FOLDERS: &str = "/public/v1/media/folders";
const NOWHERE: &str = "0196f3a0-0000-7000-8000-000000000000";

async fn create(t: &TestApp, name: &str) -> Answer {
    t.api.post(FOLDERS, &json!({ "name": name })).await
}

async fn rename(t: &TestApp, id: &str, name: &str) -> Answer {
    t.api
        .patch(&format!("{FOLDERS}/{id}"), &json!({ "name": name }))
        .await
}

async fn names(t: &TestApp) -> Vec<String> {
    let list = t.api.get(FOLDERS).await.ok();
    let folders = list["folders"].as_array().unwrap().iter();
    folders
        .map(|folder| folder["name"].as_str().unwrap().to_owned())
        .collect()
}

fn id(folder: &Value) -> String {
    folder["id"].as_str().unwrap().to_owned()
}

async fn a_folder_is_made_renamed_and_listed_by_name(db: Db) {
    let t = TestApp::start(db).await;
    let made = create(&t, "  Summer\u{a0}").await;
    let mut folder = made.json();
    let now = t.now().to_string();
    assert_eq!(made.status, 201);
    assert_eq!(
        folder,
        json!({ "id": folder["id"], "organizationId": t.workspace.id, "name": "Summer", "createdAt": now,
        "updatedAt": now })
    );
    create(&t, "autumn").await.ok();
    create(&t, &"ü".repeat(255)).await.ok();
    assert_eq!(
        names(&t).await,
        ["autumn".to_owned(), "Summer".to_owned(), "ü".repeat(255)]
    );
    t.clock.advance(std::time::Duration::from_secs(1));
    let renamed = rename(&t, &id(&folder), "Late summer ").await;
    folder["name"] = json!("Late summer");
    folder["updatedAt"] = json!(t.now().to_string());
    assert_eq!((renamed.status, renamed.json()), (200, folder.clone()));
    assert_eq!(
        rename(&t, &id(&folder), "LATE SUMMER").await.ok()["name"],
        "LATE SUMMER",
        "its own name in other letters"
    );
}

async fn names_are_unique_ignoring_case(db: Db) {
    let t = TestApp::start(db).await;
    let (kites, boats) = (create(&t, "Käse").await.ok(), create(&t, "Boats").await.ok());
    for taken in ["Käse", "KÄSE", " käse "] {
        create(&t, taken).await.invalid_at(&[json!(["name"])]);
        rename(&t, &id(&boats), taken)
            .await
            .invalid_at(&[json!(["name"])]);
    }
    assert_eq!(names(&t).await, ["Boats", "Käse"]);
    assert_eq!(
        t.stranger()
            .await
            .post(FOLDERS, &json!({ "name": "Boats" }))
            .await
            .status,
        201,
        "in another workspace"
    );
    assert_eq!(
        t.api.delete(&format!("{FOLDERS}/{}", id(&kites))).await.status,
        204
    );
    create(&t, "KÄSE").await.ok();
}

async fn of_many_at_once_with_one_name_one_is_made(db: Db) {
    let t = TestApp::start(db).await;
    let answers = join_all((0..6).map(|number| {
        let name = if number % 2 == 0 { "Kites" } else { "KITES" };
        let t = &t;
        async move { create(t, name).await }
    }))
    .await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 201).count(), 1);
    for lost in answers.iter().filter(|answer| answer.status != 201) {
        lost.invalid_at(&[json!(["name"])]);
    }
    assert_eq!(names(&t).await.len(), 1);
}

async fn a_name_has_from_1_to_255_characters(db: Db) {
    let t = TestApp::start(db).await;
    let folder = id(&create(&t, "Kites").await.ok());
    for body in [
        json!({}),
        json!({ "name": null }),
        json!({ "name": "" }),
        json!({ "name": " \t " }),
        json!({ "name": 5 }),
        json!({ "name": "a".repeat(256) }),
        json!({ "name": "nul\u{0}" }),
    ] {
        t.api.post(FOLDERS, &body).await.invalid_at(&[json!(["name"])]);
        t.api
            .patch(&format!("{FOLDERS}/{folder}"), &body)
            .await
            .invalid_at(&[json!(["name"])]);
    }
    t.api
        .patch(&format!("{FOLDERS}/x"), &json!({}))
        .await
        .invalid_at(&[json!(["id"]), json!(["name"])]);
    rename(&t, NOWHERE, "Boats")
        .await
        .refused(404, "folder_not_found");
    assert_eq!(names(&t).await, ["Kites"]);
}

async fn of_many_folders_made_at_once_a_workspace_has_a_thousand_at_most(db: Db) {
    let t = TestApp::start(db).await;
    for number in 0..997 {
        t.app
            .store
            .create_folder(t.workspace.id, &format!("folder {number}"), t.now())
            .await
            .unwrap();
    }
    let new: Vec<String> = (0..6).map(|number| format!("new {number}")).collect();
    let answers = join_all(new.iter().map(|name| create(&t, name))).await;
    let (made, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 201);
    assert_eq!((made.len(), refused.len()), (3, 3));
    for one in refused {
        one.refused(409, "count_limit_reached");
    }
    assert_eq!(
        t.api
            .delete(&format!("{FOLDERS}/{}", id(&made[0].json())))
            .await
            .status,
        204
    );
    create(&t, "in its place").await.ok();
    create(&t, "one more").await.refused(409, "count_limit_reached");
    create(&t, "In its place").await.invalid_at(&[json!(["name"])]);
    assert_eq!(
        t.stranger()
            .await
            .post(FOLDERS, &json!({ "name": "theirs" }))
            .await
            .status,
        201
    );
}

async fn a_deleted_folders_media_move_to_the_root(db: Db) {
    let t = TestApp::start(db).await;
    let folder = id(&create(&t, "Kites").await.ok());
    let file = jpeg(40, 30);
    let media = t
        .api
        .upload_form("a.jpg", "image/jpeg", &file, &[("folderId", &folder)])
        .await
        .ok();
    assert_eq!(media["folderId"], json!(folder));
    let answer = t.api.delete(&format!("{FOLDERS}/{folder}")).await;
    assert_eq!((answer.status, answer.body.len()), (204, 0));
    let root = t.api.get("/public/v1/media?folderId=null").await.ok();
    assert_eq!(
        (&root["media"][0]["id"], &root["media"][0]["folderId"]),
        (&media["id"], &Value::Null)
    );
    t.api
        .delete(&format!("{FOLDERS}/{folder}"))
        .await
        .refused(404, "folder_not_found");
    let gone = t
        .api
        .upload_form("a.jpg", "image/jpeg", &file, &[("folderId", &folder)])
        .await;
    gone.refused(404, "folder_not_found");
    let path = format!("/public/v1/media/{}", id(&media));
    t.api
        .patch(&path, &json!({ "folderId": folder }))
        .await
        .refused(404, "folder_not_found");
}

async fn moving_into_a_folder_that_goes_at_the_same_instant_never_fails_inside(db: Db) {
    let t = TestApp::start(db).await;
    let media = t.api.upload_photo(90, 160).await;
    for number in 0..10 {
        let folder = id(&create(&t, &number.to_string()).await.ok());
        let (path, changes) = (format!("/public/v1/media/{media}"), json!({ "folderId": folder }));
        let gone = format!("{FOLDERS}/{folder}");
        let (moved, deleted) = tokio::join!(t.api.patch(&path, &changes), t.api.delete(&gone));
        assert_eq!(deleted.status, 204);
        if moved.status != 200 {
            moved.refused(404, "folder_not_found");
        }
        assert_eq!(t.api.get(&path).await.ok()["folderId"], Value::Null);
    }
}
