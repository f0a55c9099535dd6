// How a caption looks, in pixels of a slide of 1080 by 1920.

export const SIZE = 70
export const PITCH = 84
export const OUTLINE = 6
/** How wide a line may be, and the middle of the safe area. */
export const WIDTH = 824
export const MIDDLE = { x: 540, y: 775 }

const LATIN = ['TikTokSans-Bold.ttf', 'TikTok Sans']
const EMOJI = ['NotoColorEmoji.ttf', 'Noto Color Emoji']
/** The font of each script that the first does not have. */
const OTHERS = [
  [/\p{Script=Hebrew}/u, 'NotoSansHebrew-Bold.ttf', 'Noto Sans Hebrew'],
  [/\p{Script=Arabic}/u, 'NotoSansArabic-Bold.ttf', 'Noto Sans Arabic'],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'NotoSansJP-Bold.ttf', 'Noto Sans JP'],
  [/\p{Script=Hangul}/u, 'NotoSansKR-Bold.ttf', 'Noto Sans KR'],
  [/\p{Script=Han}/u, 'NotoSansSC-Bold.ttf', 'Noto Sans SC'],
  [/\p{Script=Thai}/u, 'NotoSansThai-Bold.ttf', 'Noto Sans Thai'],
  [/\p{Script=Devanagari}/u, 'NotoSansDevanagari-Bold.ttf', 'Noto Sans Devanagari'],
  [/\p{Script=Bengali}/u, 'NotoSansBengali-Bold.ttf', 'Noto Sans Bengali'],
  [/[\u{1d400}-\u{1d7ff}]/u, 'NotoSansMath-Regular.ttf', 'Noto Sans Math'],
]

/** Every font: its file and the name that it goes by. */
export const FONTS = [LATIN, ...OTHERS.map(([, file, family]) => [file, family]), EMOJI]

/** The font that a caption needs most. */
export function fontOf(text) {
  const [, file, family] = OTHERS.find(([script]) => script.test(text)) ?? ['', ...LATIN]
  return { font: file, family }
}

/** Names of fonts for a caption, the one for most of its letters first. */
export function familiesOf({ family }) {
  return [...new Set([LATIN[1], family, 'Noto Sans Symbols 2', EMOJI[1]])].map((name) => `'${name}'`).join(', ')
}
