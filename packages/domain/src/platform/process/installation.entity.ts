import { defineEntity, p } from '@mikro-orm/core';

/** The installation: one row. */
export const InstallationSchema = defineEntity({
  name: 'Installation',
  tableName: 'installation',
  properties: {
    onlyRow: p.boolean().primary().default(true),
    /** Shared by all nodes. Signs cursors and known devices. */
    secret: p.blob(),
    /** The secret before the last rotation, which stays valid until the next one. */
    previousSecret: p.blob().nullable(),
    rotatedAt: p.datetime().columnType('timestamptz').nullable(),
    /** The name of a migration. A process that knows it can work on the schema, even if it does not know later ones. */
    compatibleSince: p.text(),
    createdAt: p.datetime(3).defaultRaw('now()'),
  },
});
