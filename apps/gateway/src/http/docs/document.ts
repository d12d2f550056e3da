import { type AppRouter, declaredProcedures, type ProcedureSpec } from '@firmdesk/domain';
import { generateOpenApiDocument } from 'trpc-to-openapi';
import { type Json, usedComponents } from './document-components.ts';
import { describeSchemas } from './document-descriptions.ts';
import { addPropertyExamples, recordedExamplesOf, sharedExamples } from './document-examples.ts';
import { type DeclaredOperation, parametersOf, requestBody } from './document-inputs.ts';
import { responsesOf } from './document-responses.ts';
import { NamedSchemas, pascalCase } from './document-schemas.ts';

/** The version of the contract, not of the software. `/v1` gets additions, and no breaking changes. */
export const CONTRACT_VERSION = '1.0.0';

const tagDescriptions: Record<string, string> = {
  Affiliates: 'Pre-registrations, which reserve referral codes for affiliates.',
  Calendar: 'Events in a time window; recurring ones are expanded.',
  Devices: 'Phones that receive push notifications.',
  Mail: 'Mailboxes, their messages, drafts and files.',
  Notifications: 'The notification centre.',
  Ping: 'The validity, scopes and workspace of a token.',
  Sessions: 'Signing in and out.',
  Tickets: 'Support tickets, for administrators of a firm.',
};

const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key, or the token of a signed-in device.',
  },
} as const;

/**
 * Generates the OpenAPI 3.1 document of `/v1`. trpc-to-openapi provides paths, parameters, schemas and texts from the metadata of
 * the procedures. What metadata cannot say is added here: docs/decisions/0006 lists it with the reasons.
 */
export function openApiDocument(router: AppRouter, serverUrl: string): Json {
  const generated = generateOpenApiDocument(router, {
    title: 'Firmdesk',
    description:
      'Mail, calendar, devices, notifications, support tickets and affiliate pre-registrations of a trading firm. ' +
      'A successful response is `{ data, meta }`, an error `{ error, meta }`; `meta.request_id` is the id of the call. ' +
      'Responses may have more fields, and more values in a field, than this document describes.',
    version: CONTRACT_VERSION,
    baseUrl: serverUrl,
    license: { name: 'MIT', identifier: 'MIT' },
    securitySchemes,
  });
  const document: Json = { ...generated };
  const paths = generated.paths as Record<string, Record<string, Json>>;

  const tags = new Set<string>();
  const schemas = new NamedSchemas();
  const operations: DeclaredOperation[] = [];
  for (const { name, spec, meta } of declaredProcedures(router)) {
    if (!spec.rest) continue;
    tags.add(spec.tag);
    const item = paths[spec.rest.path]!;
    const method = spec.rest.method.toLowerCase();
    const target = `${spec.rest.method} ${spec.rest.path}`;
    const declared = {
      target,
      type: pascalCase(name),
      spec,
      input: meta.input,
      examples: recordedExamplesOf(target),
      schemas,
    };
    item[method] = { operationId: name.replaceAll('.', '_'), ...complete(item[method]!, declared) };
    operations.push(declared);
  }
  // After all components have their names, because components are compared without examples.
  for (const { type, examples } of operations) {
    const { [`${type}Request`]: request, [`${type}Response`]: response } = schemas.components;
    if (request) addPropertyExamples(request, examples?.request.body, schemas.components);
    for (const body of Object.values(examples?.responses ?? {})) {
      addPropertyExamples(response!, body, schemas.components);
    }
  }
  describeSchemas(schemas.components, operations);
  Object.assign(document['info'] as Json, { contact: { name: 'Firmdesk' } });
  document['tags'] = [...tags].sort().map((name) => ({ name, description: tagDescriptions[name] }));
  document['components'] = usedComponents(paths, {
    schemas: schemas.components,
    examples: sharedExamples,
    securitySchemes,
  });
  return document;
}

function complete(operation: Json, declared: DeclaredOperation): Json {
  const { spec } = declared;
  const parameters = parametersOf(operation, declared);
  return {
    tags: operation['tags'],
    summary: operation['summary'],
    description: operation['description'],
    // A public operation says that it needs no token.
    security: operation['security'] ?? [],
    ...requirementsOf(spec),
    ...(parameters.length > 0 && { parameters }),
    ...(spec.input === 'body' && { requestBody: requestBody(operation, declared) }),
    responses: responsesOf(operation, declared),
  };
}

/** Returns the scope and permissions, which OpenAPI's bearer scheme cannot express. */
function requirementsOf({ access }: ProcedureSpec): Json {
  if (access.level === 'public') return {};
  return {
    ...(access.scope && { 'x-required-scope': access.scope }),
    ...(access.level === 'admin' && { 'x-required-permissions': access.permissions }),
  };
}
