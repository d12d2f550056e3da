import { WINDOWS_ZONES } from './windows-zones.ts';

/** Zones that `Intl` still names in the old spelling, and the name that the tz database gives them today. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['Africa/Asmera', 'Africa/Asmara'],
  ['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['America/Catamarca', 'America/Argentina/Catamarca'],
  ['America/Coral_Harbour', 'America/Atikokan'],
  ['America/Cordoba', 'America/Argentina/Cordoba'],
  ['America/Godthab', 'America/Nuuk'],
  ['America/Indianapolis', 'America/Indiana/Indianapolis'],
  ['America/Jujuy', 'America/Argentina/Jujuy'],
  ['America/Louisville', 'America/Kentucky/Louisville'],
  ['America/Mendoza', 'America/Argentina/Mendoza'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Asia/Katmandu', 'Asia/Kathmandu'],
  ['Asia/Rangoon', 'Asia/Yangon'],
  ['Asia/Saigon', 'Asia/Ho_Chi_Minh'],
  ['Atlantic/Faeroe', 'Atlantic/Faroe'],
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['Pacific/Enderbury', 'Pacific/Kanton'],
  ['Pacific/Ponape', 'Pacific/Pohnpei'],
  ['Pacific/Truk', 'Pacific/Chuuk'],
]);

const MAX_NAME_LENGTH = 120;

/** Answers kept: a name asked for twice costs one lookup. */
const MAX_ANSWERS = 2000;

const answers = new Map<string, string | null>();

/**
 * The IANA zone that a name means, in the tz database's present spelling; null when it means none. Takes IANA names in any
 * case, their aliases (`US/Eastern`), Windows names (`Eastern Standard Time`) and the globally unique form of libical and
 * Mozilla (`/mozilla.org/20050126_1/Europe/Berlin`). Bare offsets (`+05:00`) are no zones.
 */
export function resolveZone(name: string): string | null {
  const known = answers.get(name);
  if (known !== undefined) return known;
  if (name.length > MAX_NAME_LENGTH) return null;
  const answer = intlName(WINDOWS_ZONES.get(name) ?? name) ?? globallyUnique(name);
  if (answers.size >= MAX_ANSWERS) answers.clear();
  answers.set(name, answer);
  return answer;
}

function intlName(name: string): string | null {
  if (!/^[A-Za-z]/.test(name)) return null;
  try {
    const found = new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
    return RENAMED.get(found) ?? found;
  } catch {
    return null;
  }
}

/** `/vendor/version/Area/City`: the shortest ending that is a zone with an area. */
function globallyUnique(name: string): string | null {
  if (!name.startsWith('/')) return null;
  const parts = name.split('/');
  for (const length of [2, 3]) {
    const zone = intlName(parts.slice(-length).join('/'));
    if (zone !== null) return zone;
  }
  return null;
}
