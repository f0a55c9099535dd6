//! Identifiers of the elements that matter here (RFC 8794, RFC 9559).

pub(super) const SEGMENT: u32 = 0x1853_8067;
pub(super) const INFO: u32 = 0x1549_A966;
pub(super) const TIMESTAMP_SCALE: u32 = 0x2A_D7B1;
pub(super) const DURATION: u32 = 0x4489;
pub(super) const TRACKS: u32 = 0x1654_AE6B;
pub(super) const TRACK_ENTRY: u32 = 0xAE;
pub(super) const TRACK_NUMBER: u32 = 0xD7;
pub(super) const TRACK_TYPE: u32 = 0x83;
pub(super) const CODEC_ID: u32 = 0x86;
pub(super) const DEFAULT_DURATION: u32 = 0x23_E383;
pub(super) const VIDEO: u32 = 0xE0;
pub(super) const PIXEL_WIDTH: u32 = 0xB0;
pub(super) const PIXEL_HEIGHT: u32 = 0xBA;
pub(super) const DISPLAY_WIDTH: u32 = 0x54B0;
pub(super) const DISPLAY_HEIGHT: u32 = 0x54BA;
pub(super) const DISPLAY_UNIT: u32 = 0x54B2;
pub(super) const CLUSTER: u32 = 0x1F43_B675;
pub(super) const TIMESTAMP: u32 = 0xE7;
pub(super) const BLOCK_GROUP: u32 = 0xA0;
pub(super) const BLOCK: u32 = 0xA1;
pub(super) const SIMPLE_BLOCK: u32 = 0xA3;
