import ICAL from 'ical.js';
import type { Component, ContentLine } from './document.ts';

/** One property of a component: its values as ical.js reads them (jCal, RFC 7265). */
export interface Property {
  line: number;
  params: Readonly<Record<string, string>>;
  type: string;
  values: readonly unknown[];
}

export type Properties = ReadonlyMap<string, readonly Property[]>;

/** Something in the document that was left out or read otherwise than written. */
export interface Note {
  line: number;
  message: string;
}

/** An event that cannot be imported; the message says why, `line` where it is not the event's own. */
export class IcsError extends Error {
  override readonly name = 'IcsError';
}

/**
 * The wanted properties of a component, by upper-case name. A line that is no property is left out with a note.
 * Throws `IcsError` when a wanted property cannot be read.
 */
export function propertiesOf(component: Component, wanted: ReadonlySet<string>, notes: Note[]): Properties {
  const found = new Map<string, Property[]>();
  for (const content of component.lines) {
    const name = /^([A-Za-z][\w-]*)[;:]/.exec(content.text)?.[1]?.toUpperCase();
    if (name === undefined) {
      notes.push({ line: content.line, message: 'is no property and was left out' });
      continue;
    }
    if (!wanted.has(name)) continue;
    const list = found.get(name);
    const property = readProperty(name, content);
    if (list) list.push(property);
    else found.set(name, [property]);
  }
  return found;
}

/** Properties whose value is taken as it is written: ical.js would read more into it than there may be. */
const VERBATIM = new Set(['RRULE', 'SEQUENCE']);

function readProperty(name: string, { text, line }: ContentLine): Property {
  try {
    const [, params, type, ...values] = ICAL.parse.property(VERBATIM.has(name) ? `X-${text}` : text) as [
      string,
      Record<string, string>,
      string,
      ...unknown[],
    ];
    return { line, params, type, values };
  } catch {
    throw new IcsError(`line ${line}: ${name} cannot be read`);
  }
}

/** The text of a property's first value. */
export function textOf(properties: Properties, name: string): string | null {
  const value = properties.get(name)?.[0]?.values[0];
  return typeof value === 'string' ? value : null;
}
