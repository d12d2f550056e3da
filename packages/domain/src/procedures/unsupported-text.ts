/**
 * Where a value holds a text that PostgreSQL cannot keep: one with U+0000, or with half a surrogate pair. Null if nowhere.
 * Both arrive as proper JSON, and no schema has a reason to think of them.
 */
export function findUnsupportedText(value: unknown): PropertyKey[] | null {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? [] : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, member] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    if (typeof key === 'string' && findUnsupportedText(key)) return [];
    const path = findUnsupportedText(member);
    if (path) return [key, ...path];
  }
  return null;
}
