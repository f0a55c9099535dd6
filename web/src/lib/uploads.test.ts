import { expect, test } from "vitest";
import { asJpeg, fateOf, isSameFile, type Kept, metadata, pauseMs, readKept, speedometer } from "./uploads";

const KEPT: Kept = {
  uploadId: "u1",
  workspace: "w1",
  name: "reef.mov",
  size: 9,
  lastModified: 5,
  folderId: null,
  begunAt: 1_000,
};

test("files are sent, made JPEGs, or left out", () => {
  const fate = (name: string, type = "") => fateOf({ name, type });
  expect([fate("a.jpg", "image/jpeg"), fate("clip.MOV"), fate("b.webp", "image/webp")]).toEqual(Array(3).fill("send"));
  expect([fate("shot.png", "image/png"), fate("IMG_1.HEIC"), fate("c.avif", "image/avif")]).toEqual(
    Array(3).fill("convert"),
  );
  expect([fate(".DS_Store"), fate("._a.jpg", "image/jpeg"), fate("notes.txt", "text/plain"), fate("x")]).toEqual(
    Array(4).fill("leave"),
  );
});

test("a declared type counts for more than a name", () => {
  expect(fateOf({ name: "clip.mp4", type: "text/html" })).toBe("leave");
  expect(fateOf({ name: "no ending", type: "video/mp4" })).toBe("send");
});

test("what becomes a JPEG is called one", () => {
  expect(asJpeg("shot.of.png")).toBe("shot.of.jpg");
  expect(asJpeg("pasted")).toBe("pasted.jpg");
});

test("metadata carry any name", () => {
  expect(metadata({ filename: "clip.mp4", filetype: "video/mp4", folderId: null })).toBe(
    "filename Y2xpcC5tcDQ=,filetype dmlkZW8vbXA0",
  );
  expect(metadata({ filename: "Flüge 🪁.mp4" })).toBe("filename RmzDvGdlIPCfqoEubXA0");
});

test("pauses grow, and stay bearable", () => {
  expect([1, 2, 3, 4, 5, 6, 40].map(pauseMs)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
});

test("a file is known again by its name, size and time", () => {
  expect(isSameFile(KEPT, { name: "reef.mov", size: 9, lastModified: 5 })).toBe(true);
  expect(isSameFile(KEPT, { name: "reef.mov", size: 9, lastModified: 6 })).toBe(false);
});

test("only complete and recent records are resumed", () => {
  const day = 24 * 3_600_000;
  const text = JSON.stringify([KEPT, { ...KEPT, size: "9" }, null, { ...KEPT, begunAt: 1_000 - day }]);
  expect(readKept(text, 2_000)).toEqual([KEPT]);
  expect(readKept(text, 1_000 + day)).toEqual([]);
  for (const broken of [null, "", "{}", "not JSON", "7"]) expect(readKept(broken, 0)).toEqual([]);
});

test("speed is known after a first interval, and follows the transfer", () => {
  const speed = speedometer(5_000);
  expect(speed(0, 0)).toBeNull();
  expect(speed(100, 100)).toBeNull();
  expect(speed(2_000_000, 1_000)).toBe(2_000_000);
  expect(speed(2_000_000, 5_900)).toBeLessThan(1);
});
