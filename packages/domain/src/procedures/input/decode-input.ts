import superjson from 'superjson';
import { invalidField } from '../../platform/process/errors.ts';

type Json = Record<string, unknown>;

/** More than any input needs. */
const MAX_ANNOTATIONS = 1_000;

/** The annotations that an input may have, with the JSON that each may annotate. */
const annotatable: Readonly<Record<string, (value: unknown) => boolean>> = {
  undefined: (value) => value === null,
  Date: (value) => typeof value === 'string' && value.length <= 30 && !Number.isNaN(Date.parse(value)),
};

const PROTOTYPE_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Decodes the input of a call over typed RPC, which superjson has encoded: `{ json, meta: { values, v } }`. Changes what it is
 * given. superjson builds whatever the metadata asks for, so that a few bytes could become gigabytes. Only the annotations that no
 * value of JSON can express are accepted, each on a value that exists. Throws `validation_failed`.
 */
export function decodeInput(received: unknown): unknown {
  if (received === undefined) return undefined;
  if (!isObject(received)) throw invalidField('', 'must be an object with "json"');
  const { json, meta } = received;
  if (meta === undefined) return json;
  if (!isObject(meta) || !hasOnlyAllowedAnnotations(json, meta)) {
    throw invalidField('', 'must have no annotations of superjson but "undefined" and "Date"');
  }
  return superjson.deserialize({ json, meta } as Parameters<typeof superjson.deserialize>[0], {
    inPlace: true,
  });
}

/** superjson writes the annotation of the whole input, or those of its parts by their paths. */
function hasOnlyAllowedAnnotations(json: unknown, { values, v: version = 0, ...others }: Json): boolean {
  if (Object.keys(others).length > 0 || (version !== 0 && version !== 1)) return false;
  if (values === undefined) return true;
  if (!isObject(values)) return isAllowed(values, json);
  const annotations = Object.entries(values);
  return (
    annotations.length <= MAX_ANNOTATIONS &&
    annotations.every(([path, annotation]) => isAllowed(annotation, valueAt(json, path, version)))
  );
}

function isAllowed(annotation: unknown, value: unknown): boolean {
  if (!Array.isArray(annotation) || annotation.length !== 1) return false;
  const [type] = annotation;
  return typeof type === 'string' && Object.hasOwn(annotatable, type) && annotatable[type]!(value);
}

/** Returns the value at a path such as `filters.0.since`; undefined if there is none. */
function valueAt(json: unknown, path: string, version: 0 | 1): unknown {
  let value = json;
  const names = namesIn(path, version);
  if (!names) return undefined;
  for (const name of names) {
    const isOwn = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
    if (!isOwn || PROTOTYPE_NAMES.has(name)) return undefined;
    value = (value as Json)[name];
  }
  return value;
}

/** Splits a path at its dots. In a name a dot is written `\.`, and a backslash `\\` since version 1; null for other escapes. */
function namesIn(path: string, version: 0 | 1): string[] | null {
  const names = [''];
  for (let at = 0; at < path.length; at++) {
    const character = path[at]!;
    if (character === '.') {
      names.push('');
      continue;
    }
    const next = path[at + 1];
    const isEscape = character === '\\';
    if (isEscape && next !== '.' && !(next === '\\' && version === 1)) return null;
    names[names.length - 1] += isEscape ? path[++at]! : character;
  }
  return names;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
