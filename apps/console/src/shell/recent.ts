import { firm } from '../session/firm.ts';
import { type StoredValue, storedValue } from '../stored-value.ts';

const KEPT = 8;

/** A ticket, mail, event or person, with the page that shows it. */
export interface RecentRecord {
  id: string;
  name: string;
  /** What it is: `Ticket`. */
  group: string;
  to: string;
  search?: object;
}

/** What was chosen in the command menu, or opened. A command has only its id. */
type Recent = RecentRecord | { id: string };

const stored = new Map<string, StoredValue<readonly Recent[]>>();

/** What an account has opened and chosen last in this firm and browser, latest first. Signing out deletes it ({@link forgetAccount}). */
export function recentOf(userId: string): StoredValue<readonly Recent[]> {
  const recent = stored.get(userId) ?? storedValue(`recent.${firm}.${userId}`, parse);
  stored.set(userId, recent);
  return recent;
}

export function rememberRecent(userId: string, entry: Recent): void {
  const recent = recentOf(userId);
  recent.set([entry, ...recent.fresh().filter(({ id }) => id !== entry.id)].slice(0, KEPT));
}

function parse(value: unknown): readonly Recent[] {
  return Array.isArray(value) ? value.filter((each) => typeof each?.id === 'string').slice(0, KEPT) : [];
}
