import { errorDocumentation, errorTable } from '@firmdesk/contract';

export type Json = Record<string, unknown>;

/** The components that operations can refer to. */
const components: Record<string, Json> = {
  parameters: {
    'Idempotency-Key': {
      name: 'Idempotency-Key',
      in: 'header',
      required: true,
      description:
        'A UUID. For 72 hours, a repeated key replays the first response instead of executing the call again.',
      schema: { type: 'string', format: 'uuid' },
    },
    'If-Match': {
      name: 'If-Match',
      in: 'header',
      required: false,
      description:
        'The `ETag` of the version to replace. If the current version is another one, the call fails with 412.',
      schema: { type: 'string' },
    },
    'If-None-Match': {
      name: 'If-None-Match',
      in: 'header',
      required: false,
      description:
        'The `ETag` of the response that the client has. If a new response would be the same, the call answers 304 without a body.',
      schema: { type: 'string' },
    },
    'Service-Workspace': {
      name: 'Service-Workspace',
      in: 'header',
      required: false,
      description: 'The firm’s slug. Required from the service’s own staff; optional for members of a firm.',
      schema: { type: 'string' },
    },
  },
  headers: {
    'X-Request-Id': { description: 'The id of the call.', schema: { type: 'string' } },
    'Request-Id': { description: 'The same as `X-Request-Id`.', schema: { type: 'string' } },
    'Original-Request': {
      description: 'The id of the call whose response was replayed.',
      schema: { type: 'string' },
    },
    'Idempotent-Replayed': {
      description: '`true` if the response is a replay.',
      schema: { type: 'string' },
    },
    'Idempotency-Body-Mismatch': {
      description: '`true` if the first call with the key had another body.',
      schema: { type: 'string' },
    },
    'Ignored-Parameters': {
      description:
        'The parameters and fields that had no effect, such as misspelt ones; at most 20, percent-encoded, separated by commas.',
      schema: { type: 'string' },
    },
    ETag: {
      description:
        'The version of the response, to send as `If-Match` in a write or as `If-None-Match` in a GET.',
      schema: { type: 'string' },
    },
    'Accept-Encoding': {
      description: 'The content codings of bodies that are accepted, if the body had another one.',
      schema: { type: 'string' },
    },
    'Retry-After': {
      description: 'Seconds to wait before the next attempt.',
      schema: { type: 'integer', format: 'int32' },
    },
    'WWW-Authenticate': { description: '`Bearer`.', schema: { type: 'string' } },
    'RateLimit-Limit': {
      description: 'The maximum number of calls per minute for the token.',
      schema: { type: 'integer', format: 'int32' },
    },
    'RateLimit-Remaining': {
      description: 'Calls that remain in this minute.',
      schema: { type: 'integer', format: 'int32' },
    },
    'RateLimit-Reset': {
      description: 'Seconds until the minute ends.',
      schema: { type: 'integer', format: 'int32' },
    },
  },
  schemas: {
    ApiErrorBody: {
      type: 'object',
      description: 'An error.',
      required: ['error', 'meta'],
      properties: {
        error: { $ref: '#/components/schemas/ApiErrorDetail' },
        meta: { $ref: '#/components/schemas/Meta' },
      },
    },
    ApiErrorDetail: {
      type: 'object',
      description: 'What went wrong.',
      required: ['code', 'message'],
      properties: {
        code: {
          type: 'string',
          description: 'A stable code to branch on. New codes may be added.',
          examples: ['validation_failed'],
          'x-extensible-enum': Object.keys(errorTable),
        },
        message: {
          type: 'string',
          description: 'A message for developers. Do not parse it.',
          examples: [errorTable.validation_failed.message],
        },
        fields: {
          type: 'array',
          description: 'The invalid fields, where the error is about fields.',
          items: { $ref: '#/components/schemas/FieldError' },
        },
        challenge: {
          type: 'string',
          description: 'With `second_factor_required`: stands for the password in the next call.',
          examples: ['Y2hhbGxlbmdl'],
        },
        doc_url: {
          type: 'string',
          description: 'The documentation of the code, relative to the URL of the call.',
          examples: [errorDocumentation('validation_failed')],
        },
      },
    },
    FieldError: {
      type: 'object',
      description: 'What is wrong with a field.',
      required: ['path', 'message'],
      properties: {
        path: {
          type: 'string',
          description: 'The path of the field; empty for the body itself.',
          examples: ['to[2]'],
        },
        message: {
          type: 'string',
          description: 'A message for developers.',
          examples: ['"to[2]" must be an email address, got "bob".'],
        },
        choices: {
          type: 'array',
          description:
            'The allowed values, if the caller must choose one of a few: at sign-in, the workspaces of the account.',
          items: { $ref: '#/components/schemas/FieldChoice' },
        },
      },
    },
    FieldChoice: {
      type: 'object',
      description: 'One of the values that a field may have.',
      required: ['value', 'name'],
      properties: {
        value: { type: 'string', description: 'The value to send.', examples: ['northwind'] },
        name: { type: 'string', description: 'The name to show to users.', examples: ['Northwind Trading'] },
      },
    },
  },
};

/**
 * Returns the components in use: those that operations refer to, directly or through other components.
 *
 * @param own the components that were generated from the operations
 */
export function usedComponents(
  paths: object,
  own: { schemas: Json; examples: Json; securitySchemes: Json },
): Record<string, Json> {
  const all: Record<string, Json> = {
    ...components,
    ...own,
    schemas: { ...components['schemas'], ...own.schemas },
  };
  const used: Record<string, Json> = { securitySchemes: own.securitySchemes };
  const collect = (node: object) => {
    for (const [, kind, name] of JSON.stringify(node).matchAll(/"#\/components\/(\w+)\/([\w-]+)"/g)) {
      const component = all[kind!]?.[name!] as object | undefined;
      if (!component) throw new Error(`The document refers to ${kind}/${name}, which does not exist.`);
      if (used[kind!]?.[name!]) continue;
      used[kind!] = { ...used[kind!], [name!]: component };
      collect(component);
    }
  };
  collect(paths);
  return used;
}
