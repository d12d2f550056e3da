import { appRouter } from '@firmdesk/domain';
import { openApiDocument } from '@firmdesk/gateway/testing';
import { expect } from 'vitest';
import { z } from 'zod';
import type { Answer } from '../gateway/test-gateway.ts';

// biome-ignore lint/suspicious/noExplicitAny: an untyped JSON document
export type Json = any;

/** The published OpenAPI document. */
export const published: Json = openApiDocument(appRouter, 'http://127.0.0.1:4000');

/** Returns the published operation of a target such as `POST /v1/sessions`. */
export function operationOf(target: string): Json {
  const [method, path] = target.split(' ') as [string, string];
  return published.paths[path][method.toLowerCase()];
}

/** Returns the schema with references resolved. */
export function resolved(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(resolved);
  if (typeof schema !== 'object' || schema === null) return schema;
  if (typeof schema.$ref === 'string') {
    // A schema that refers to itself: any JSON.
    if (schema.$ref.startsWith('#/$defs/')) return {};
    const found = schema.$ref
      .slice(2)
      .split('/')
      .reduce((at: Json, key: string) => at[key], published);
    return resolved(found);
  }
  return Object.fromEntries(Object.entries(schema).map(([key, member]) => [key, resolved(member)]));
}

/**
 * Returns the schema with references resolved, and closed: it rejects members and values that it does not name. The published
 * schema allows more (docs/decisions/0006), so that responses can be extended.
 */
export function closed(schema: Json): Json {
  const close = (node: Json): Json => {
    if (Array.isArray(node)) return node.map(close);
    if (typeof node !== 'object' || node === null) return node;
    const { 'x-extensible-enum': values, ...rest } = node;
    const shut = Object.fromEntries(Object.entries(rest).map(([key, member]) => [key, close(member)]));
    if (values) shut.enum = [shut.type].flat().includes('null') ? [...values, null] : values;
    if (shut.properties && shut.type) shut.additionalProperties = false;
    return shut;
  };
  return close(resolved(schema));
}

/** Headers that the document does not describe: those of HTTP itself, and the cookie for browsers. */
export const generalHeaders = new Set([
  'cache-control',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'set-cookie',
  'transfer-encoding',
  'vary',
  'x-content-type-options',
]);

const schemas = new Map<string, z.ZodType>();

/** Asserts that status, body and headers of a response match the document's description of the operation. */
export function expectPublished(target: string, answer: Answer): void {
  const response = operationOf(target).responses[answer.status];
  expect(response, `${target} answered ${answer.status}, which the document does not name`).toBeDefined();
  const key = `${target} ${answer.status}`;
  let schema = schemas.get(key);
  if (!schema) {
    schema = z.fromJSONSchema(closed(response.content['application/json'].schema));
    schemas.set(key, schema);
  }
  const parsed = schema.safeParse(answer.body);
  expect(parsed.error?.issues ?? [], `${target} ${answer.status} ${answer.text}`).toEqual([]);
  const code = answer.body?.error?.code;
  if (code) expect(response['x-error-codes'], `${target} ${answer.text}`).toContain(code);
  const named = new Set(Object.keys(response.headers).map((name) => name.toLowerCase()));
  const unnamed = [...answer.headers.keys()].filter((name) => !generalHeaders.has(name) && !named.has(name));
  expect(unnamed, `headers of ${target} ${answer.status} that the document does not name`).toEqual([]);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(answer.headers.get('x-request-id')).toMatch(/^req_[0-9a-z]{26}$/);
  expect(answer.headers.get('www-authenticate')).toBe(answer.status === 401 ? 'Bearer' : null);
  expect(answer.text).not.toContain('stack');
}
