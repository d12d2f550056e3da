import { appendFileSync } from 'node:fs';
import { statementsOfAllFirms } from '@firmdesk/domain/testing';
import { loadModule } from 'libpg-query';
import { callerOf, isTest } from './caller.ts';
import { findMissingFirms } from './find-missing-firms.ts';
import { findOpenColumns } from './find-open-columns.ts';
import { findRefusals } from './find-refusals.ts';
import { watchStatements } from './watch-statements.ts';

/**
 * Fails each statement of the server that reads or writes a firm's table without naming the firm, each that a distributed installation would
 * refuse, and each prepared one that returns all columns of a table. With STATEMENT_REPORT, writes such statements to that file instead, a line of JSON each. Statements of the tests and of migrations are not checked.
 */
const report = process.env['STATEMENT_REPORT'];
await loadModule();
const checked = new Map<string, string[]>();

watchStatements((text, isPrepared) => {
  const key = `${isPrepared} ${text}`;
  let faults = checked.get(key);
  if (faults === undefined) {
    faults = faultsOf(text, isPrepared);
    checked.set(key, faults);
  }
  if (faults.length === 0) return;
  const caller = callerOf();
  if (isTest(caller)) return;
  if (report === undefined) throw new Error(`${faults.join(' ')}\n${text}`);
  appendFileSync(report, `${JSON.stringify({ faults, caller, text })}\n`);
});

/** Returns what is wrong with a statement: nothing for a text that is not SQL, which PostgreSQL rejects. */
function faultsOf(text: string, isPrepared: boolean): string[] {
  const ofAllFirms = isMarked(text);
  try {
    const missing = ofAllFirms ? [] : findMissingFirms(text);
    const open = isPrepared ? findOpenColumns(text) : [];
    return [
      ...(missing.length > 0 ? [`The statement does not name the firm of ${missing.join(', ')}.`] : []),
      ...findRefusals(text),
      ...(open.length > 0
        ? [`The statement is prepared and returns all columns of ${open.join(', ')}. List the columns.`]
        : []),
    ];
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
