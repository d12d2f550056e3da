import ICAL from 'ical.js';
import type { Component, ContentLine } from './components.ts';

/** A property of a component, with its values as parsed by ical.js (jCal, RFC 7265). */
export interface Property {
  line: number;
  params: Readonly<Record<string, string>>;
  type: string;
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

/**
 * Returns the wanted properties of a component by upper-case name. A line that is not a property is ignored, with a note.
 * Throws `IcsError` if a wanted property is invalid.
 */
export function propertiesOf(component: Component, wanted: ReadonlySet<string>, notes: Note[]): Properties {
  const found = new Map<string, Property[]>();
  for (const content of component.lines) {
    const name = /^([A-Za-z][\w-]*)[;:]/.exec(content.text)?.[1]?.toUpperCase();
    if (name === undefined) {
      notes.push({ line: content.line, message: 'the line is not a property and was ignored' });
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

/** Properties whose values ical.js must return as text. */
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
    throw new IcsError(`line ${line}: ${name} is invalid`);
  }
}

/** Returns the first value of a property, if it is a text. */
export function textOf(properties: Properties, name: string): string | null {
  const value = properties.get(name)?.[0]?.values[0];
  return typeof value === 'string' ? value : null;
}
