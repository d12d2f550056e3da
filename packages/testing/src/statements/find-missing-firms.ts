import { firmTables } from '@firmdesk/domain/testing';
import { parseSync } from 'libpg-query';

/** A node of PostgreSQL's parse tree: an object with one key, the type of the node, or a field of one. */
// biome-ignore lint/suspicious/noExplicitAny: the tree has a hundred types, and this file reads a few fields of ten
type Node = any;

const isFirmTable = (name: string) => (firmTables as readonly string[]).includes(name);

/**
 * Returns the firm's tables that a statement reads or writes without naming the firm, as `table` or `table alias`. A table is
 * named with its firm if `workspace_id` is compared with `=` to a value that is known before the statement runs, such as a parameter, or to a
 * column that is. A column of an outer query and a subquery are no such value: Citus would ask every server.
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
  const level: Level = { aliases: new Set(), tables: new Map(), conditions: [] };
  if (query.whereClause) level.conditions.push(query.whereClause);
  for (const item of from) collect(item, names, level, missing);
  const known = new Set<string>();
  const pairs: [string, string][] = [];
  for (const condition of level.conditions) readCondition(condition, level, known, pairs);
  for (let grows = true; grows; ) {
    grows = false;
    for (const [a, b] of pairs) {
      if (known.has(a) === known.has(b)) continue;
      known.add(a).add(b);
      grows = true;
    }
  }
  for (const [alias, table] of level.tables)
    if (!known.has(`${alias}.workspace_id`)) missing.push(alias === table ? table : `${table} ${alias}`);
  checkExpressions(
    { ...query, withClause: undefined, fromClause: undefined, usingClause: undefined },
    names,
    missing,
  );
}

/** What one query level reads. */
interface Level {
  /** Of everything that it reads. */
  aliases: Set<string>;
  /** The firm's tables by their alias. */
  tables: Map<string, string>;
  /** All of which its rows fulfil. */
  conditions: Node[];
}

/** Adds a FROM item to the level. Checks its subqueries. */
function collect(item: Node, names: ReadonlySet<string>, level: Level, missing: string[]): void {
  const { RangeVar: table, JoinExpr: join, RangeSubselect: subquery } = item;
  for (const alias of aliasesOf(item)) level.aliases.add(alias);
  if (table) {
    const isOurs = !table.schemaname || table.schemaname === 'public';
    if (isOurs && !names.has(table.relname) && isFirmTable(table.relname))
      level.tables.set(table.alias?.aliasname ?? table.relname, table.relname);
  } else if (join) {
    collect(join.larg, names, level, missing);
    collect(join.rarg, names, level, missing);
    if (join.quals) level.conditions.push(join.quals);
    const isUsing = join.usingClause?.some(({ String: name }: Node) => name.sval === 'workspace_id');
    if (isUsing) level.conditions.push({ Using: [aliasesOf(join.larg), aliasesOf(join.rarg)] });
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

/** Reads which columns a condition compares with a known value, and which it compares with each other. */
function readCondition(condition: Node, level: Level, known: Set<string>, pairs: [string, string][]): void {
  const { BoolExpr: and, A_Expr: comparison, SubLink: sublink, Using: using } = condition;
  if (and?.boolop === 'AND_EXPR') {
    for (const part of and.args) readCondition(part, level, known, pairs);
  } else if (using) {
    for (const left of using[0])
      for (const right of using[1]) pairs.push([`${left}.workspace_id`, `${right}.workspace_id`]);
  } else if (comparison?.kind === 'AEXPR_OP' && comparison.name.at(-1).String.sval === '=') {
    const left = comparison.lexpr?.RowExpr?.args ?? [comparison.lexpr];
    const right = comparison.rexpr?.RowExpr?.args ?? [comparison.rexpr];
    for (const [i, operand] of left.entries()) {
      const [a, b] = [columnIn(operand, level), columnIn(right[i], level)];
      if (a && b) pairs.push([a, b]);
      else if (a && isKnown(right[i])) known.add(a);
      else if (b && isKnown(operand)) known.add(b);
    }
  } else if (comparison?.kind === 'AEXPR_IN' && comparison.name.at(-1).String.sval === '=') {
    // Rows by their keys, as the ORM lists them. They are of one firm if each names the same.
    for (const [i, operand] of comparison.lexpr.RowExpr?.args.entries() ?? []) {
      const column = columnIn(operand, level);
      const [firm, ...others] = new Set(
        comparison.rexpr.List.items.map(({ RowExpr: row }: Node) => row?.args[i].A_Const?.ival?.ival),
      );
      if (column && firm !== undefined && others.length === 0) known.add(column);
    }
  } else if (sublink?.subLinkType === 'ANY_SUBLINK') {
    const targets: Node[] = sublink.subselect.SelectStmt.targetList ?? [];
    for (const [i, operand] of (sublink.testexpr?.RowExpr?.args ?? [sublink.testexpr]).entries()) {
      const column = operand && columnIn(operand, level);
      // The subquery is checked itself, so its firm is known.
      if (column && returnsFirm(targets[i]?.ResTarget.val)) known.add(column);
    }
  }
}

/** Returns a column of the level as `alias.column`. */
function columnIn(expression: Node, { aliases, tables }: Level): string | undefined {
  const fields = expression?.ColumnRef?.fields?.map(({ String: name }: Node) => name?.sval);
  const column = fields?.at(-1);
  if (column === undefined) return undefined;
  if (fields.length > 1) return aliases.has(fields.at(-2)) ? `${fields.at(-2)}.${column}` : undefined;
  // The only table that can have it.
  const owners = aliases.size > 1 && column === 'workspace_id' ? tables.keys() : aliases;
  const [owner, ...others] = owners;
  return owner !== undefined && others.length === 0 ? `${owner}.${column}` : undefined;
}

function returnsFirm(value: Node): boolean {
  return value?.ColumnRef?.fields.at(-1).String?.sval === 'workspace_id' || isKnown(value);
}

/** Returns whether an expression has its value before the statement runs: it reads no row. */
function isKnown(expression: Node): boolean {
  if (typeof expression !== 'object' || expression === null) return expression !== undefined;
  if (expression.ColumnRef || expression.SubLink) return false;
  return Object.values(expression).every(isKnown);
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
