//! The usual short names of codecs, from how sample descriptions spell them.

/// The MPEG-4 object type in an `esds` box (ISO/IEC 14496-1 §7.2.6): what `mp4v` and `mp4a` really are.
pub(super) fn object_type(entry: &[u8]) -> Option<u8> {
    let at = entry.windows(4).position(|window| window == b"esds")?;
    let stream = descriptor(entry.get(at + 8..)?, ES_DESCRIPTOR)?;
    let flags = *stream.get(2)?;
    let optional = if flags & 0x80 != 0 { 2 } else { 0 } + if flags & 0x20 != 0 { 2 } else { 0 };
    let decoder = descriptor(stream.get(3 + optional..)?, DECODER_CONFIG_DESCRIPTOR)?;
    decoder.first().copied()
}

const ES_DESCRIPTOR: u8 = 0x03;
const DECODER_CONFIG_DESCRIPTOR: u8 = 0x04;

/// The body of the descriptor `tag` that `bytes` begin with: behind the tag and a length of one to four bytes.
fn descriptor(bytes: &[u8], tag: u8) -> Option<&[u8]> {
    let rest = bytes.strip_prefix(&[tag])?;
    let last_of_length = rest.iter().take(4).position(|byte| byte & 0x80 == 0)?;
    rest.get(last_of_length + 1..)
}

/// The usual short name of a sample entry's code (mp4ra.org, "Codecs").
pub(super) fn codec_name(code: [u8; 4], object_type: Option<u8>) -> String {
    let name = match &code {
        b"avc1" | b"avc2" | b"avc3" | b"avc4" => "h264",
        b"hvc1" | b"hev1" | b"dvh1" | b"dvhe" => "h265",
        b"vp08" => "vp8",
        b"vp09" => "vp9",
        b"av01" => "av1",
        b"mp4v" => match object_type {
            Some(0x60..=0x65) => "mpeg2",
            Some(0x6A) => "mpeg1",
            _ => "mpeg4",
        },
        b"apch" | b"apcn" | b"apcs" | b"apco" | b"ap4h" | b"ap4x" => "prores",
        b"jpeg" | b"mjpa" | b"mjpb" => "mjpeg",
        b"encv" | b"enca" => "encrypted",
        b"mp4a" => match object_type {
            Some(0x69 | 0x6B) => "mp3",
            Some(0xA5) => "ac3",
            Some(0xA6) => "eac3",
            _ => "aac",
        },
        b"Opus" => "opus",
        b"fLaC" => "flac",
        b".mp3" => "mp3",
        b"ac-3" => "ac3",
        b"ec-3" => "eac3",
        b"samr" | b"sawb" => "amr",
        b"sowt" | b"twos" | b"lpcm" | b"in24" | b"in32" | b"fl32" | b"raw " | b"ipcm" => "pcm",
        _ => return printable(code),
    };
    name.to_owned()
}

fn printable(code: [u8; 4]) -> String {
    let letters = code.iter().filter(|byte| byte.is_ascii_graphic());
    letters
        .map(|byte| char::from(byte.to_ascii_lowercase()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_mpeg4_code_is_named_by_what_its_descriptor_says() {
        let esds = b"esds\0\0\0\0\x03\x80\x80\x80\x22\0\0\0\x04\x80\x80\x80\x14\x6B";
        assert_eq!(object_type(esds), Some(0x6B));
        assert_eq!(codec_name(*b"mp4a", Some(0x6B)), "mp3");
        assert_eq!(codec_name(*b"mp4a", None), "aac");
        assert_eq!(codec_name(*b"XYZ ", None), "xyz");
    }
}
