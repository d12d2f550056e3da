import * as contract from '@firmdesk/contract';
import {
  type AppRouter,
  declaredProcedures,
  eventSchemas,
  type ProcedureMeta,
  type ProcedureSpec,
} from '@firmdesk/domain';
import { z } from 'zod';

const HEADER = `// Written by \`pnpm --filter @firmdesk/client generate\` from the declared procedures.
import type * as contract from '@firmdesk/contract';
import type { z } from 'zod';
import type { Mutation, Query, Subscription } from '../procedure.ts';
`;

type Direction = 'input' | 'output';

/** The names of the contract's schemas, so that types can refer to them. */
const names = new Map<unknown, string>(Object.entries(contract).map(([name, value]) => [value, name]));

/** Returns the source of the module with the types of all procedures: input, output, required access and error codes. */
export function printProcedures(router: AppRouter): string {
  const procedures = declaredProcedures(router);
  const withoutKey = procedures.filter(({ spec }) => spec.kind === 'mutation' && !spec.idempotent);
  const tree: Tree = new Map();
  for (const { name, meta, spec } of procedures)
    insert(tree, name.split('.'), printProcedure(name, meta, spec));
  return [
    HEADER,
    '/** All procedures. */',
    `export interface Procedures ${printTree(tree)}`,
    '',
    '/** The mutations that take no `Idempotency-Key`: after a lost response, their effect is unknown. */',
    `export const mutationsWithoutIdempotencyKey: ReadonlySet<string> = new Set(${JSON.stringify(withoutKey.map(({ name }) => name))});`,
    '',
  ].join('\n');
}

/** The printed procedures, by the segments of their paths. */
type Tree = Map<string, string | Tree>;

function insert(tree: Tree, [name, ...rest]: string[], text: string): void {
  if (rest.length === 0) {
    tree.set(name!, text);
    return;
  }
  const branch = (tree.get(name!) as Tree | undefined) ?? new Map();
  tree.set(name!, branch);
  insert(branch, rest, text);
}

function printTree(tree: Tree): string {
  const members = [...tree].map(([name, member]) =>
    typeof member === 'string' ? member : `${name}: ${printTree(member)};`,
  );
  return `{\n${members.join('\n')}\n}`;
}

function printProcedure(path: string, meta: ProcedureMeta, spec: ProcedureSpec): string {
  const kind = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' }[spec.kind];
  const output = eventSchemas.get(meta.output) ?? meta.output;
  const types = [typeOf(meta.input, 'input', path), typeOf(output, 'output', path)];
  return `/**\n${docLines(meta, spec)}\n */\n${path.split('.').at(-1)}: ${kind}<${types.join(', ')}>;`;
}

function docLines({ access, declaration }: ProcedureMeta, { summary, fieldCodes }: ProcedureSpec): string {
  const quoted = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');
  const codes = [...new Set([...(declaration.errors ?? []), ...Object.values(fieldCodes)])];
  const requirements = [
    ...(access.level !== 'public' && access.scope ? [`scope ${quoted([access.scope])}`] : []),
    ...(access.level === 'admin' ? [`permissions ${quoted(access.permissions)}`] : []),
  ];
  const lines = [
    `${summary}${declaration.rest ? ` (${quoted([declaration.rest])})` : ''}.`,
    ...(requirements.length > 0 ? [`Requires ${requirements.join(', ')}.`] : []),
    ...(codes.length > 0 ? [`Error codes: ${quoted(codes)}.`] : []),
  ];
  return lines.map((line) => ` * ${line}`).join('\n');
}

/** Returns the type of a schema: its name in the contract, or a type composed of such names. */
function typeOf(schema: z.core.$ZodType, direction: Direction, path: string): string {
  const name = names.get(schema);
  if (name) return `z.${direction}<typeof contract.${name}>`;
  const inner = (schema: z.core.$ZodType) => typeOf(schema, direction, path);
  if (schema instanceof z.ZodOptional) return `${inner(schema.unwrap())} | undefined`;
  if (schema instanceof z.ZodArray) return `${inner(schema.element)}[]`;
  if (schema instanceof z.ZodString) return 'string';
  if (schema instanceof z.ZodObject) return printObject(schema, inner);
  throw new Error(`${path}: a schema of its ${direction} has no name. Export it from the contract.`);
}

function printObject({ shape }: z.ZodObject, inner: (schema: z.core.$ZodType) => string): string {
  const fields = Object.entries(shape);
  if (fields.length === 0) return 'Record<string, never>';
  const printed = fields.map(([name, schema]) => {
    const mark = schema instanceof z.ZodOptional ? '?' : '';
    return `${name}${mark}: ${inner(schema)}`;
  });
  return `{ ${printed.join('; ')} }`;
}
