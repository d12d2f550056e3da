import { parseSync } from 'libpg-query';

// biome-ignore lint/suspicious/noExplicitAny: the tree has a hundred types, and this file reads a few fields of ten
type Node = any;

/**
 * Returns the tables of which a statement returns all columns (`*`). Such a statement must not be prepared: PostgreSQL rejects its next
 * execution on the same connection when a migration has added a column.
 */
export function findOpenColumns(text: string): string[] {
  return (parseSync(text).stmts ?? []).flatMap(({ stmt }) => openColumns(stmt, new Map()));
}

/** `names` are the common table expressions that the query can use. */
function openColumns(node: Node, outerNames: ReadonlyMap<string, Node>): string[] {
  const [type, query] = Object.entries(node)[0] as [string, Node];
  const names = new Map(outerNames);
  for (const { CommonTableExpr: part } of query.withClause?.ctes ?? [])
    names.set(part.ctename, part.ctequery);
  if (type === 'SelectStmt') {
    // The first part of a union names and types the columns.
    if (query.larg) return openColumns({ SelectStmt: query.larg }, names);
    return ofTargets(query.targetList, query.fromClause ?? [], names);
  }
  if (!query.relation) return [];
  const others = query.fromClause ?? query.usingClause ?? [];
  return ofTargets(
    query.returningList ?? query.returningClause?.exprs,
    [{ RangeVar: query.relation }, ...others],
    names,
  );
}

function ofTargets(
  targets: readonly Node[] = [],
  from: readonly Node[],
  names: ReadonlyMap<string, Node>,
): string[] {
  return targets.flatMap(({ ResTarget: { val } }) => {
    const fields: Node[] = val?.ColumnRef?.fields ?? [];
    if (!fields.at(-1)?.A_Star) return [];
    const alias = fields.at(-2)?.String.sval;
    return from.flatMap((item) => ofItem(item, alias, names));
  });
}

/** Returns the tables of a FROM item whose columns are all returned. `alias`: only those of the item with this name. */
function ofItem(item: Node, alias: string | undefined, names: ReadonlyMap<string, Node>): string[] {
  const { RangeVar: table, JoinExpr: join, RangeSubselect: subquery } = item;
  if (join) return [...ofItem(join.larg, alias, names), ...ofItem(join.rarg, alias, names)];
  const name = (table ?? subquery)?.alias?.aliasname ?? table?.relname;
  if (alias !== undefined && alias !== name) return [];
  if (subquery) return openColumns(subquery.subquery, names);
  if (!table) return [];
  // The tables of the job queue are read by its library.
  if (table.schemaname && table.schemaname !== 'public') return [];
  const part = !table.schemaname && names.get(table.relname);
  if (!part) return [table.relname];
  // The query of a recursive name uses the name itself.
  const others = new Map([...names].filter(([each]) => each !== table.relname));
  return openColumns(part, others);
}
