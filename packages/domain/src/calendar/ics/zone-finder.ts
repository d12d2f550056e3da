import { resolveZone } from '@firmdesk/recurrence';
import { type Component, componentsNamed } from './components.ts';
import { IcsError } from './properties.ts';
import { type Observance, type Onset, observancesOf, offsetAt, onsetsOf, textIn } from './zone-definition.ts';
import { zoneOfName } from './zone-names.ts';
import { allZones, zoneWithOnsets } from './zone-with-onsets.ts';

/** The maximum number of searches for the IANA zone of a VTIMEZONE in a document. One takes some milliseconds. */
const MAX_SEARCHES = 20;

/** The maximum number of years in which the VTIMEZONEs of a document are computed. */
const MAX_YEARS = 1_000;

/**
 * Returns the IANA zone of a TZID at a wall time (ms, with the fields read as UTC), or only its instant if the zone is none of IANA's. Throws
 * `IcsError` for an unknown zone.
 */
export type ZoneFinder = (tzid: string, wall: number) => string | { instant: number };

/** A VTIMEZONE of a document. */
interface Definition {
  observances: Observance[];
  /** The zone that it names (X-LIC-LOCATION). */
  hint: string | null;
  /** The IANA zones with its offsets in some years. */
  zones: Set<string>;
  byYear: Map<number, CustomZone>;
}

interface CustomZone {
  onsets: Onset[];
  /** The IANA zone with the same offsets, or null. */
  zone: string | null;
}

/**
 * Returns a function that makes the zone finder of an iCalendar object of a document: a TZID refers to a VTIMEZONE in its own object. The name of an
 * IANA or Windows zone means that zone, even if its VTIMEZONE differs. Any other TZID means an IANA zone with the same offsets as its
 * VTIMEZONE in the year of the time; without one, its name may still have one meaning.
 */
export function zoneFinders(): (object: readonly Component[]) => ZoneFinder {
  // Joined files repeat their time zones.
  const byContent = new Map<string, Definition>();
  let searches = 0;
  let years = 0;
  const customZone = ({ observances, hint, zones, byYear }: Definition, year: number): CustomZone => {
    const known = byYear.get(year);
    if (known) return known;
    if (years++ >= MAX_YEARS) throw new IcsError('the document has too many time zones of its own');
    const onsets = onsetsOf(observances, year);
    let zone = hint;
    if (zone === null && onsets.length > 0) {
      zone = zoneWithOnsets(onsets, year, zones);
      if (zone === null && searches++ < MAX_SEARCHES) zone = zoneWithOnsets(onsets, year, allZones());
      if (zone !== null) zones.add(zone);
    }
    byYear.set(year, { onsets, zone });
    return { onsets, zone };
  };
  return (object) => {
    const definitions = new Map<string, Definition>();
    for (const component of componentsNamed('VTIMEZONE', object)) {
      const tzid = textIn(component, 'TZID');
      if (tzid === null) continue;
      const content = contentOf(component);
      const definition = byContent.get(content) ?? definitionOf(component);
      byContent.set(content, definition);
      definitions.set(keyOf(tzid), definition);
    }
    return (tzid, wall) => {
      const exact = resolveZone(tzid);
      if (exact !== null) return exact;
      const definition = definitions.get(keyOf(tzid));
      const custom = definition && customZone(definition, new Date(wall).getUTCFullYear());
      const zone = custom?.zone ?? zoneOfName(tzid);
      if (typeof zone === 'string') return zone;
      if (zone) return { instant: wall - zone.offset };
      if (custom && custom.onsets.length > 0) return { instant: wall - offsetAt(custom.onsets, wall) };
      const shown = JSON.stringify(tzid.slice(0, 80));
      throw new IcsError(
        custom
          ? `the VTIMEZONE of the time zone ${shown} cannot be read`
          : `the time zone ${shown} is unknown and the document has no VTIMEZONE for it`,
      );
    };
  };
}

/** Parameter values are compared without regard to case (RFC 5545 §2). */
function keyOf(tzid: string): string {
  return tzid.trim().toLowerCase();
}

function definitionOf(component: Component): Definition {
  const hint = resolveZone(textIn(component, 'X-LIC-LOCATION') ?? '');
  return { observances: observancesOf(component), hint, zones: new Set(), byYear: new Map() };
}

function contentOf({ lines, children }: Component): string {
  return [...lines.map(({ text }) => text), ...children.map(contentOf)].join('\n');
}
