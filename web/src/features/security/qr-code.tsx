import { encode } from "uqr";

/** The quiet zone, in modules (ISO/IEC 18004 §6.3.8). */
const QUIET = 4;

/** A text as a QR code, dark on light in any theme. Drawn in the browser: the text is not sent anywhere. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: "M", border: QUIET });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="mx-auto size-52 rounded-lg border border-line"
    >
      <rect width={size} height={size} fill="#fff" />
      <path fill="#000" d={dark.join("")} />
    </svg>
  );
}
