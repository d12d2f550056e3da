import { firmTables } from '@firmdesk/domain/testing';
import { parseSync } from 'libpg-query';

/** A node of PostgreSQL's parse tree: an object with one key, the type of the node, or a field of one. */
// biome-ignore lint/suspicious/noExplicitAny: the tree has a hundred types, and this file reads a few fields of ten
type Node = any;

const isFirmTable = (name: string) => (firmTables as readonly string[]).includes(name);

/**
 * Returns the firm's tables that a statement reads or writes without naming the firm, as `table` or `table alias`. A table is
 * named with its firm if `workspace_id` is compared with `=` to something that is not a column of a table of the same query level
 * (a parameter, a column of an outer query or of a subquery), or to the `workspace_id` of another table that is.
 */
export function findMissingFirms(text: string): string[] {
  const missing: string[] = [];
  for (const { stmt } of parseSync(text).stmts ?? []) checkQuery(stmt, new Set(), missing);
  return missing;
}

function checkQuery(node: Node, outerNames: ReadonlySet<string>, missing: string[]): void {
  const [type, query] = Object.entries(node)[0] as [string, Node];
  const names = new Set(outerNames);
  for (const { CommonTableExpr: part } of query.withClause?.ctes ?? []) {
    if (query.withClause.recursive) names.add(part.ctename);
    checkQuery(part.ctequery, names, missing);
    names.add(part.ctename);
  }
  if (type === 'SelectStmt') checkSelect(query, names, missing);
  else if (type === 'UpdateStmt') {
    checkLevel([{ RangeVar: query.relation }, ...(query.fromClause ?? [])], query, names, missing);
  } else if (type === 'DeleteStmt') {
    checkLevel([{ RangeVar: query.relation }, ...(query.usingClause ?? [])], query, names, missing);
  } else if (type === 'InsertStmt') {
    const { relname } = query.relation;
    const columns = query.cols?.map(({ ResTarget }: Node) => ResTarget.name);
    if (isFirmTable(relname) && columns && !columns.includes('workspace_id')) missing.push(relname);
    if (query.selectStmt) checkQuery(query.selectStmt, names, missing);
    checkExpressions({ ...query, selectStmt: undefined, withClause: undefined }, names, missing);
  } else checkExpressions(query, names, missing);
}

function checkSelect(query: Node, names: ReadonlySet<string>, missing: string[]): void {
  if (query.op && query.op !== 'SETOP_NONE') {
    checkQuery({ SelectStmt: query.larg }, names, missing);
    checkQuery({ SelectStmt: query.rarg }, names, missing);
    return;
  }
  checkLevel(query.fromClause ?? [], query, names, missing);
}

/** Checks the tables of one level, and its subqueries. */
function checkLevel(from: Node[], query: Node, names: ReadonlySet<string>, missing: string[]): void {
  const tables = new Map<string, string>();
  const conditions: Node[] = query.whereClause ? [query.whereClause] : [];
  for (const item of from) collect(item, names, tables, conditions, missing);
  const bound = new Set<string>();
  const pairs: [string, string][] = [];
  for (const condition of conditions) readCondition(condition, tables, bound, pairs);
  for (let grows = true; grows; ) {
    grows = false;
    for (const [a, b] of pairs) {
      if (bound.has(a) === bound.has(b)) continue;
      bound.add(a).add(b);
      grows = true;
    }
  }
  for (const [alias, table] of tables)
    if (!bound.has(alias)) missing.push(alias === table ? table : `${table} ${alias}`);
  checkExpressions(
    { ...query, withClause: undefined, fromClause: undefined, usingClause: undefined },
    names,
    missing,
  );
}

/** Collects the firm's tables of a FROM item by their alias, and the conditions of its joins. Checks its subqueries. */
function collect(
  item: Node,
  names: ReadonlySet<string>,
  tables: Map<string, string>,
  conditions: Node[],
  missing: string[],
): void {
  const { RangeVar: table, JoinExpr: join, RangeSubselect: subquery } = item;
  if (table) {
    const isOurs = !table.schemaname || table.schemaname === 'public';
    if (isOurs && !names.has(table.relname) && isFirmTable(table.relname))
      tables.set(table.alias?.aliasname ?? table.relname, table.relname);
  } else if (join) {
    collect(join.larg, names, tables, conditions, missing);
    collect(join.rarg, names, tables, conditions, missing);
    if (join.quals) conditions.push(join.quals);
    const isUsing = join.usingClause?.some(({ String: name }: Node) => name.sval === 'workspace_id');
    if (isUsing) conditions.push({ Using: [aliasesOf(join.larg), aliasesOf(join.rarg)] });
    checkExpressions(join.quals, names, missing);
  } else if (subquery) checkQuery(subquery.subquery, names, missing);
  else checkExpressions(item, names, missing);
}

