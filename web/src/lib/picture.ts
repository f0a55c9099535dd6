/** Converts pictures that the service does not accept, such as PNG screenshots, to JPEG. */

const TAKEN = /^(image\/(jpeg|webp)|video\/(mp4|webm|quicktime))$/;
/** The longest side that is kept; providers show less. */
const LONGEST = 4096;
const QUALITY = 0.92;

/** Whether the service accepts a file of this type unconverted. */
export const isTaken = (type: string): boolean => TAKEN.test(type);

/** The size within the longest side, in the same proportions. */
export function within(width: number, height: number, longest = LONGEST): { width: number; height: number } {
  const scale = Math.min(1, longest / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/**
 * A file that the service accepts; a picture that the browser cannot decode is returned unchanged, and the service rejects
 * it.
 */
export async function prepared(file: File): Promise<File> {
  if (isTaken(file.type) || !file.type.startsWith("image/")) return file;
  try {
    const picture = await createImageBitmap(file);
    const { width, height } = within(picture.width, picture.height);
    const canvas = new OffscreenCanvas(width, height);
    const drawing = canvas.getContext("2d");
    if (!drawing) return file;
    // Transparent areas would be black otherwise.
    drawing.fillStyle = "#fff";
    drawing.fillRect(0, 0, width, height);
    drawing.drawImage(picture, 0, 0, width, height);
    const bytes = await canvas.convertToBlob({ type: "image/jpeg", quality: QUALITY });
    return new File([bytes], file.name.replace(/(\.\w+)?$/, ".jpg"), { type: "image/jpeg" });
  } catch {
    return file;
  }
}
