/** Amounts as people read them. */

const whole = new Intl.NumberFormat("en");
const short = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const UNITS = ["bytes", "kB", "MB", "GB", "TB", "PB"];

/** `1,204`. */
export const count = (value: number): string => whole.format(value);

/** `12.4 MB`, in powers of a thousand as providers and disks state them. */
export function bytes(value: number): string {
  const step = value < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(value) / 3));
  return `${short.format(value / 1000 ** step)} ${UNITS[step]}`;
}

/** How full something is, from 0 to 1; without a limit never. */
export function fill(used: number, limit: number | null | undefined): number {
  if (limit === null || limit === undefined) return 0;
  return limit <= 0 ? 1 : Math.min(1, used / limit);
}
