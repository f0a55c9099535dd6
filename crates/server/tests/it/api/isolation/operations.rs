//! Every operation of the public API, and every place in which a request to it can name a resource.

/// The headers with which bytes are added to a resumable upload.
const TUS_BYTES: &str = "Upload-Offset: 0;Content-Type: application/offset+octet-stream";

/// A kind of resource of which there is one in each workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Platform,
    Post,
    Comment,
    Media,
    /// A resumable upload that is under way.
    Upload,
    Folder,
    Webhook,
    /// Something that was sent to it.
    Delivery,
    /// A page after something.
    PostCursor,
    MediaCursor,
    DeliveryCursor,
}

/// A place of a request that names a resource: there `{it}` stands for it. `{post}`, `{media}` and so on are the
/// stranger's own.
pub(super) struct Place {
    pub(super) it: Kind,
    /// What follows the prefix.
    pub(super) path: &'static str,
    pub(super) body: Body,
    /// The response that the stranger must get; the code is empty for a success.
    pub(super) answered: (u16, &'static str),
}

#[derive(Clone, Copy)]
pub(super) enum Body {
    None,
    Json(&'static str),
    /// Further parts of an upload form: a name and its text.
    Form(&'static str, &'static str),
    /// The headers of a resumable upload.
    Tus(&'static str),
}

/// An operation: its method, its template as in the reference, and the places in which it names resources.
pub(super) struct Operation(
    pub(super) &'static str,
    pub(super) &'static str,
    pub(super) Vec<Place>,
);

/// Every operation under `/public/v1`.
pub(super) fn operations() -> Vec<Operation> {
    let schema = at(
        Kind::Platform,
        "/platforms/{it}/schema",
        Body::None,
        404,
        "platform_not_found",
    );
    let health = at(
        Kind::Platform,
        "/platforms/{it}/health",
        Body::None,
        404,
        "platform_not_found",
    );
    let others = vec![
        Operation("GET", "/platforms", vec![]),
        Operation("GET", "/platforms/{id}/schema", vec![schema]),
        Operation("GET", "/platforms/{id}/health", vec![health]),
        Operation("GET", "/usage", vec![]),
        Operation("GET", "/key", vec![]),
        Operation("GET", "/events", vec![]),
    ];
    let parts = [
        others,
        media_operations(),
        upload_operations(),
        folder_operations(),
        webhook_operations(),
        post_operations(),
        slide_operations(),
    ];
    parts.into_iter().flatten().collect()
}

fn media_operations() -> Vec<Operation> {
    let in_folder = |path, body| at(Kind::Folder, path, body, 404, "folder_not_found");
    let list = vec![
        at(Kind::Folder, "/media?folderId={it}", Body::None, 200, ""),
        at(Kind::MediaCursor, "/media?cursor={it}", Body::None, 200, ""),
    ];
    let change = vec![
        media_id(Body::Json(r#"{"fileName":"mine.jpg"}"#)),
        in_folder("/media/{media}", Body::Json(r#"{"folderId":"{it}"}"#)),
    ];
    let upload = in_folder("/media", Body::Form("folderId", "{it}"));
    let import = in_folder(
        "/media/import",
        Body::Json(r#"{"url":"https://example.org/clip.mp4","folderId":"{it}"}"#),
    );
    vec![
        Operation("GET", "/media", list),
        Operation("POST", "/media", vec![upload]),
        Operation("POST", "/media/import", vec![import]),
        Operation("GET", "/media/{id}", vec![media_id(Body::None)]),
        Operation("PATCH", "/media/{id}", change),
        Operation("DELETE", "/media/{id}", vec![media_id(Body::None)]),
    ]
}

fn upload_operations() -> Vec<Operation> {
    let begin = Body::Tus("Upload-Length: 9;Upload-Metadata: folderId {it in base64}");
    let begin = at(Kind::Folder, "/media/uploads", begin, 404, "folder_not_found");
    vec![
        Operation("POST", "/media/uploads", vec![begin]),
        Operation("HEAD", "/media/uploads/{id}", vec![upload_id(Body::Tus(""))]),
        Operation(
            "PATCH",
            "/media/uploads/{id}",
            vec![upload_id(Body::Tus(TUS_BYTES))],
        ),
        Operation("DELETE", "/media/uploads/{id}", vec![upload_id(Body::Tus(""))]),
    ]
}

fn slide_operations() -> Vec<Operation> {
    let image = |path, body| vec![at(Kind::Media, path, Body::Json(body), 400, "invalid_request")];
    vec![
        Operation(
            "POST",
            "/slides/composite",
            image(
                "/slides/composite",
                r#"{"slides":[{"index":1,"mediaId":"{media}","caption":"x"},{"index":2,"mediaId":"{it}","caption":"x"}]}"#,
            ),
        ),
        Operation(
            "POST",
            "/slides/preview",
            image("/slides/preview", r#"{"mediaId":"{it}","caption":"x"}"#),
        ),
        Operation(
            "POST",
            "/slides/captions",
            image(
                "/slides/captions",
                r#"{"userRequest":"x","slideCount":3,"mediaIds":["{media}","{it}"]}"#,
            ),
        ),
    ]
}

fn folder_operations() -> Vec<Operation> {
    let folder_id = |body| {
        let place = at(Kind::Folder, "/media/folders/{it}", body, 404, "folder_not_found");
        vec![place]
    };
    let name = Body::Json(r#"{"name":"Mine now"}"#);
    vec![
        Operation("GET", "/media/folders", vec![]),
        Operation("POST", "/media/folders", vec![]),
        Operation("PATCH", "/media/folders/{id}", folder_id(name)),
        Operation("DELETE", "/media/folders/{id}", folder_id(Body::None)),
    ]
}

fn webhook_operations() -> Vec<Operation> {
    let by_id = |path, body| vec![at(Kind::Webhook, path, body, 404, "webhook_not_found")];
    let again = at(
        Kind::Delivery,
        "/webhooks/deliveries/{it}/redeliver",
        Body::None,
        404,
        "not_found",
    );
    let change = Body::Json(r#"{"disabled":true}"#);
    let mut deliveries = by_id("/webhooks/{it}/deliveries", Body::None);
    let page = "/webhooks/{webhook}/deliveries?cursor={it}";
    deliveries.push(at(Kind::DeliveryCursor, page, Body::None, 200, ""));
    vec![
        Operation("GET", "/webhooks", vec![]),
        Operation("POST", "/webhooks", vec![]),
        Operation("GET", "/webhooks/{id}", by_id("/webhooks/{it}", Body::None)),
        Operation("PATCH", "/webhooks/{id}", by_id("/webhooks/{it}", change)),
        Operation("DELETE", "/webhooks/{id}", by_id("/webhooks/{it}", Body::None)),
        Operation(
            "POST",
            "/webhooks/{id}/rotate-secret",
            by_id("/webhooks/{it}/rotate-secret", Body::None),
        ),
        Operation(
            "POST",
            "/webhooks/{id}/test",
            by_id("/webhooks/{it}/test", Body::None),
        ),
        Operation("GET", "/webhooks/{id}/deliveries", deliveries),
        Operation("POST", "/webhooks/deliveries/{id}/redeliver", vec![again]),
    ]
}

fn post_operations() -> Vec<Operation> {
    let list = vec![
        at(Kind::Platform, "/posts?platformId={it}", Body::None, 200, ""),
        at(Kind::PostCursor, "/posts?cursor={it}", Body::None, 200, ""),
    ];
    let with_media = [
        r#"{"mediaIds":["{it}"]}"#,
        r#"{"comments":[{"content":"x","mediaIds":["{it}"]}]}"#,
    ];
    let mut change = post_id("/posts/{it}", Body::Json(r#"{"content":"Mine now"}"#));
    change.extend(with_media.map(|body| {
        at(
            Kind::Media,
            "/posts/{post}",
            Body::Json(body),
            400,
            "invalid_request",
        )
    }));
    let schedule = post_id(
        "/posts/{it}/schedule",
        Body::Json(r#"{"scheduledFor":"2026-11-21T12:00:00Z"}"#),
    );
    let by_id = |path| post_id(path, Body::None);
    vec![
        Operation("GET", "/posts", list),
        Operation("POST", "/posts", new_post("/posts")),
        Operation("POST", "/posts/batch", new_batch()),
        Operation("POST", "/posts/validate", new_post("/posts/validate")),
        Operation("GET", "/posts/{id}", by_id("/posts/{it}")),
        Operation("PATCH", "/posts/{id}", change),
        Operation("DELETE", "/posts/{id}", by_id("/posts/{it}")),
        Operation("GET", "/posts/{id}/attempts", by_id("/posts/{it}/attempts")),
        Operation(
            "POST",
            "/posts/{id}/mark-published",
            post_id("/posts/{it}/mark-published", Body::Json("{}")),
        ),
        Operation("POST", "/posts/{id}/publish", by_id("/posts/{it}/publish")),
        Operation("PATCH", "/posts/{id}/schedule", schedule),
        Operation("POST", "/posts/{id}/unschedule", by_id("/posts/{it}/unschedule")),
    ]
}

fn at(it: Kind, path: &'static str, body: Body, status: u16, code: &'static str) -> Place {
    Place {
        it,
        path,
        body,
        answered: (status, code),
    }
}

/// The places of an operation on a post: the root's ID or a comment's.
fn post_id(path: &'static str, body: Body) -> Vec<Place> {
    let place = |it| at(it, path, body, 404, "post_not_found");
    vec![place(Kind::Post), place(Kind::Comment)]
}

fn media_id(body: Body) -> Place {
    at(Kind::Media, "/media/{it}", body, 404, "media_not_found")
}

fn upload_id(body: Body) -> Place {
    at(Kind::Upload, "/media/uploads/{it}", body, 404, "media_not_found")
}

/// The places of a batch of new posts. Each post is judged by itself, so that the batch is answered 200.
fn new_batch() -> Vec<Place> {
    let of = |it, body| at(it, "/posts/batch", Body::Json(body), 200, "");
    vec![
        of(
            Kind::Platform,
            r#"{"posts":[{"platformIds":["{it}"],"content":"x","mode":"draft"}]}"#,
        ),
        of(
            Kind::Media,
            r#"{"posts":[{"platformIds":["{platform}"],"content":"x","mode":"draft","mediaIds":["{media}","{it}"]}]}"#,
        ),
        of(
            Kind::Media,
            r#"{"dryRun":true,"posts":[{"platformIds":["{platform}"],"content":"x","mode":"draft","comments":[{"content":"x","mediaIds":["{it}"]}]}]}"#,
        ),
    ]
}

/// The places of a request that describes a new post.
fn new_post(path: &'static str) -> Vec<Place> {
    let of = |it, body, status, code| at(it, path, Body::Json(body), status, code);
    vec![
        of(
            Kind::Platform,
            r#"{"platformIds":["{it}"],"content":"x","mode":"draft"}"#,
            200,
            "",
        ),
        of(
            Kind::Platform,
            r#"{"platformIds":["{it}"],"content":"x","mode":"now","mediaIds":["{media}"]}"#,
            200,
            "",
        ),
        of(
            Kind::Media,
            r#"{"platformIds":["{platform}"],"content":"x","mode":"draft","mediaIds":["{media}","{it}"]}"#,
            400,
            "invalid_request",
        ),
        of(
            Kind::Media,
            r#"{"platformIds":["{platform}"],"content":"x","mode":"draft","comments":[{"content":"x","mediaIds":["{it}"]}]}"#,
            400,
            "invalid_request",
        ),
    ]
}
