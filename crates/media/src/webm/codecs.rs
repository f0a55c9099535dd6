//! The usual short names of codecs, from how Matroska spells them.

/// The usual short name of a Matroska codec (RFC 9559, "Codec Mappings").
pub(super) fn codec_name(codec_id: &str) -> String {
    let name = match codec_id {
        "V_VP8" => "vp8",
        "V_VP9" => "vp9",
        "V_AV1" => "av1",
        "V_MPEG4/ISO/AVC" => "h264",
        "V_MPEGH/ISO/HEVC" => "h265",
        "A_OPUS" => "opus",
        "A_VORBIS" => "vorbis",
        "A_FLAC" => "flac",
        aac if aac.starts_with("A_AAC") => "aac",
        pcm if pcm.starts_with("A_PCM") => "pcm",
        other => {
            return other
                .trim_start_matches("V_")
                .trim_start_matches("A_")
                .to_ascii_lowercase();
        }
    };
    name.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codecs_are_named_as_in_other_containers() {
        assert_eq!(codec_name("V_MPEG4/ISO/AVC"), "h264");
        assert_eq!(codec_name("A_AAC/MPEG4/LC"), "aac");
        assert_eq!(codec_name("V_THEORA"), "theora");
    }
}
