import { resolveZone } from '@firmdesk/recurrence';
import { type Component, componentsNamed } from './components.ts';
import { IcsError } from './properties.ts';
import { type Onset, offsetAt, onsetsOf, textIn } from './zone-definition.ts';
import { zoneOfName } from './zone-names.ts';
import { zoneWithOnsets } from './zone-with-onsets.ts';

/** The maximum number of years of custom VTIMEZONEs in a document. Matching one takes some milliseconds. */
const MAX_CUSTOM_ZONES = 20;

/**
 * Returns the IANA zone of a TZID at a wall time (ms, with the fields read as UTC), or only its instant if the zone is none of IANA's. Throws
 * `IcsError` for an unknown zone.
 */
export type ZoneFinder = (tzid: string, wall: number) => string | { instant: number };

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
  const known = new Map<string, CustomZone>();
  const customZone = (definition: Component, year: number): CustomZone => {
    const key = `${year} ${contentOf(definition)}`;
    let zone = known.get(key);
    if (!zone) {
      if (known.size >= MAX_CUSTOM_ZONES)
        throw new IcsError(`the document has more than ${MAX_CUSTOM_ZONES} time zones of its own`);
      const onsets = onsetsOf(definition, year);
      zone = { onsets, zone: onsets.length > 0 ? zoneLike(definition, onsets, year) : null };
      known.set(key, zone);
    }
    return zone;
  };
  return (object) => {
    const definitions = new Map<string, Component>();
    for (const component of componentsNamed('VTIMEZONE', object)) {
      const tzid = textIn(component, 'TZID');
      if (tzid !== null) definitions.set(tzid.trim(), component);
    }
    return (tzid, wall) => {
      const exact = resolveZone(tzid);
      if (exact !== null) return exact;
      const definition = definitions.get(tzid.trim());
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

function contentOf({ lines, children }: Component): string {
  return [...lines.map(({ text }) => text), ...children.map(contentOf)].join('\n');
}

function zoneLike(definition: Component, onsets: readonly Onset[], year: number): string | null {
  return resolveZone(textIn(definition, 'X-LIC-LOCATION') ?? '') ?? zoneWithOnsets(onsets, year);
}
