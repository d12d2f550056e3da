import { WINDOWS_ZONES } from './windows-zones.ts';

/** Zones for which `Intl` uses an outdated name, and their current name in the tz database. */
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

/** Maximum number of cached names. */
const MAX_CACHED = 2000;

const cache = new Map<string, string | null>();

/**
 * Returns the IANA zone that a name stands for, under its current name in the tz database, or null for an unknown name.
 * Accepts IANA names in any case, their aliases (`US/Eastern`), Windows names (`Eastern Standard Time`) and the globally
 * unique form of libical and Mozilla (`/mozilla.org/20050126_1/Europe/Berlin`). Rejects plain offsets (`+05:00`).
 */
export function resolveZone(name: string): string | null {
  const cached = cache.get(name);
  if (cached !== undefined) return cached;
  if (name.length > MAX_NAME_LENGTH) return null;
  const zone = intlName(WINDOWS_ZONES.get(name) ?? name) ?? globallyUnique(name);
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(name, zone);
  return zone;
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

/** Returns the zone of `/vendor/version/Area/City`: the shortest suffix that is a zone with an area. */
function globallyUnique(name: string): string | null {
  if (!name.startsWith('/')) return null;
  const parts = name.split('/');
  for (const length of [2, 3]) {
    const zone = intlName(parts.slice(-length).join('/'));
    if (zone !== null) return zone;
  }
  return null;
}
