import pg from 'pg';

const TIMESTAMPTZ = 1184;

/**
 * Converts PostgreSQL's text of a `timestamptz` in a UTC session to the contract's form: ISO 8601 with `Z` and milliseconds, or
 * microseconds if it has them.
 */
export function wireTime(text: string): string {
  const fraction = text.slice(20, -3);
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(fraction.length > 3 ? 6 : 3, '0')}Z`;
}

const INT8 = 20;

/** Converts PostgreSQL's text of a `bigint` to a number, or keeps the text of one that a number cannot represent exactly. */
function parseBigint(text: string): number | string {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : text;
}

/** Returns type parsers with ours: times as the contract writes them (see {@link wireTime}), `bigint` as numbers. */
export function withWireTypes(types: pg.CustomTypesConfig): pg.CustomTypesConfig {
  return {
    getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
      if (format !== 'binary' && oid === TIMESTAMPTZ) return wireTime;
      if (format !== 'binary' && oid === INT8) return parseBigint;
      return types.getTypeParser(oid, format as 'text');
    }) as typeof pg.types.getTypeParser,
  };
}

/** The type parsers of pools that are not the ORM's. */
export const wireTypes = withWireTypes(pg.types);
