/** Converts pictures that the service does not accept to JPEG. */
import { asJpeg } from "@/lib/uploads";

const QUALITY = 0.92;

/** A JPEG of a picture, on white where it is transparent; fails if the browser cannot decode it. */
export async function toJpeg(file: File): Promise<File> {
  const picture = await createImageBitmap(file);
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("no canvas");
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, picture.width, picture.height);
  pen.drawImage(picture, 0, 0);
  picture.close();
  const jpeg = await canvas.convertToBlob({ type: "image/jpeg", quality: QUALITY });
  return new File([jpeg], asJpeg(file.name), { type: jpeg.type, lastModified: file.lastModified });
}
