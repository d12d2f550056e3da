import pg from 'pg';

export const TIMESTAMPTZ = 1184;

/**
 * Converts PostgreSQL's text of a `timestamptz` in a UTC session to the contract's form: ISO 8601 with `Z` and milliseconds, or
 * microseconds if it has them.
 */
export function wireTime(text: string): string {
  const fraction = text.slice(20, -3);
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(fraction.length > 3 ? 6 : 3, '0')}Z`;
}

export const INT8 = 20;

/** Converts PostgreSQL's text of a `bigint` to a number, or keeps the text of one that a number cannot represent exactly. */
export function parseBigint(text: string): number | string {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : text;
}

/** Type parsers of the other pools: times as the contract writes them (see {@link wireTime}), `bigint` as numbers. */
export const wireTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (format !== 'binary' && oid === TIMESTAMPTZ) return wireTime;
    if (format !== 'binary' && oid === INT8) return parseBigint;
    return pg.types.getTypeParser(oid, format as 'text');
  }) as typeof pg.types.getTypeParser,
};
