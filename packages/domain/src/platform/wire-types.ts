import pg from 'pg';
import { TIMESTAMPTZ, wireTime } from './database.ts';

/** Type parsers of the other pools: times as the contract writes them (see {@link wireTime}). */
export const wireTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === TIMESTAMPTZ && format !== 'binary'
      ? wireTime
      : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
};
