import { appendFileSync } from 'node:fs';
import { loadModule } from 'libpg-query';
import { statementsOfAllFirms } from '../platform/all-firms.ts';
import { setStatementCheck } from '../platform/statement-check.ts';
import { callerOf, isTest } from './statements/caller.ts';
import { findMissingFirms } from './statements/find-missing-firms.ts';

/**
 * Fails each statement of the server that reads or writes a firm's table without naming the firm. With STATEMENT_REPORT, writes
 * such statements to that file instead, a line of JSON each. Statements of the tests themselves are not checked.
 */
const report = process.env['STATEMENT_REPORT'];
await loadModule();
const checked = new Map<string, string[]>();

setStatementCheck((text) => {
  let missing = checked.get(text);
  if (missing === undefined) {
    missing = isMarked(text) ? [] : missingFirms(text);
    checked.set(text, missing);
  }
  if (missing.length === 0) return;
  const caller = callerOf();
  if (isTest(caller)) return;
  const message = `The statement does not name the firm of ${missing.join(', ')}`;
  if (report === undefined) throw new Error(`${message}:\n${text}`);
  appendFileSync(report, `${JSON.stringify({ missing, caller, text })}\n`);
});

/** Returns nothing for a text that is not SQL: PostgreSQL rejects it. */
function missingFirms(text: string): string[] {
  try {
    return findMissingFirms(text);
  } catch {
    return [];
  }
}

/** Returns whether a statement is one of all firms. Throws for one that is not in the list. */
function isMarked(text: string): boolean {
  const [, name] = /\/\* all firms: ([^*]+) \*\//.exec(text) ?? [];
  if (name === undefined) return false;
  if (name in statementsOfAllFirms) return true;
  throw new Error(`statementsOfAllFirms does not list "${name}".`);
}
