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

/** Day, month, year, hour, minute, second and zone. What follows, such as the name of the zone, adds nothing. */
const DATE =
  /(?:^|[\s,])(\d{1,2})[\s-]{1,9}([a-z]{3})[a-z]{0,6}\.?,?[\s-]{1,9}(\d{2,4})[\s,]{1,9}(\d{1,2})[:.](\d{1,2})(?:[:.](\d{1,2}))?(?:\.\d{1,9})?\s{0,9}(?:(?:GMT|UTC?|Z)?\s{0,3}([+-]\d{1,2}:?\d{2})|([a-z]{1,5}))?/i;
/** As `asctime` of C writes it. */
const ASCTIME =
  /([a-z]{3})\s{1,9}(\d{1,2})\s{1,9}(\d{1,2}):(\d{2}):(\d{2})\s{1,9}(?:[a-z]{1,5}\s{1,9})?(\d{4})/i;

/** Reads a `Date` header (RFC 5322 §3.3), also with common deviations. Returns ISO 8601, or null if it is no date. */
export function readDate(header: string): string | null {
  const text = header.slice(0, 200);
  const at =
    readRfc5322(text) ?? readAsctime(text) ?? Date.parse(/\d{4}-\d\d-\d\d/.test(text) ? text.trim() : '');
  return at >= 0 && at < Date.parse('9999-12-31') ? new Date(at).toISOString() : null;
}

function readRfc5322(text: string): number | null {
  const match = DATE.exec(text);
  if (!match) return null;
  const [, day, month, year, hour, minute, second = '0', offset, zone = ''] = match;
  const minutes = offset ? offsetMinutes(offset) : (ZONES[zone.toUpperCase()] ?? 0);
  const local = utc(fullYear(year!), month!, [day!, hour!, minute!, second].map(Number));
  return local === null ? null : local - minutes * 60_000;
}

function readAsctime(text: string): number | null {
  const match = ASCTIME.exec(text);
  if (!match) return null;
  const [, month, day, hour, minute, second, year] = match;
  return utc(Number(year), month!, [day!, hour!, minute!, second!].map(Number));
}

function utc(year: number, month: string, [day, hour, minute, second]: number[]): number | null {
  const index = MONTHS.indexOf(month.toLowerCase());
  const isValid = index >= 0 && day! >= 1 && day! <= 31 && hour! <= 24 && minute! <= 59 && second! <= 60;
  return isValid ? Date.UTC(year, index, day, hour, minute, second) : null;
}

/** Years of two and three digits (RFC 5322 §4.3). */
function fullYear(year: string): number {
  const value = Number(year);
  if (year.length === 2) return value + (value < 50 ? 2000 : 1900);
  return year.length === 3 ? value + 1900 : value;
}

function offsetMinutes(offset: string): number {
  const digits = offset.slice(1).replace(':', '').padStart(4, '0');
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2));
  return offset.startsWith('-') ? -minutes : minutes;
}
