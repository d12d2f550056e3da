import { readdirSync, readFileSync } from 'node:fs';
import { type ErrorCode, errorDocumentation, errorTable } from '@firmdesk/contract';
import type { Json } from './document-components.ts';

/** The recorded examples of an operation: a call with the demo data, its responses by status, and its error responses by code. */
export interface RecordedExamples {
  request: { params?: Record<string, string>; query?: Record<string, string>; body?: Json };
  responses: Record<string, Json>;
  errors: Partial<Record<ErrorCode, Json>>;
}

const FOLDER = new URL('../../../examples/', import.meta.url);
let read: Record<string, RecordedExamples> | null = null;

/** Returns the examples of an operation such as `GET /v1/ping`; null for a new one, until `document-examples.test.ts` records them. */
export function recordedExamplesOf(target: string): RecordedExamples | null {
  read ??= Object.assign(
    {},
    ...readdirSync(FOLDER)
      .filter((name) => name.endsWith('.json'))
      .map((name) => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'))),
  ) as Record<string, RecordedExamples>;
  return read[target] ?? null;
}

/** Returns the `examples` of a media type. */
export function exampleOf(value: Json | undefined): Json {
  return value ? { examples: { demo: { summary: 'With the demo data', value } } } : {};
}

/** Returns the error examples of the codes. Those with the default message refer to {@link sharedExamples}. */
export function errorExamples(target: string, codes: readonly ErrorCode[]): Json {
  const recorded = recordedExamplesOf(target)?.errors;
  return Object.fromEntries(
    codes.map((code) => {
      const body = recorded?.[code];
      const isShared = !body || JSON.stringify(body['error']) === JSON.stringify(errorOf(code));
      const example = { summary: `\`${code}\``, value: body };
      return [code, isShared ? { $ref: `#/components/examples/${code}` } : example];
    }),
  );
}

/** Returns an example of each code with its default message. */
export const sharedExamples: Record<string, Json> = Object.fromEntries(
  (Object.keys(errorTable) as ErrorCode[]).map((code) => [
    code,
    {
      summary: `\`${code}\``,
      value: { error: errorOf(code), meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000000' } },
    },
  ]),
);

function errorOf(code: ErrorCode): Json {
  const { message, field } = errorTable[code];
  return {
    code,
    message,
    ...(field !== null && { fields: [{ path: field, message }] }),
    doc_url: errorDocumentation(code),
  };
}

/**
 * Gives each property an example: the first value, other than null, that the recorded calls have for it. A property whose
 * schema has examples already keeps them.
 *
 * @param schema the schema of the value: a component, or a reference to one
 */
export function addPropertyExamples(schema: Json, value: unknown, components: Record<string, Json>): void {
  const { $ref } = schema as { $ref?: string };
  const own = $ref ? components[$ref.slice($ref.lastIndexOf('/') + 1)]! : schema;
  if (Array.isArray(value)) {
    for (const item of value) addPropertyExamples((own['items'] ?? {}) as Json, item, components);
    return;
  }
  for (const [name, property] of Object.entries((own['properties'] ?? {}) as Record<string, Json>)) {
    const member = (value as Json | null)?.[name];
    if (member === undefined || member === null) continue;
    addPropertyExamples(property, member, components);
    const isWhole = '$ref' in property || '$ref' in ((property['items'] ?? {}) as Json);
    if (!isWhole && !('enum' in property) && !property['examples']) property['examples'] = [member];
  }
}
