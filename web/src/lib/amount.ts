/** Amounts for people. */

const whole = new Intl.NumberFormat("en");
const short = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const UNITS = ["bytes", "kB", "MB", "GB", "TB", "PB"];

/** `1,204`. */
export const count = (value: number): string => whole.format(value);

/** `12.4 MB`, in powers of a thousand as providers and disks use them. */
export function bytes(value: number): string {
  const step = value < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(value) / 3));
  return `${short.format(value / 1000 ** step)} ${UNITS[step]}`;
}

/** The used part of a limit, from 0 to 1; without a limit 0. */
export function fill(used: number, limit: number | null | undefined): number {
  if (limit === null || limit === undefined) return 0;
  return limit <= 0 ? 1 : Math.min(1, used / limit);
}
