import * as z from 'zod';
import { Line, Timestamp } from '../values/fields.ts';
import { idOf } from '../values/ids.ts';

/** What a firm asks to be done with stored data: a job does it. */
export const dataRequestKinds = ['export_person', 'erase_person', 'export_firm'] as const;
export type DataRequestKind = (typeof dataRequestKinds)[number];

const Person = z.object({ id: idOf('user'), name: z.string() });

/** An export of what is stored about a person or a firm, or the erasure of a person. `counts` are rows by table, or records by list. */
export const DataRequest = z.object({
  object: z.literal('data_request'),
  id: idOf('dataRequest'),
  kind: z.enum(dataRequestKinds),
  person: Person.nullable(),
  state: z.enum(['waiting', 'running', 'done', 'failed']),
  counts: z.record(z.string(), z.int()),
  /** What an import file cannot contain, each with the reason. */
  left_out: z.array(z.string()),
  /** Why it failed. */
  problem: z.string().nullable(),
  /** The file of an export, until it is deleted. Null for who lacks a permission that it needs. */
  file: z.object({ size: z.int(), expires_at: Timestamp }).nullable(),
  requested_by: Person,
  created_at: Timestamp,
  finished_at: Timestamp.nullable(),
});
export type DataRequest = z.infer<typeof DataRequest>;
export const DataRequests = z.object({ data: z.array(DataRequest) });

export const PersonRef = z.object({ id: idOf('user') });

/** Returns the requests of the firm; with `person` those about one person. */
export const ListPersonRequestsInput = z.object({ person: idOf('user').optional() });

/** `email` is the address of the person, typed once more. */
export const ErasePersonInput = z.object({ id: idOf('user'), email: Line.max(254) });

/**
 * What an erasure does to the firm’s rows. `rows` is null where they are only searched when it runs: no index finds them.
 */
export const PersonErasure = z.object({
  object: z.literal('person_erasure'),
  id: idOf('user'),
  name: z.string(),
  email: z.string(),
  changes: z.array(
    z.object({
      table: z.string(),
      effect: z.enum(['deleted', 'changed', 'kept']),
      rows: z.int().nullable(),
    }),
  ),
});
export type PersonErasure = z.infer<typeof PersonErasure>;

/** The scheduled deletion of a firm; the times are null while none is. */
export const FirmDeletion = z.object({
  object: z.literal('firm_deletion'),
  due_at: Timestamp.nullable(),
  requested_by: Person.nullable(),
});
export type FirmDeletion = z.infer<typeof FirmDeletion>;

/** `name` is that of the firm, typed once more. */
export const ScheduleDeletionInput = z.object({ name: Line.max(100) });
