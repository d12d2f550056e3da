import ICAL from 'ical.js';
import type { Component, ContentLine } from './components.ts';
import { type ContentLineParts, propertyNameOf, splitContentLine } from './content-line.ts';

/** A property of a component, with its values as parsed by ical.js (jCal, RFC 7265). */
export interface Property {
  line: number;
  /** By upper-case name. */
  params: ReadonlyMap<string, string>;
  values: readonly unknown[];
}

export type Properties = ReadonlyMap<string, readonly Property[]>;

/** Something in the document that was ignored or interpreted differently. */
export interface Note {
  line: number;
  message: string;
}

/** The reason why an event cannot be imported. */
export class IcsError extends Error {
  override readonly name = 'IcsError';
}

/** Returns the wanted properties of a component by upper-case name. A line that cannot be read is ignored, with a note. */
export function propertiesOf(component: Component, wanted: ReadonlySet<string>, notes: Note[]): Properties {
  const found = new Map<string, Property[]>();
  for (const content of component.lines) {
    const name = propertyNameOf(content.text);
    if (name === null) {
      notes.push({ line: content.line, message: 'the line is not a property and was ignored' });
      continue;
    }
    if (!wanted.has(name)) continue;
    const property = readProperty(content);
    const list = found.get(name);
    if (!property) notes.push({ line: content.line, message: `${name} cannot be read and was left out` });
    else if (list) list.push(property);
    else found.set(name, [property]);
  }
  return found;
}

/** Properties whose values ical.js must return as text. */
const VERBATIM = new Set(['RRULE', 'SEQUENCE', 'TZOFFSETFROM', 'TZOFFSETTO']);

/** Properties with lists of times. */
const TIMES = new Set(['DTSTART', 'DTEND', 'DTSTAMP', 'RECURRENCE-ID', 'EXDATE', 'RDATE']);

/** Reads a line. Its value has the form that it shows: a VALUE parameter is often wrong. Returns null if it cannot be read. */
export function readProperty({ text, line }: ContentLine): Property | null {
  const parts = splitContentLine(text);
  if (!parts) return null;
  try {
    return { line, params: parts.params, values: valuesOf(parts) };
  } catch {
    return null;
  }
}

function valuesOf({ name, value }: ContentLineParts): unknown[] {
  if (VERBATIM.has(name)) return [value.trim()];
  if (!TIMES.has(name)) return jCalValues(`${name}:${value}`);
  const times = value.split(',').flatMap((time) => plainTime(time) || []);
  // ical.js reads the start of anything as a time.
  const isTime = (text: string) => /^\d{8}(?:T\d{6}Z?)?$/.test(text);
  return times.flatMap((time) => {
    const [start = '', end, ...rest] = time.split('/');
    if (end === undefined) return isTime(start) ? jCalValues(`${name}:${start}`) : time;
    const isPeriod = isTime(start) && (isTime(end) || /^[+-]?P/.test(end)) && rest.length === 0;
    return isPeriod ? jCalValues(`${name};VALUE=PERIOD:${time}`) : time;
  });
}

function jCalValues(line: string): unknown[] {
  const [, , , ...values] = ICAL.parse.property(line) as [string, object, string, ...unknown[]];
  return values;
}

/** Returns a time, a date or a period without the white space and punctuation of other formats, and with its seconds. */
function plainTime(text: string): string {
  return text
    .trim()
    .toUpperCase()
    .split('/')
    .map((time) =>
      time
        .replace(/^(\d{4})-(\d\d)-(\d\d)/, '$1$2$3')
        .replace(
          /T(\d\d):?(\d\d)(?::?(\d\d))?(?:\.\d{1,9})?(Z?)$/,
          (_, hour, minute, second, utc) => `T${hour}${minute}${second ?? '00'}${utc}`,
        ),
    )
    .join('/');
}

/** Returns the first value of a property, if it is a text. */
export function textOf(properties: Properties, name: string): string | null {
  const value = properties.get(name)?.[0]?.values[0];
  return typeof value === 'string' ? value : null;
}
