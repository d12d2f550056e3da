import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';

const HEADER = '// Written by `pnpm --filter @firmdesk/client generate` from apps/gateway/openapi.json.\n';

// biome-ignore lint/suspicious/noExplicitAny: a JSON document without a schema
type Json = any;

/** Returns the source of the module with the types of `/v1`: the input of each operation and its successful response. */
export async function printRest(document: Json): Promise<string> {
  // A field with a default is optional in a body.
  const types = await openapiTS(asCalled(document), { defaultNonNullable: false, transform: openType });
  return `${HEADER}${astToString(types.map(withoutAbsent))}\n${printErrorCodes(document)}`;
}

/** Returns the type without the methods and parameters that a path does not have, and without the headers of responses. */
function withoutAbsent(type: ts.Node): ts.Node {
  if (!ts.isInterfaceDeclaration(type)) return type;
  const dropped: Record<string, (name: string, type: ts.SyntaxKind | undefined) => boolean> = {
    paths: (name, type) => name === 'parameters' || type === ts.SyntaxKind.NeverKeyword,
    operations: (name) => name === 'headers',
  };
  const isDropped = dropped[type.name.text];
  if (!isDropped) return type;
  const visit = (node: ts.Node): ts.Node | undefined =>
    ts.isPropertySignature(node) && isDropped((node.name as ts.Identifier).text, node.type?.kind)
      ? undefined
      : ts.visitEachChild(node, visit, undefined);
  return ts.visitEachChild(type, visit, undefined);
}

/** Returns the type with the error codes of each operation, by method and path. */
function printErrorCodes({ paths }: Json): string {
  const members = Object.entries<Json>(paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, { responses }]) => {
      const codes = Object.values<Json>(responses).flatMap((response) => response['x-error-codes'] ?? []);
      const union = [...new Set(codes)].map((code) => JSON.stringify(code)).join(' | ');
      return `${JSON.stringify(`${method.toUpperCase()} ${path}`)}: ${union};`;
    }),
  );
  return `/** The error codes of each operation. */\nexport interface RestErrorCodes {\n${members.join('\n')}\n}\n`;
}

/**
 * Returns the type of a schema with an extension of ours; of others, undefined. An extensible enum accepts its values and any other
 * string (`x-extensible-enum`). An id that has an integer alias accepts both (`x-also`).
 */
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
  // An intersection, because a union with `string` would absorb the values.
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

/** Returns the document for callers of the client: without errors, which are thrown, and with an optional key, which the client adds. */
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
