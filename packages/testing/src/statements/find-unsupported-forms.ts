import { firmTables } from '@firmdesk/domain/testing';
import { parseSync } from 'libpg-query';

/** A node of PostgreSQL's parse tree, as in `find-missing-firms.ts`. */
// biome-ignore lint/suspicious/noExplicitAny: this file reads a few fields of five types
type Node = any;

const isFirmTable = (name: string) => (firmTables as readonly string[]).includes(name);
/** What Citus adds together with a column. */
const ADDED_WITH_COLUMN = ['CONSTR_NOTNULL', 'CONSTR_NULL', 'CONSTR_DEFAULT'];

/**
 * Returns what Citus does not support in a statement of a migration that runs on a distributed installation, each with what to write instead.
 * Also tables that are not a firm's can be known to Citus: by a reference to a copied table, such as `users`. What a `do` block or a function
 * runs is not read.
 */
export function findUnsupportedForms(text: string): string[] {
  const statements: Node[] = parseSync(text).stmts ?? [];
  if (statements.length > 1) return ['several statements in one text: give each a text of its own'];
  return statements.flatMap(({ stmt }) => {
    if ('CreateStmt' in stmt) return inNewTable(stmt.CreateStmt);
    if ('AlterTableStmt' in stmt) return inChange(stmt.AlterTableStmt);
    if (stmt.RenameStmt?.renameType === 'OBJECT_TABCONSTRAINT')
      return ['a constraint is renamed: drop it and add it again'];
    return [];
  });
}

/** A firm's table that refers to a copied table belongs to the coordinator, and could not be distributed with an identity column. */
function inNewTable({ relation, tableElts = [] }: Node): string[] {
  if (!isFirmTable(relation.relname)) return [];
  const constraints: Node[] = tableElts.flatMap(({ ColumnDef, Constraint }: Node) =>
    Constraint ? [Constraint] : (ColumnDef?.constraints ?? []).map((each: Node) => each.Constraint),
  );
  return constraints.some(({ contype }) => contype === 'CONSTR_FOREIGN')
    ? ['a firm’s table is created with a reference: add it after distributeNewTable']
    : [];
}

function inChange({ cmds, objtype }: Node): string[] {
  if (objtype !== 'OBJECT_TABLE') return [];
  const changes: Node[] = cmds.map(({ AlterTableCmd }: Node) => AlterTableCmd);
  const faults: string[] = [];
  const adds = changes.filter(({ subtype }) => subtype === 'AT_AddConstraint');
  if (adds.length > 0 && changes.length > 1)
    faults.push('a constraint is added together with another change: give it a statement of its own');
  if (adds.some(({ def }) => (def.Constraint.fk_del_set_cols ?? []).length > 0))
    faults.push('a reference empties some of its columns: empty them before the row is deleted');
  const columns = changes.filter(({ subtype }) => subtype === 'AT_AddColumn');
  const constraints: Node[] = columns.flatMap(({ def }) => def.ColumnDef.constraints ?? []);
  if (constraints.some(({ Constraint }) => !ADDED_WITH_COLUMN.includes(Constraint.contype)))
    faults.push('a column is added with a constraint: add the constraint by a statement of its own');
  return faults;
}