/** Returns the aliases of a FROM item. */
function aliasesOf({ RangeVar: table, JoinExpr: join, ...other }: Node): string[] {
  if (table) return [table.alias?.aliasname ?? table.relname];
  if (join) return [...aliasesOf(join.larg), ...aliasesOf(join.rarg)];
  return Object.values(other).map((item: Node) => item.alias?.aliasname ?? '');
}

/** Reads which tables a condition binds to a firm, and which it only compares with each other. */
function readCondition(
  condition: Node,
  tables: ReadonlyMap<string, string>,
  bound: Set<string>,
  pairs: [string, string][],
): void {
  const { BoolExpr: and, A_Expr: comparison, SubLink: sublink, Using: using } = condition;
  if (and?.boolop === 'AND_EXPR') {
    for (const part of and.args) readCondition(part, tables, bound, pairs);
  } else if (using) {
    for (const left of using[0]) for (const right of using[1]) bind(left, right, tables, bound, pairs);
  } else if (comparison?.kind === 'AEXPR_OP' && comparison.name.at(-1).String.sval === '=') {
    const left = comparison.lexpr?.RowExpr?.args ?? [comparison.lexpr];
    const right = comparison.rexpr?.RowExpr?.args ?? [comparison.rexpr];
    for (const [i, operand] of left.entries()) {
      const [a, b] = [firmColumn(operand, tables), firmColumn(right[i], tables)];
      if (a && b) pairs.push([a, b]);
      else if (a ?? b) bound.add((a ?? b)!);
    }
  } else if (comparison?.kind === 'AEXPR_IN' && comparison.name.at(-1).String.sval === '=') {
    // Rows by their keys, as the ORM lists them. They are of one firm if each names the same.
    for (const [i, operand] of comparison.lexpr.RowExpr?.args.entries() ?? []) {
      const alias = firmColumn(operand, tables);
      const [firm, ...others] = new Set(
        comparison.rexpr.List.items.map(({ RowExpr: row }: Node) => row?.args[i].A_Const?.ival?.ival),
      );
      if (alias && firm !== undefined && others.length === 0) bound.add(alias);
    }
  } else if (sublink?.subLinkType === 'ANY_SUBLINK') {
    // The subquery is checked itself, so it returns rows of one firm.
    for (const operand of sublink.testexpr?.RowExpr?.args ?? [sublink.testexpr]) {
      const alias = operand && firmColumn(operand, tables);
      if (alias) bound.add(alias);
    }
  }
}

function bind(
  left: string,
  right: string,
  tables: ReadonlyMap<string, string>,
  bound: Set<string>,
  pairs: [string, string][],
): void {
  if (tables.has(left) && tables.has(right)) pairs.push([left, right]);
  else if (tables.has(left)) bound.add(left);
  else if (tables.has(right)) bound.add(right);
}

/** Returns the alias of the firm's table of this level whose `workspace_id` an expression is. */
function firmColumn(expression: Node, tables: ReadonlyMap<string, string>): string | undefined {
  const fields = expression?.ColumnRef?.fields?.map(({ String: name }: Node) => name?.sval);
  if (fields?.at(-1) !== 'workspace_id') return undefined;
  if (fields.length > 1) return tables.has(fields.at(-2)) ? fields.at(-2) : undefined;
  return tables.size === 1 ? [...tables.keys()][0] : undefined;
}

/** Checks the subqueries within expressions. */
function checkExpressions(node: Node, names: ReadonlySet<string>, missing: string[]): void {
  if (typeof node !== 'object' || node === null) return;
  if (Array.isArray(node)) {
    for (const item of node) checkExpressions(item, names, missing);
    return;
  }
  if (node.SelectStmt) {
    checkQuery(node, names, missing);
    return;
  }
  for (const value of Object.values(node)) checkExpressions(value, names, missing);
}
