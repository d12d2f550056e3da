import pg from 'pg';
import { TIMESTAMPTZ, wireTime } from './database.ts';

/** For pools beside the ORM's: moments as the contract writes them (see {@link wireTime}). */
export const wireTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === TIMESTAMPTZ && format !== 'binary'
      ? wireTime
      : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
};
