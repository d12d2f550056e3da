const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** In minutes (RFC 5322 §4.3). Other names of zones have several meanings, and count as UTC. */
const ZONES: Record<string, number> = {
  EDT: -240,
  EST: -300,
  CDT: -300,
  CST: -360,
  MDT: -360,
  MST: -420,
  PDT: -420,
  PST: -480,
};

const TIME = String.raw`(?<hour>\d{1,2})[:.](?<minute>\d{1,2})(?:[:.](?<second>\d{1,2}))?(?:\.\d{1,9})?(?:\s{0,3}(?<half>[ap])\.?m\b)?`;
/** An offset, or the name of a zone. What follows, such as another name, adds nothing. */
const ZONE = String.raw`\s{0,9}(?:(?:GMT|UTC?|Z)?\s{0,3}(?<offset>[+-](?:\d{1,2}:?\d{2}|\d{1,2}))|(?<zone>[a-z]{1,5}))?`;
const FORMS = [
  // RFC 5322.
  String.raw`(?:^|[\s,])(?<day>\d{1,2})[\s-]{1,9}(?<month>[a-z]{3})[a-z]{0,6}\.?,?[\s-]{1,9}(?<year>\d{2,4})[\s,]{1,9}${TIME}${ZONE}`,
  // The forms of JavaScript, and of people in the United States.
  String.raw`(?:^|[\s,])(?<month>[a-z]{3})[a-z]{0,6}\.?\s{1,9}(?<day>\d{1,2}),?\s{1,9}(?<year>\d{4})[\s,]{1,9}${TIME}${ZONE}`,
  // As `asctime` of C writes it.
  String.raw`(?<month>[a-z]{3})\s{1,9}(?<day>\d{1,2})\s{1,9}${TIME}\s{1,9}(?:[a-z]{1,5}\s{1,9})?(?<year>\d{4})${ZONE}`,
].map((source) => new RegExp(source, 'i'));

/** Reads a `Date` header (RFC 5322 §3.3), also with common deviations. Returns ISO 8601, or null if it is no date. */
export function readDate(header: string): string | null {
  const text = header.slice(0, 200).replace(/\([^()]*\)/g, ' ');
  for (const form of FORMS) {
    const at = instantOf(form.exec(text)?.groups);
    if (at !== null) return isoOf(at);
  }
  return /\d{4}-\d\d-\d\d/.test(text) ? isoOf(Date.parse(text.trim())) : null;
}

function isoOf(at: number): string | null {
  return at >= 0 && at < Date.parse('9999-12-31') ? new Date(at).toISOString() : null;
}

/** Returns the instant of the parts of a date, or null if it is none. */
function instantOf(parts: Record<string, string | undefined> | undefined): number | null {
  if (!parts) return null;
  const { month = '', year = '', half, offset, zone = '' } = parts;
  const [day, hour, minute, second] = [
    parts['day'],
    parts['hour'],
    parts['minute'],
    parts['second'] ?? 0,
  ].map(Number) as [number, number, number, number];
  const index = MONTHS.indexOf(month.toLowerCase());
  const isValid = index >= 0 && day >= 1 && day <= 31 && hour <= 24 && minute <= 59 && second <= 60;
  if (!isValid) return null;
  const hours = half ? (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : hour;
  const local = Date.UTC(fullYear(year), index, day, hours, minute, second);
  return local - (offset ? offsetMinutes(offset) : (ZONES[zone.toUpperCase()] ?? 0)) * 60_000;
}

/** Years of two and three digits (RFC 5322 §4.3). */
function fullYear(year: string): number {
  const value = Number(year);
  if (year.length === 2) return value + (value < 50 ? 2000 : 1900);
  return year.length === 3 ? value + 1900 : value;
}

function offsetMinutes(offset: string): number {
  const written = offset.slice(1).replace(':', '');
  const digits = (written.length <= 2 ? `${written}00` : written).padStart(4, '0');
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2));
  return offset.startsWith('-') ? -minutes : minutes;
}
