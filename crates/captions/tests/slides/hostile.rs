//! Files made to harm.

use playout_captions::{Compositor, Fit, Patch, Refusal};
use proptest::prelude::*;

use crate::files::{CANVAS, Made, PLAIN, jpeg, lettering, turned};
use crate::photo::photo;

fn refusal(file: &[u8]) -> Refusal {
    Compositor::new()
        .bake_patch(file, &Patch::default(), Fit::Cover)
        .unwrap_err()
}

/// The file with another size in its frame header.
fn claiming(file: &[u8], (width, height): (u16, u16)) -> Vec<u8> {
    let mut file = file.to_vec();
    let frame = file
        .windows(4)
        .position(|four| four[..3] == [0xFF, 0xC0, 0])
        .unwrap();
    file[frame + 5..frame + 7].copy_from_slice(&height.to_be_bytes());
    file[frame + 7..frame + 9].copy_from_slice(&width.to_be_bytes());
    file
}

#[test]
fn a_picture_of_too_many_pixels_is_refused_before_it_is_decoded() {
    let file = jpeg(&photo((64, 64), 1), (64, 64), PLAIN);
    assert_eq!(
        refusal(&claiming(&file, (65_500, 65_500))),
        Refusal::TooLarge {
            width: 65_500,
            height: 65_500,
            most: 50
        }
    );
    let webp = b"RIFF\x1A\0\0\0WEBPVP8L\x0D\0\0\0\x2F\xFF\xFF\xFF\x0F\0\0\0\0\0\0\0\0\0";
    assert_eq!(
        refusal(webp),
        Refusal::TooLarge {
            width: 16_384,
            height: 16_384,
            most: 50
        }
    );
}

#[test]
fn a_thread_of_pixels_is_a_picture() {
    for size in [(16_000, 1), (1, 16_000)] {
        let file = jpeg(&photo(size, 1), size, PLAIN);
        for (fit, tag) in [(Fit::Cover, 1), (Fit::Contain, 1), (Fit::Contain, 6)] {
            assert!(
                Compositor::new()
                    .bake_patch(&turned(&file, tag), &Patch::default(), fit)
                    .is_ok()
            );
        }
    }
}

/// The file without its segments of this kind.
fn without(file: &[u8], marker: u8) -> Vec<u8> {
    let mut file = file.to_vec();
    while let Some(at) = file.windows(2).position(|two| two == [0xFF, marker]) {
        let length = usize::from(u16::from_be_bytes([file[at + 2], file[at + 3]]));
        file.drain(at..at + 2 + length);
    }
    file
}

#[test]
fn what_a_file_lacks_is_not_taken_from_the_one_before() {
    let whole = jpeg(&photo((64, 64), 1), (64, 64), PLAIN);
    let compositor = Compositor::new();
    for (marker, lacking) in [(0xDB, "quantisers"), (0xC4, "codes")] {
        let file = without(&whole, marker);
        let bake = |compositor: &Compositor| compositor.bake_patch(&file, &Patch::default(), Fit::Cover);
        let first = bake(&Compositor::new());
        compositor
            .bake_patch(&whole, &Patch::default(), Fit::Cover)
            .unwrap();
        assert!(bake(&compositor) == first, "{lacking}");
    }
    assert!(matches!(refusal(&without(&whole, 0xDB)), Refusal::Unreadable(_)));
}

#[test]
fn twelve_bits_a_channel_are_refused_in_so_many_words() {
    let mut file = jpeg(&photo((64, 64), 1), (64, 64), PLAIN);
    let frame = file
        .windows(3)
        .position(|three| three == [0xFF, 0xC0, 0])
        .unwrap();
    file[frame + 1] = 0xC1;
    file[frame + 4] = 12;
    assert_eq!(
        refusal(&file),
        Refusal::Unreadable("it has 12 bits a channel; 8 are taken".to_owned())
    );
}

#[test]
fn a_code_for_what_no_difference_can_be_is_not_copied_into_a_slide_although_nothing_uses_it() {
    let mut file = jpeg(&photo(CANVAS, 1), CANVAS, PLAIN);
    let of_differences = |five: &[u8]| five[..2] == [0xFF, 0xC4] && five[4] == 0;
    let table = file.windows(5).position(of_differences).unwrap();
    let codes: usize = file[table + 5..table + 21]
        .iter()
        .map(|count| usize::from(*count))
        .sum();
    let longest = &mut file[table + 20 + codes];
    assert_eq!(*longest, 11);
    *longest = 16;
    assert!(matches!(refusal(&file), Refusal::Unreadable(_)));
}

#[test]
fn a_picture_of_countless_scans_is_refused() {
    let file = jpeg(
        &photo((64, 64), 1),
        (64, 64),
        Made {
            is_progressive: true,
            ..PLAIN
        },
    );
    let last = file.windows(2).rposition(|two| two == [0xFF, 0xDA]).unwrap();
    let scan = file[last..file.len() - 2].repeat(100);
    let file = [&file[..last], &scan, &[0xFF, 0xD9]].concat();
    assert!(matches!(refusal(&file), Refusal::Unreadable(_)));
}

#[test]
fn a_patch_that_says_more_than_it_has_or_lies_elsewhere_does_no_harm() {
    let file = jpeg(&photo(CANVAS, 1), CANVAS, PLAIN);
    let bare = Compositor::new()
        .bake_patch(&file, &Patch::default(), Fit::Cover)
        .unwrap();
    let short = Patch {
        width: 900,
        height: 900,
        rgba: vec![255; 40],
        ..Patch::default()
    };
    let far = Patch {
        left: u32::MAX,
        top: u32::MAX,
        width: u32::MAX,
        height: u32::MAX,
        rgba: vec![255; 100],
    };
    for patch in [short, far] {
        assert!(Compositor::new().bake_patch(&file, &patch, Fit::Cover).unwrap() == bare);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_damaged_picture_is_a_slide_or_refused(
        kind in 0_usize..4,
        damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        in_header in any::<bool>(),
        cut in proptest::option::of(any::<prop::sample::Index>()),
    ) {
        let mut file = FILES.with(|files| files[kind].clone());
        let reach = if in_header { 700.min(file.len()) } else { file.len() };
        for (at, value) in damage {
            file[at.index(reach)] = value;
        }
        if let Some(cut) = cut {
            file.truncate(cut.index(file.len()));
        }
        let baked = Compositor::new().bake_patch(&file, &lettering((64, 600), (500, 200)), Fit::Contain);
        if let Ok(slide) = baked {
            prop_assert_eq!(crate::files::pixels(&slide).len(), 1080 * 1920 * 3);
        }
    }
}

thread_local! {
    /// A slide, a small picture, a progressive one and a WebP.
    static FILES: [Vec<u8>; 4] = [
        jpeg(&photo(CANVAS, 1), CANVAS, PLAIN),
        jpeg(&photo((300, 200), 1), (300, 200), PLAIN),
        jpeg(&photo((300, 200), 1), (300, 200), Made { is_progressive: true, ..PLAIN }),
        webp::Encoder::from_rgb(&photo((300, 200), 1), 300, 200).encode(80.0).to_vec(),
    ];
}
