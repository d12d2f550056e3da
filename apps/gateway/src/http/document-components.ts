import { errorTable } from '@firmdesk/contract';

export type Json = Record<string, unknown>;

/** The components that operations refer to. */
const components: Record<string, Json> = {
  parameters: {
    'Idempotency-Key': {
      name: 'Idempotency-Key',
      in: 'header',
      required: true,
      description:
        'A UUID. The same key again replays the earlier answer instead of executing again, for 72 hours.',
      schema: { type: 'string', format: 'uuid' },
    },
    'If-Match': {
      name: 'If-Match',
      in: 'header',
      required: false,
      description: 'The `ETag` of the version that is to be written over; another one is not.',
      schema: { type: 'string' },
    },
    'Service-Workspace': {
      name: 'Service-Workspace',
      in: 'header',
      required: false,
      description:
        'The firm’s slug. Needed from the service’s own staff; a firm’s own people may leave it out.',
      schema: { type: 'string' },
    },
  },
  headers: {
    'X-Request-Id': { description: 'The call’s id.', schema: { type: 'string' } },
    'Request-Id': { description: 'The same, by its shorter name.', schema: { type: 'string' } },
    'Original-Request': {
      description: 'The id of the call whose answer was replayed.',
      schema: { type: 'string' },
    },
    'Idempotent-Replayed': {
      description: '`true` when an earlier answer was replayed.',
      schema: { type: 'string' },
    },
    'Idempotency-Body-Mismatch': {
      description: '`true` when the replayed answer was given to another body.',
      schema: { type: 'string' },
    },
    ETag: { description: 'The version, for `If-Match`.', schema: { type: 'string' } },
    'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', format: 'int32' } },
    'WWW-Authenticate': { description: '`Bearer`.', schema: { type: 'string' } },
    'RateLimit-Limit': {
      description: 'Calls of the token a minute.',
      schema: { type: 'integer', format: 'int32' },
    },
    'RateLimit-Remaining': {
      description: 'Calls left in this minute.',
      schema: { type: 'integer', format: 'int32' },
    },
    'RateLimit-Reset': {
      description: 'Seconds until the minute is over.',
      schema: { type: 'integer', format: 'int32' },
    },
  },
  schemas: {
    ErrorResponse: {
      type: 'object',
      description: 'A refusal.',
      required: ['error', 'meta'],
      properties: {
        error: { $ref: '#/components/schemas/ErrorDetail' },
        meta: { $ref: '#/components/schemas/Meta' },
      },
    },
    ErrorDetail: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: {
          type: 'string',
          description: 'Stable; branch on this. Others may be added.',
          'x-extensible-enum': Object.keys(errorTable),
        },
        message: { type: 'string', description: 'Prose, never to be parsed.' },
        fields: {
          type: 'array',
          description: 'What was refused, with `validation_failed`.',
          items: { $ref: '#/components/schemas/FieldError' },
        },
      },
    },
    FieldError: {
      type: 'object',
      required: ['path', 'message'],
      properties: {
        path: { type: 'string', description: 'Like `to[2]`; empty for the body itself.' },
        message: { type: 'string', description: 'Prose.' },
        choices: {
          type: 'array',
          description:
            'The values that it may have, where the caller must choose one of a few: the workspaces of an account, at sign-in.',
          items: { $ref: '#/components/schemas/FieldChoice' },
        },
      },
    },
    FieldChoice: {
      type: 'object',
      required: ['value', 'name'],
      properties: {
        value: { type: 'string' },
        name: { type: 'string', description: 'For people.' },
      },
    },
  },
  securitySchemes: {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description: 'An API key, or the token of a signed-in device.',
    },
  },
};

/**
 * Returns the components in use: those that operations refer to, directly or through other components.
 *
 * @param own the components that the operations bring
 */
export function usedComponents(paths: object, own: { schemas: Json; examples: Json }): Record<string, Json> {
  const all: Record<string, Json> = {
    ...components,
    ...own,
    schemas: { ...components['schemas'], ...own.schemas },
  };
  const used: Record<string, Json> = { securitySchemes: components['securitySchemes']! };
  const collect = (node: object) => {
    for (const [, kind, name] of JSON.stringify(node).matchAll(/"#\/components\/(\w+)\/([\w-]+)"/g)) {
      const component = all[kind!]?.[name!] as object | undefined;
      if (!component) throw new Error(`The document refers to ${kind}/${name}, which is not there.`);
      if (used[kind!]?.[name!]) continue;
      used[kind!] = { ...used[kind!], [name!]: component };
      collect(component);
    }
  };
  collect(paths);
  return used;
}
