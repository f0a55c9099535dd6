//! The header fields of forms: the content type and the head of a part.

use super::error::FormError;

/// RFC 2046 §5.1.1.
const MAX_BOUNDARY_CHARS: usize = 70;

/// The names in the head of a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Disposition {
    pub(super) name: String,
    pub(super) file_name: Option<String>,
}

/// The boundary in a content type.
pub(super) fn boundary(content_type: &str) -> Result<String, FormError> {
    let (essence, parameters) = content_type.split_once(';').unwrap_or((content_type, ""));
    if !essence.trim().eq_ignore_ascii_case("multipart/form-data") {
        return Err(FormError::NoForm);
    }
    let boundary = Parameters(parameters).find(|(name, _)| name == "boundary");
    let boundary = boundary.map(|(_, value)| value).unwrap_or_default();
    let is_printable = boundary.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    if is_printable && (1..=MAX_BOUNDARY_CHARS).contains(&boundary.len()) && !boundary.ends_with(' ') {
        Ok(boundary)
    } else {
        Err(FormError::Boundary)
    }
}

/// Whether a line ends in LF alone.
pub(super) fn has_bare_line_feed(head: &[u8]) -> bool {
    memchr::memchr_iter(b'\n', head).any(|at| at == 0 || head[at - 1] != b'\r')
}

/// Parses a head: the rest of the boundary's line, header fields, an empty line.
pub(super) fn disposition(head: &[u8]) -> Result<Disposition, FormError> {
    if has_bare_line_feed(head) {
        return Err(FormError::Head("has lines that do not end in CR LF"));
    }
    let head = String::from_utf8_lossy(head);
    let (padding, fields) = head.split_once("\r\n").unwrap_or((&head, ""));
    if !padding.chars().all(|character| matches!(character, ' ' | '\t')) {
        return Err(FormError::Head("begins on the line of the boundary"));
    }
    let mut disposition = None;
    for field in unfolded(fields).split("\r\n").filter(|line| !line.is_empty()) {
        let (name, value) = field
            .split_once(':')
            .ok_or(FormError::Head("has a line without a colon"))?;
        if name.trim().eq_ignore_ascii_case("content-disposition") && disposition.is_none() {
            disposition = Some(form_data(value)?);
        }
    }
    disposition.ok_or(FormError::Head("has no content-disposition"))
}

/// Header fields, each on one line.
fn unfolded(fields: &str) -> String {
    fields.replace("\r\n ", " ").replace("\r\n\t", " ")
}

fn form_data(value: &str) -> Result<Disposition, FormError> {
    let (kind, parameters) = value.split_once(';').unwrap_or((value, ""));
    if !kind.trim().eq_ignore_ascii_case("form-data") {
        return Err(FormError::Head("has a content-disposition other than form-data"));
    }
    let (mut name, mut plain, mut extended) = (None, None, None);
    for (parameter, value) in Parameters(parameters) {
        match parameter.as_str() {
            "name" => name = name.or(Some(value)),
            "filename" => plain = plain.or(Some(value)),
            "filename*" => extended = extended.or_else(|| decoded(&value)),
            _ => {}
        }
    }
    Ok(Disposition {
        name: as_typed(&name.ok_or(FormError::Head("gives the part no name"))?),
        file_name: extended.or_else(|| plain.as_deref().map(as_typed)),
    })
}

/// Reverses the escapes of browsers for quotes and line breaks in names (WHATWG HTML, "multipart/form-data encoding algorithm").
fn as_typed(name: &str) -> String {
    name.replace("%22", "\"")
        .replace("%0D", "\r")
        .replace("%0A", "\n")
}

/// `charset'language'percent-encoded` (RFC 8187); `None` in another charset than UTF-8 and Latin-1.
fn decoded(value: &str) -> Option<String> {
    let (charset, rest) = value.split_once('\'')?;
    let (_language, text) = rest.split_once('\'')?;
    let bytes: Vec<u8> = percent_encoding::percent_decode_str(text).collect();
    if charset.eq_ignore_ascii_case("utf-8") {
        String::from_utf8(bytes).ok()
    } else if charset.eq_ignore_ascii_case("iso-8859-1") {
        Some(bytes.into_iter().map(char::from).collect())
    } else {
        None
    }
}

/// `name=value; name="quoted value"`, names in lower case.
struct Parameters<'text>(&'text str);

impl Iterator for Parameters<'_> {
    type Item = (String, String);

    fn next(&mut self) -> Option<(String, String)> {
        loop {
            self.0 = self.0.trim_start_matches([';', ' ', '\t']);
            if self.0.is_empty() {
                return None;
            }
            let end = self.0.find(['=', ';']).unwrap_or(self.0.len());
            let (name, rest) = self.0.split_at(end);
            self.0 = rest;
            if let Some(value) = rest.strip_prefix('=') {
                let value = self.value(value.trim_start());
                return Some((name.trim().to_ascii_lowercase(), value));
            }
        }
    }
}

