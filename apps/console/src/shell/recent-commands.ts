import { type StoredValue, storedValue } from '../stored-value.ts';

const KEPT = 5;

const stored = new Map<string, StoredValue<readonly string[]>>();

/** The ids of the commands that a user has chosen last in this browser, latest first. */
export function recentCommands(userId: string): StoredValue<readonly string[]> {
  const recent = stored.get(userId) ?? storedValue(`commands.${userId}`, parse);
  stored.set(userId, recent);
  return recent;
}

export function rememberCommand(userId: string, id: string): void {
  const recent = recentCommands(userId);
  recent.set([id, ...recent.get().filter((each) => each !== id)].slice(0, KEPT));
}

function parse(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string').slice(0, KEPT) : [];
}
