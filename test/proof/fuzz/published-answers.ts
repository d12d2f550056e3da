import { errorTable } from '@firmdesk/contract';
import { generalHeaders, type Json, operationOf, resolved } from '@firmdesk/testing/gateway';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { unclearMessage } from '../unclear-message.ts';
import type { Received } from './send.ts';

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
formats.default(ajv);
// OpenAPI's formats of numbers.
ajv.addFormat('int32', true);
ajv.addFormat('int64', true);

const validators = new Map<string, ValidateFunction>();

/** Returns how a value violates the schema, or null. The compiled schema is cached by `key`. */
export function schemaViolation(key: string, schema: () => Json, value: unknown): string | null {
  let validate = validators.get(key);
  if (!validate) {
    validate = ajv.compile(withSecondType(resolved(schema())));
    validators.set(key, validate);
  }
  return validate(value) ? null : ajv.errorsText(validate.errors);
}

/** Returns how a response deviates from the document, or null. */
export function deviationFromDocument(target: string, answer: Received): string | null {
  const { status, headers, text } = answer;
  if (status >= 500) return `returned status ${status}`;
  if (headers['content-type'] !== 'application/json; charset=utf-8')
    return `returned the content type ${headers['content-type']}`;
  const body = JSON.parse(text);
  if (body.error && !(body.error.code in errorTable))
    return `returned the undocumented code ${body.error.code}`;
  const unclear = body.error && unclearMessage(body.error);
  if (unclear) return `returned ${unclear}`;
  // A path parameter that is empty or contains a slash results in another path, which does not exist.
  if (status === 404 && body.error.code === 'resource_not_found') return null;
  const response = operationOf(target).responses[status];
  if (!response) return `returned the undocumented status ${status}`;
  const wrong = schemaViolation(
    `${target} ${status}`,
    () => response.content['application/json'].schema,
    body,
  );
  if (wrong) return `returned a body that violates its schema: ${wrong}`;
  const named = new Set(Object.keys(response.headers).map((name) => name.toLowerCase()));
  const undocumented = Object.keys(headers).filter((name) => !generalHeaders.has(name) && !named.has(name));
  if (undocumented.length > 0) return `returned undocumented headers: ${undocumented}`;
  if (headers['x-request-id'] === undefined) return 'returned no X-Request-Id';
  return null;
}

/** Adds the second type named by `x-also`. (Client generators cannot read two types.) */
function withSecondType(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withSecondType);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { 'x-also': also, ...rest } = schema;
  const own = also && typeof also === 'string' ? { ...rest, type: [rest.type, also] } : rest;
  return Object.fromEntries(Object.entries<Json>(own).map(([key, member]) => [key, withSecondType(member)]));
}
