import { LOCALE } from '../ui/time/time.ts';

const kilobytes = new Intl.NumberFormat(LOCALE, {
  style: 'unit',
  unit: 'kilobyte',
  maximumFractionDigits: 0,
});
const megabytes = new Intl.NumberFormat(LOCALE, {
  style: 'unit',
  unit: 'megabyte',
  maximumFractionDigits: 1,
});

/** Returns a size for people: `48 kB`, `2.4 MB`. */
export function formatSize(bytes: number): string {
  return bytes < 1_000_000
    ? kilobytes.format(Math.max(1, bytes / 1_000))
    : megabytes.format(bytes / 1_000_000);
}
