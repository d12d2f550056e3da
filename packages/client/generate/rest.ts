import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';

const HEADER = '// Written by `pnpm --filter @firmdesk/client generate` from apps/gateway/openapi.json.\n';

// biome-ignore lint/suspicious/noExplicitAny: a JSON document, walked by hand
type Json = any;

/** The module of types of `/v1`: what each operation takes, and what it answers when it succeeds. */
export async function printRest(document: Json): Promise<string> {
  // What has a default may be left out of a body.
  return HEADER + astToString(await openapiTS(asCalled(document), { defaultNonNullable: false }));
}

/** As a caller of the client sees it: refusals are thrown, headers seldom read, and a POST gets a key of its own. */
function asCalled(document: Json): OpenAPI3 {
  const { parameters, schemas } = structuredClone(document.components);
  parameters['Idempotency-Key'].required = false;
  const paths = structuredClone(document.paths);
  for (const item of Object.values<Json>(paths)) {
    for (const operation of Object.values<Json>(item)) {
      const successes = Object.entries<Json>(operation.responses).filter(([status]) => Number(status) < 300);
      operation.responses = Object.fromEntries(
        successes.map(([status, { description, content }]) => [status, { description, content }]),
      );
    }
  }
  return { ...document, paths, components: { parameters, schemas } };
}