impl<'text> Parameters<'text> {
    /// Parses the value at the start of `text`.
    fn value(&mut self, text: &'text str) -> String {
        let Some(quoted) = text.strip_prefix('"') else {
            let end = text.find(';').unwrap_or(text.len());
            let (value, rest) = text.split_at(end);
            self.0 = rest;
            return value.trim_end().to_owned();
        };
        let mut value = String::new();
        let mut characters = quoted.chars();
        while let Some(character) = characters.next() {
            match character {
                '"' => break,
                // Some clients send file paths with backslashes unescaped: only a backslash before a quotable character is an
                // escape.
                '\\' if characters.as_str().starts_with(['"', '\\']) => value.extend(characters.next()),
                other => value.push(other),
            }
        }
        let rest = characters.as_str();
        self.0 = &rest[rest.find(';').unwrap_or(rest.len())..];
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(fields: &str) -> Result<(String, Option<String>), String> {
        let head = format!("\r\n{fields}\r\n\r\n");
        match disposition(head.as_bytes()) {
            Ok(found) => Ok((found.name, found.file_name)),
            Err(error) => Err(error.to_string()),
        }
    }

    fn file_name(parameters: &str) -> Option<String> {
        let found = read(&format!(
            "Content-Disposition: form-data; name=\"file\"; {parameters}"
        ));
        found.unwrap().1
    }

    #[test]
    fn boundaries_are_read_as_clients_write_them() {
        for (content_type, expected) in [
            ("multipart/form-data; boundary=abc", "abc"),
            ("Multipart/Form-Data;charset=utf-8;BOUNDARY=\"a b;c\"", "a b;c"),
            (
                "multipart/form-data; boundary=----WebKitFormBoundaryx+/; x=y",
                "----WebKitFormBoundaryx+/",
            ),
            ("multipart/form-data; boundary = a ", "a"),
        ] {
            assert_eq!(boundary(content_type).unwrap(), expected, "{content_type}");
        }
    }

    #[test]
    fn content_types_without_a_boundary_are_refused() {
        let long = format!("multipart/form-data; boundary={}", "b".repeat(71));
        for wrong in [
            "multipart/form-data",
            "multipart/form-data; boundary=",
            "multipart/form-data; boundary=\"a \"",
            "multipart/form-data; boundary=ä",
            &long,
        ] {
            assert!(matches!(boundary(wrong), Err(FormError::Boundary)), "{wrong}");
        }
        for other in [
            "",
            "multipart/mixed; boundary=b",
            "multipart/form-database; boundary=b",
            "application/json",
        ] {
            assert!(matches!(boundary(other), Err(FormError::NoForm)), "{other}");
        }
    }

    #[test]
    fn file_names_are_read_in_every_spelling_in_use() {
        for (parameters, expected) in [
            (r#"filename="kite.jpg""#, "kite.jpg"),
            ("filename=kite.jpg", "kite.jpg"),
            ("FileName = kite one.jpg ; x=y", "kite one.jpg"),
            (r#"filename="a \"b\" \\ c; d.jpg""#, r#"a "b" \ c; d.jpg"#),
            (
                r#"filename="a %22b%22%0D%0A 100%25.jpg""#,
                "a \"b\"\r\n 100%25.jpg",
            ),
            (r#"filename="C:\photos\kite.jpg""#, r"C:\photos\kite.jpg"),
            (r#"filename="Drachen-ä-凧.jpg""#, "Drachen-ä-凧.jpg"),
            ("filename*=UTF-8''%e5%87%a7%20x.jpg", "凧 x.jpg"),
            (r#"filename="x.jpg"; filename*=utf-8'en'%C3%A4.jpg"#, "ä.jpg"),
            (r#"filename*=utf-8'en'%C3%A4.jpg; filename="x.jpg""#, "ä.jpg"),
            (r#"filename*=iso-8859-1''%E4.jpg"#, "ä.jpg"),
            (r#"filename*=koi8-r''%E4.jpg; filename="x.jpg""#, "x.jpg"),
            (r#"filename*=UTF-8''%ff; filename="x.jpg""#, "x.jpg"),
            (r#"filename*=UTF-8''100%.jpg"#, "100%.jpg"),
            (r#"filename="""#, ""),
            (r#"filename="no end"#, "no end"),
        ] {
            assert_eq!(file_name(parameters).as_deref(), Some(expected), "{parameters}");
        }
        assert_eq!(file_name("other=x"), None);
    }

    #[test]
    fn fields_may_come_in_any_order_folded_and_in_any_case() {
        let found = read(
            "content-TYPE: video/mp4\r\nX:\r\nCONTENT-disposition:Form-Data;\r\n name=a;\r\n\tfilename=b",
        );
        assert_eq!(found, Ok(("a".to_owned(), Some("b".to_owned()))));
    }

    #[test]
    fn heads_that_say_nothing_or_nonsense_are_refused() {
        for (fields, reason) in [
            ("content-type: text/plain", "no content-disposition"),
            ("content-disposition: form-data", "no name"),
            ("content-disposition: attachment; name=a", "other than form-data"),
            ("content-disposition form-data", "colon"),
            ("content-disposition: form-data; name=a\nx: y", "CR LF"),
        ] {
            let refused = read(fields).unwrap_err();
            assert!(refused.contains(reason), "{fields}: {refused}");
        }
        let on_the_line = disposition(b"x: y\r\ncontent-disposition: form-data; name=a\r\n\r\n");
        assert!(on_the_line.is_err());
    }
}
