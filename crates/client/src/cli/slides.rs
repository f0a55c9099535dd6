//! `slides`: captions onto images.

use std::io::Read;
use std::path::{Path, PathBuf};

use playout_client::{Api, BakedSlide, Error};
use serde_json::{Map, Value, json};

use super::doubt;
use super::media::{check_key_with, ids_of, uploaded};
use super::report::{Outcome, Report};
use super::screen::clean;
use super::session::Session;
use super::usage::bytes;

#[derive(Debug, clap::Subcommand)]
pub(super) enum Task {
    /// Render a caption onto each image; the new images are slides for a post.
    ///
    /// Captions are applied to the images in order. Without captions the images are only resized.
    #[command(
        after_help = "Examples:\n  playout slides composite slides/1.jpg slides/2.jpg --caption \"Three kites\" --caption \"One wind\"\n  playout slides composite slides/1.jpg slides/2.jpg --captions captions.json --style box --position bottom"
    )]
    Composite(Composite),
    /// Preview one slide; it is not stored, and costs nothing.
    ///
    /// The picture is written to a file of yours. An image given as a file is uploaded first, and stays in the media.
    #[command(
        after_help = "Examples:\n  playout slides preview slides/1.jpg --caption \"Three kites\" --output seen.jpg\n  playout slides preview slides/1.jpg --caption \"Three kites\" --style box --width 1080 --output seen.jpg"
    )]
    Preview(Preview),
    /// Propose captions for a slideshow. The document fits `slides composite --captions`.
    #[command(
        after_help = "Examples:\n  playout slides captions \"Why kites fly, for children\" --count 3\n  playout slides captions \"A day at the beach\" --count 4 --language de --length short"
    )]
    Captions(Captions),
}

#[derive(Debug, clap::Args)]
pub(super) struct Composite {
    /// The images, in order: media IDs, or files to upload.
    #[arg(required = true, value_name = "ID|FILE")]
    images: Vec<String>,
    /// A caption; repeatable, one for each image.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    caption: Vec<String>,
    /// The captions from a JSON file: `["Three kites", "One wind"]`, or a document such as `slides captions` prints, of which
    /// `{"slides": [{"caption": "Three kites"}, …]}` is enough; `-` is standard input.
    #[arg(long, value_name = "FILE", conflicts_with = "caption")]
    captions: Option<String>,
    /// Requests with the same key within 24 hours create the slides once, also across runs; a random key by default. Use it with images that are
    /// already uploaded: uploading a file again creates another.
    #[arg(long, value_name = "KEY")]
    idempotency_key: Option<String>,
    #[command(flatten)]
    look: Look,
}

#[derive(Debug, clap::Args)]
pub(super) struct Preview {
    /// The image: a media ID, or a file to upload.
    #[arg(value_name = "ID|FILE")]
    image: String,
    /// The caption; without one the image is only resized.
    #[arg(
        long,
        value_name = "TEXT",
        allow_hyphen_values = true,
        default_value = "",
        hide_default_value = true
    )]
    caption: String,
    /// The output file, a JPEG; an existing one is replaced.
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// The width in pixels, 90 to 1080; else 540.
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u16).range(90..=1080))]
    width: Option<u16>,
    #[command(flatten)]
    look: Look,
}

/// The appearance of a caption, and how its image fills the slide.
#[derive(Debug, clap::Args)]
pub(super) struct Look {
    /// The size of the text: small, medium or large.
    #[arg(long, value_name = "SIZE", value_parser = ["small", "medium", "large"])]
    size: Option<String>,
    /// The position: top, middle or bottom.
    #[arg(long, value_name = "WHERE", value_parser = ["top", "middle", "bottom"])]
    position: Option<String>,
    /// The style: outline, box or plain.
    #[arg(long, value_name = "STYLE", value_parser = ["outline", "box", "plain"])]
    style: Option<String>,
    /// How an image with another aspect ratio fills the slide: cover, or contain on a blurred backdrop.
    #[arg(long, value_name = "FIT", value_parser = ["cover", "contain"])]
    fit: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(super) struct Captions {
    /// The subject of the slideshow.
    request: String,
    /// The number of slides, 3 to 10.
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u8).range(3..=10))]
    count: u8,
    /// The language, such as en or pt-BR; else that of the request.
    #[arg(long, value_name = "TAG")]
    language: Option<String>,
    /// The length of the captions: short, medium or long.
    #[arg(long, value_name = "LENGTH", value_parser = ["short", "medium", "long"])]
    length: Option<String>,
    /// An image for the model, as media ID or file to upload; repeatable.
    #[arg(long, value_name = "ID|FILE")]
    media: Vec<String>,
    /// Requests with the same key within 24 hours cost a credit once, also across runs; a random key by default. Use it with images that are
    /// already uploaded.
    #[arg(long, value_name = "KEY")]
    idempotency_key: Option<String>,
}

