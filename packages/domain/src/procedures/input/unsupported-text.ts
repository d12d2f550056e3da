/**
 * Returns the path of a text that PostgreSQL cannot store: one with U+0000 or a lone surrogate. Returns null if there is none.
 * Both are valid JSON, and schemas do not exclude them.
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
