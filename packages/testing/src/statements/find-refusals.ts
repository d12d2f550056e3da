import { firmTables, placement, sharedTables } from '@firmdesk/domain/testing';
import { parseSync } from 'libpg-query';

/** A node of PostgreSQL's parse tree, as in `find-missing-firms.ts`. */
// biome-ignore lint/suspicious/noExplicitAny: this file reads a few fields of six types
type Node = any;

const ofFirms: ReadonlySet<string> = new Set(firmTables);
const ofCoordinator: ReadonlySet<string> = new Set(
  Object.keys(sharedTables).filter((table) => !placement.copied.includes(table)),
);
/** Functions whose result depends on the session. */
const stable: ReadonlySet<string> = new Set([
  'concat',
  'concat_ws',
  'format',
  'array_to_string',
  'json_build_array',
  'json_build_object',
  'jsonb_build_array',
  'jsonb_build_object',
  'to_json',
  'to_jsonb',
  'row_to_json',
  'to_char',
]);

/** Returns why a distributed installation would refuse a statement although it names its firm, each with what to write instead. */
export function findRefusals(text: string): string[] {
  const statement = parseSync(text);
  const found: Found = { uses: [], own: new Set(), stable: new Set() };
  read(statement, { query: statement, isJoined: false, isChanged: false }, found);
  const uses = found.uses.filter(({ table }) => !found.own.has(table));
  if (!uses.some(({ table }) => ofFirms.has(table))) return [];
  const apart = new Set(uses.filter(({ table }) => ofCoordinator.has(table)).map(({ table }) => table));
  const queries = new Set(
    uses.filter(({ table }) => ofFirms.has(table) || ofCoordinator.has(table)).map(({ query }) => query),
  );
  return [
    ...(apart.size > 0 && queries.size > 1
      ? [
          `A subquery connects ${[...apart].join(', ')} with a firm's table: use a join, or a statement of its own.`,
        ]
      : []),
    ...[...found.stable].map(
      (name) => `An update computes a value of a row with ${name}, which is not immutable: use operators.`,
    ),
  ];
}

interface Found {
  /** The tables, each with the query in which its rows are joined. */
  uses: { table: string; query: object }[];
  /** The names that the statement itself gives (`with`). */
  own: Set<string>;
  /** The stable functions of columns in updates of a firm's table. */
  stable: Set<string>;
}

/** Where a node is. */
interface Place {
  query: object;
  /** Whether every row fulfils the node, so that PostgreSQL makes a join of `exists` and `in`. */
  isJoined: boolean;
  /** Whether the node is a value that an update of a firm's table stores. */
  isChanged: boolean;
}

function read(node: Node, place: Place, found: Found): void {
  if (typeof node !== 'object' || node === null) return;
  const { relname, schemaname = 'public', ctename } = node;
  if (relname !== undefined && schemaname === 'public')
    found.uses.push({ table: relname, query: place.query });
  if (ctename !== undefined) found.own.add(ctename);
  for (const [name, part] of Object.entries<Node>(node)) read(part, within(name, part, node, place), found);
  const called = node.FuncCall?.funcname.at(-1).String.sval;
  if (place.isChanged && stable.has(called) && readsColumn(node.FuncCall.args)) found.stable.add(called);
}

/** Returns the place of a field of a node. */
function within(name: string, part: Node, parent: Node, place: Place): Place {
  const isUpdate = name === 'targetList' && ofFirms.has(parent.relation?.relname) && !parent.cols;
  if (name === 'SubLink') {
    const isJoined = place.isJoined && ['EXISTS_SUBLINK', 'ANY_SUBLINK'].includes(part.subLinkType);
    return { ...place, query: isJoined ? place.query : part, isJoined: false };
  }
  const isCondition = name === 'whereClause' || name === 'quals';
  const isAnd = place.isJoined && name === 'BoolExpr' && part.boolop === 'AND_EXPR';
  const isPartOfAnd = place.isJoined && (name === 'args' || /^\d+$/.test(name));
  return {
    query: place.query,
    isJoined: isCondition || isAnd || isPartOfAnd,
    isChanged: place.isChanged || isUpdate,
  };
}

/** Citus does not look into `coalesce` and `case`. */
function readsColumn(node: Node): boolean {
  if (typeof node !== 'object' || node === null || node.CoalesceExpr || node.CaseExpr) return false;
  return 'ColumnRef' in node || Object.values(node).some(readsColumn);
}
