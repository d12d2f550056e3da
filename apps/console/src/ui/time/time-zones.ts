/**
 * The names that IANA has given to renamed zones. Browsers list, and some return, the names from before. A zone of either name is the same.
 */
const RENAMED: Record<string, string> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};
const BEFORE = new Map(Object.entries(RENAMED).map(([before, name]) => [name, before]));

/** Returns the current name of a time zone. */
export function currentZone(zone: string): string {
  return RENAMED[zone] ?? zone;
}

/** Returns whether the browser knows a time zone. The server can know newer ones. */
export function isKnownZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/** Returns the zone in which times are shown: UTC for one that the browser does not know. */
export function shownZone(zone: string): string {
  return isKnownZone(zone) ? zone : 'UTC';
}

/** Returns the current names of all time zones, and of those given, in order. */
export function timeZones(...others: string[]): string[] {
  return [...new Set(['UTC', ...others, ...Intl.supportedValuesOf('timeZone')].map(currentZone))].sort();
}

/** Returns a zone as people read it: `Asia/Ho Chi Minh`. */
export function zoneName(zone: string): string {
  return currentZone(zone).replaceAll('_', ' ');
}

/** Returns what a zone is found by: its name, and the one from before. */
export function zoneSearchText(zone: string): string {
  return `${zone.replace(/[/_]/g, ' ')} ${zoneName(zone)} ${(BEFORE.get(zone) ?? '').replace(/[/_]/g, ' ')}`;
}