pub(super) async fn run(task: Task, session: &Session) -> Outcome {
    let api = session.api()?;
    match task {
        Task::Composite(wanted) => composite(&wanted, session, &api).await,
        Task::Preview(wanted) => preview(&wanted, session, &api).await,
        Task::Captions(wanted) => propose(&wanted, session, &api).await,
    }
}

async fn composite(wanted: &Composite, session: &Session, api: &Api) -> Outcome {
    let captions = match &wanted.captions {
        Some(file) => read_captions(file)?,
        None => wanted.caption.clone(),
    };
    let (images, given) = (wanted.images.len(), captions.len());
    if given != 0 && given != images {
        let message = format!("{images} images and {given} captions: give one for each image, or none.");
        return Err(Error::usage(message));
    }
    check_key_with(wanted.idempotency_key.as_deref(), &wanted.images)?;
    let ids = media_ids(&wanted.images, session, api).await?;
    let captions = captions.into_iter().chain(std::iter::repeat(String::new()));
    let slides = ids.iter().zip(captions).enumerate();
    let slides =
        slides.map(|(at, (id, caption))| json!({ "index": at + 1, "mediaId": id, "caption": caption }));
    let mut body = Map::from_iter([("slides".to_owned(), slides.collect())]);
    body.extend(wanted.look.named());
    let (key, body) = (key_of(wanted.idempotency_key.as_ref()), Value::Object(body));
    let in_doubt = format!(
        "The slides may have been created. Run the command again with the images {} and `--idempotency-key {key}`, which creates no second ones.",
        ids.join(" ")
    );
    let reply = doubt::send(session, &in_doubt, api.composite(&body, Some(&key))).await?;
    let lines: Vec<String> = reply.value.slides.iter().map(line).collect();
    Ok(Report::new(reply.json, lines.join("\n")))
}

/// A slide, with its warnings below.
fn line(slide: &BakedSlide) -> String {
    let id = format!("{:2}  {}", slide.index, clean(&slide.media_id));
    let warnings = slide.warnings.iter();
    let warnings = warnings.map(|warning| format!("\n    {}", clean(&warning.message)));
    id + &warnings.collect::<String>()
}

async fn preview(wanted: &Preview, session: &Session, api: &Api) -> Outcome {
    let ids = media_ids(std::slice::from_ref(&wanted.image), session, api).await?;
    let mut body = Map::from_iter([
        ("mediaId".to_owned(), json!(ids.first())),
        ("caption".to_owned(), json!(wanted.caption)),
    ]);
    if let Some(width) = wanted.width {
        body.insert("width".to_owned(), json!(width));
    }
    body.extend(wanted.look.named());
    let seen = api.preview_slide(&Value::Object(body)).await?;
    std::fs::write(&wanted.output, &seen.jpeg).map_err(|error| Error::file(&wanted.output, &error))?;
    let (file, size) = (wanted.output.display().to_string(), seen.jpeg.len() as u64);
    let mut text = format!("{}  {}", clean(&file), bytes(size));
    if !seen.missing_glyphs.is_empty() {
        text += &format!("\n    No font has {}.", clean(&seen.missing_glyphs.join(", ")));
    }
    let json = json!({ "file": file, "size": size, "missingGlyphs": seen.missing_glyphs });
    Ok(Report::new(json, text))
}

