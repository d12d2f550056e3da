import { defineEntity, p } from '@mikro-orm/core';

/** The state of an imported file, so that an interrupted import continues and no file is imported twice. */
export const ImportSchema = defineEntity({
  name: 'Import',
  tableName: 'imports',
  properties: {
    /** SHA-256 of the file. */
    digest: p.blob().primary(),
    /** The base of its relative timestamps, also when an interrupted import continues. */
    startedAt: p.datetime(3),
    finishedAt: p.datetime(3).nullable(),
  },
});

/** A batch of an unfinished import. It is committed together with its rows. */
export const ImportBatchSchema = defineEntity({
  name: 'ImportBatch',
  tableName: 'import_batches',
  properties: {
    digest: p.blob().primary(),
    batch: p.integer().primary(),
    /** Where the next batch begins. */
    nextList: p.text(),
    nextPosition: p.integer(),
    /** The ids assigned to its keys, and the reports of its calendars. */
    made: p.json().columnType('json'),
  },
});
