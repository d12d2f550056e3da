import { defineEntity, p } from '@mikro-orm/core';

/** An event of a firm's log, which is stored for a day. */
export const LoggedEventSchema = defineEntity({
  name: 'LoggedEvent',
  tableName: 'event_log',
  properties: {
    /** The order of insertion. */
    id: p.integer().columnType('bigint').primary().defaultRaw(`nextval('event_log_ids')`),
    workspaceId: p.integer().primary(),
    /** The order in which the firm's events are read; null until the process that follows the firm gives it. */
    position: p.integer().columnType('bigint').nullable(),
    /** Tells an event from another that gets its position after the database has lost it. */
    tag: p.integer().defaultRaw(`floor(random() * 2147483647)::integer`),
    /** The id of a ticket, or one word for all events of a kind. */
    subject: p.text(),
    type: p.text(),
    body: p.json().$type<Record<string, unknown>>(),
    createdAt: p.datetime(3),
  },
});

/** The end of a firm's log, and the place up to which it was pruned. */
export const EventLogHeadSchema = defineEntity({
  name: 'EventLogHead',
  tableName: 'event_log_heads',
  properties: {
    workspaceId: p.integer().primary().autoincrement(false),
    position: p.integer().columnType('bigint').defaultRaw('0'),
    tag: p.integer().default(0),
    prunedThrough: p.integer().columnType('bigint').defaultRaw('0'),
    prunedTag: p.integer().default(0),
  },
});
