import type { InferKyselyDB } from '@mikro-orm/postgresql';
import type { ColumnType } from 'kysely';
import { TagSchema } from '../access/tag.entity.ts';
import { TokenSchema } from '../access/token.entity.ts';
import { MembershipSchema, StaffWorkspaceSchema, UserSchema } from '../access/user.entity.ts';
import { WorkspaceSchema } from '../access/workspace.entity.ts';
import { PreRegistrationSchema } from '../affiliates/pre-registration.entity.ts';
import {
  CalendarSchema,
  CalendarShareSchema,
  EndedInvitationSchema,
  EventOverrideSchema,
  EventReminderSchema,
  EventSchema,
  EventTagSchema,
} from '../calendar/calendar.entity.ts';
import { DeviceSchema } from '../devices/device.entity.ts';
import {
  MailboxAddressSchema,
  MailboxMemberSchema,
  MailboxSchema,
  MailMessageSchema,
  MailThreadSchema,
} from '../mail/mail.entity.ts';
import { NotificationSchema } from '../notifications/notification.entity.ts';
import {
  TeamMemberSchema,
  TeamSchema,
  TicketMessageSchema,
  TicketSchema,
  TicketTagSchema,
} from '../tickets/ticket.entity.ts';

/** Every table that the ORM writes. Listed explicitly: the ORM does not search for entities. */
export const entities = [
  WorkspaceSchema,
  UserSchema,
  StaffWorkspaceSchema,
  MembershipSchema,
  TokenSchema,
  TagSchema,
  MailboxSchema,
  MailboxAddressSchema,
  MailboxMemberSchema,
  MailThreadSchema,
  MailMessageSchema,
  CalendarSchema,
  CalendarShareSchema,
  EventSchema,
  EventOverrideSchema,
  EventTagSchema,
  EventReminderSchema,
  EndedInvitationSchema,
  DeviceSchema,
  NotificationSchema,
  PreRegistrationSchema,
  TeamSchema,
  TeamMemberSchema,
  TicketSchema,
  TicketMessageSchema,
  TicketTagSchema,
] as const;

type Entities = InferKyselyDB<(typeof entities)[number]>;
type WireTime<T> = T extends Date ? string : T;
type Column<C> = [C] extends [ColumnType<infer Select, infer Insert, infer Update>]
  ? ColumnType<WireTime<Select>, Insert, Update>
  : Date extends C
    ? ColumnType<WireTime<C>, C | string, C | string>
    : C;

/** The columns that the database computes (migration 0005). */
interface DerivedColumns {
  tickets: {
    number: string;
    urgency: number;
    queue_rank: number;
    queue_key: number;
    queue_tie: string;
  };
}

type EntityTables = {
  [T in keyof Entities]: {
    [C in keyof Entities[T]]: Column<Entities[T][C]>;
  } & (T extends keyof DerivedColumns
    ? { [C in keyof DerivedColumns[T]]: ColumnType<DerivedColumns[T][C], never, never> }
    : unknown);
};

declare module '../platform/database/database.ts' {
  interface Tables extends EntityTables {}
}
