import pg from 'pg';
import { INT8, parseBigint, TIMESTAMPTZ, wireTime } from './database.ts';

/** Type parsers of the other pools: times as the contract writes them (see {@link wireTime}), `bigint` as numbers. */
export const wireTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (format !== 'binary' && oid === TIMESTAMPTZ) return wireTime;
    if (format !== 'binary' && oid === INT8) return parseBigint;
    return pg.types.getTypeParser(oid, format as 'text');
  }) as typeof pg.types.getTypeParser,
};