async fn propose(wanted: &Captions, session: &Session, api: &Api) -> Outcome {
    check_key_with(wanted.idempotency_key.as_deref(), &wanted.media)?;
    let ids = media_ids(&wanted.media, session, api).await?;
    let mut body = Map::from_iter([
        ("userRequest".to_owned(), json!(wanted.request)),
        ("slideCount".to_owned(), json!(wanted.count)),
    ]);
    body.extend(named([
        ("language", &wanted.language),
        ("slideLength", &wanted.length),
    ]));
    if !ids.is_empty() {
        body.insert("mediaIds".to_owned(), json!(ids));
    }
    let (key, body) = (key_of(wanted.idempotency_key.as_ref()), Value::Object(body));
    let images: String = ids.iter().map(|id| format!(" --media {id}")).collect();
    let in_doubt = format!(
        "Captions may have been proposed, which cost a credit. The same command with{images} `--idempotency-key {key}` shows them and costs no \
         second one."
    );
    let reply = doubt::send(session, &in_doubt, api.propose_captions(&body, Some(&key))).await?;
    let slides = reply.value.slides.iter();
    let slides = slides.map(|slide| format!("{:2}  {}", slide.index, clean(&slide.caption)));
    let lines: Vec<String> = [clean(&reply.value.caption), String::new()]
        .into_iter()
        .chain(slides)
        .collect();
    Ok(Report::new(reply.json, lines.join("\n")))
}

/// The key of a request: the one that was given, or a new one.
fn key_of(given: Option<&String>) -> String {
    given.cloned().unwrap_or_else(playout_client::idempotency_key)
}

async fn media_ids(media: &[String], session: &Session, api: &Api) -> Result<Vec<String>, Error> {
    ids_of(media, async |files| uploaded(session, api, files).await).await
}

impl Look {
    /// The options that are given, by their names in a request.
    fn named(&self) -> Map<String, Value> {
        named([
            ("captionSize", &self.size),
            ("captionPosition", &self.position),
            ("captionStyle", &self.style),
            ("fit", &self.fit),
        ])
    }
}

/// The options that are given, by their names in the request.
fn named<const N: usize>(options: [(&str, &Option<String>); N]) -> Map<String, Value> {
    let said = options
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), json!(value.as_ref()?))));
    said.collect()
}

/// The captions of a document, by their index.
fn read_captions(file: &str) -> Result<Vec<String>, Error> {
    let mut text = String::new();
    match file {
        "-" => std::io::stdin().read_to_string(&mut text).map(drop),
        path => std::fs::read_to_string(path).map(|found| text = found),
    }
    .map_err(|error| Error::file(Path::new(file), &error))?;
    let json =
        serde_json::from_str(&text).map_err(|error| Error::usage(format!("{file} is not JSON: {error}.")))?;
    captions_of(&json).map_err(|problem| Error::usage(format!("{file}: {problem}. {EXPECTED}")))
}

/// What a file with captions holds.
const EXPECTED: &str = "Expected is `[\"Three kites\", \"One wind\"]`, or `{\"slides\": [{\"caption\": \"Three kites\"}, …]}` as \
                        `slides captions` prints it, with an `index` from 1 for each or for none.";

fn captions_of(document: &Value) -> Result<Vec<String>, String> {
    let slides = match document {
        Value::Object(fields) => fields.get("slides").ok_or("there is no `slides`")?,
        other => other,
    };
    let slides = slides.as_array().ok_or("the captions are no array")?;
    let mut captions = Vec::new();
    for (at, slide) in slides.iter().enumerate() {
        let number = at + 1;
        let caption = match slide {
            Value::Object(fields) => fields.get("caption"),
            other => Some(other),
        };
        let caption = caption.and_then(Value::as_str);
        let caption = caption.ok_or_else(|| format!("number {number} has no caption that is a text"))?;
        let index = match slide.get("index").filter(|index| !index.is_null()) {
            Some(index) => {
                let whole = index.as_u64();
                Some(whole.ok_or_else(|| format!("the `index` of number {number} is no whole number"))?)
            }
            None => None,
        };
        captions.push((index, caption.to_owned()));
    }
    let with_index = captions.iter().filter(|(index, _)| index.is_some()).count();
    if with_index != 0 && with_index != captions.len() {
        return Err("some captions have an `index`, and others have none".to_owned());
    }
    captions.sort_by_key(|(index, _)| *index);
    Ok(captions.into_iter().map(|(_, caption)| caption).collect())
}
