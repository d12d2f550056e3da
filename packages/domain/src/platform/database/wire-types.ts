import pg from 'pg';

/**
 * Converts PostgreSQL's text of a `timestamptz` in a UTC session to the contract's form: ISO 8601 with `Z` and milliseconds, or
 * microseconds if it has them.
 */
export function wireTime(text: string): string {
  const fraction = text.slice(20, -3);
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(fraction.length > 3 ? 6 : 3, '0')}Z`;
}

/** Converts PostgreSQL's text of a `bigint` to a number, or keeps the text of one that a number cannot represent exactly. */
function parseBigint(text: string): number | string {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : text;
}

const { DATE, INT8, INTERVAL, TIMESTAMP, TIMESTAMPTZ } = pg.types.builtins;

/** Type parsers: times as the contract writes them (see {@link wireTime}), `bigint` as numbers, and as text what the ORM expects so. */
export const wireTypes = new pg.TypeOverrides();
wireTypes.setTypeParser(TIMESTAMPTZ, wireTime);
wireTypes.setTypeParser(INT8, parseBigint);
for (const type of [DATE, TIMESTAMP, INTERVAL]) wireTypes.setTypeParser(type, (text) => text);
