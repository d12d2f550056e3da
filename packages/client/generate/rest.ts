import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';

const HEADER = '// Written by `pnpm --filter @firmdesk/client generate` from apps/gateway/openapi.json.\n';

// biome-ignore lint/suspicious/noExplicitAny: a JSON document, walked by hand
type Json = any;

/** The module of types of `/v1`: what each operation takes, and what it answers when it succeeds. */
export async function printRest(document: Json): Promise<string> {
  // What has a default may be left out of a body.
  const types = await openapiTS(asCalled(document), { defaultNonNullable: false, transform: openType });
  return HEADER + astToString(types);
}

/** A set of values that may grow: those that are known, and any other text. A text that may be an integer is either. */
function openType(schema: Json): ts.TypeNode | undefined {
  const { 'x-extensible-enum': values, 'x-also': also } = schema;
  const text = ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword);
  if (also === 'integer') {
    return ts.factory.createUnionTypeNode([
      text,
      ts.factory.createKeywordTypeNode(ts.SyntaxKind.NumberKeyword),
    ]);
  }
  if (!values) return undefined;
  const literal = (value: string) => ts.factory.createLiteralTypeNode(ts.factory.createStringLiteral(value));
  // An intersection, for a union with `string` alone would forget the values.
  const other = ts.factory.createIntersectionTypeNode([
    text,
    ts.factory.createTypeReferenceNode('Record', [
      ts.factory.createKeywordTypeNode(ts.SyntaxKind.NeverKeyword),
      ts.factory.createKeywordTypeNode(ts.SyntaxKind.NeverKeyword),
    ]),
  ]);
  const isNullable = [schema.type].flat().includes('null');
  return ts.factory.createUnionTypeNode([
    ...values.map(literal),
    other,
    ...(isNullable ? [ts.factory.createLiteralTypeNode(ts.factory.createNull())] : []),
  ]);
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
