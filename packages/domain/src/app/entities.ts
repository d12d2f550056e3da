import type { InferKyselyDB } from '@mikro-orm/postgresql';
import type { ColumnType } from 'kysely';
import { MembershipSchema, StaffWorkspaceSchema, UserSchema } from '../access/accounts/user.entity.ts';
import { AuditEventSchema } from '../access/audit/audit-event.entity.ts';
import { InviteSchema } from '../access/invites/invite.entity.ts';
import {
  ProviderAccountSchema,
  SignInDomainSchema,
  SignInProviderSchema,
} from '../access/sign-in/provider.entity.ts';
import {
  PasskeySchema,
  RecoveryCodeSchema,
  SecondFactorSchema,
  SignInChallengeSchema,
} from '../access/sign-in/sign-in.entity.ts';
import { TokenSchema } from '../access/tokens/token.entity.ts';
import { TagSchema } from '../access/workspaces/tag.entity.ts';
import { WorkspaceSchema } from '../access/workspaces/workspace.entity.ts';
import { PreRegistrationSchema } from '../affiliates/pre-registration.entity.ts';
import { AssistantRunSchema, AssistantUsageSchema } from '../assistant/assistant.entity.ts';
import { ArticleSchema } from '../assistant/knowledge/article.entity.ts';
import { AttachmentSchema } from '../attachments/attachment.entity.ts';
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
import { MacroSchema } from '../macros/macro.entity.ts';
import {
  MailboxAddressSchema,
  MailboxMemberSchema,
  MailboxSchema,
  MailMessageSchema,
  MailThreadSchema,
  MailThreadTagSchema,
} from '../mail/mail.entity.ts';
import {
  MailSearchPostingSchema,
  MailSearchProgressSchema,
  MailSearchWordSchema,
} from '../mail/search/mail-search.entity.ts';
import {
  MailUsageSchema,
  OutgoingMessageSchema,
  OutgoingRecipientSchema,
} from '../mail/sending/outgoing.entity.ts';
import { NotificationMuteSchema, NotificationSchema } from '../notifications/notification.entity.ts';
import { EventLogHeadSchema, LoggedEventSchema } from '../platform/events/event-log.entity.ts';
import { JobRequestSchema, WorkerSchema } from '../platform/jobs/job.entity.ts';
import { InstallationSchema } from '../platform/process/installation.entity.ts';
import { IdempotencyKeySchema } from '../procedures/idempotency-key.entity.ts';
import { PushSchema, UnsentReminderSchema } from '../push/push.entity.ts';
import { ReportDaySchema, ReportProgressSchema } from '../reports/report.entity.ts';
import { TicketRatingSchema } from '../satisfaction/rating.entity.ts';
import {
  AgentAvailabilitySchema,
  AssignmentTurnSchema,
  WaitingAssignmentSchema,
} from '../tickets/automation/assignment.entity.ts';
import { RuleEventSchema, RuleUsageSchema, TicketRuleSchema } from '../tickets/automation/rule.entity.ts';
import { BulkChangeBatchSchema, BulkChangeSchema } from '../tickets/bulk/bulk-change.entity.ts';
import { TicketFollowerSchema } from '../tickets/changes/ticket-follower.entity.ts';
import { DelayedSendSchema, ReplyDraftSchema, UnsentReplySchema } from '../tickets/drafts/draft.entity.ts';
import { TicketLinkSchema } from '../tickets/links/ticket-link.entity.ts';
import {
  SearchPostingSchema,
  SearchProgressSchema,
  SearchWordSchema,
} from '../tickets/search/search.entity.ts';
import {
  TeamMemberSchema,
  TeamSchema,
  TicketMessageSchema,
  TicketSchema,
  TicketTagSchema,
} from '../tickets/ticket.entity.ts';
import { TicketViewOrderSchema, TicketViewSchema } from '../tickets/views/ticket-view.entity.ts';
import { TraderProfileSchema } from '../traders/trader-profile.entity.ts';
import {
  WebhookDeliverySchema,
  WebhookEndpointSchema,
  WebhookEventSchema,
} from '../webhooks/webhook.entity.ts';
import { DataRequestSchema } from './data/data-request.entity.ts';
import { ImportBatchSchema, ImportSchema } from './import.entity.ts';

/** The entity of every table, except those of libraries. Listed explicitly: the ORM does not search for entities. */
export const entities = [
  InstallationSchema,
  WorkerSchema,
  JobRequestSchema,
  LoggedEventSchema,
  EventLogHeadSchema,
  IdempotencyKeySchema,
  WorkspaceSchema,
  UserSchema,
  StaffWorkspaceSchema,
  MembershipSchema,
  TokenSchema,
  SecondFactorSchema,
  RecoveryCodeSchema,
  PasskeySchema,
  SignInChallengeSchema,
  InviteSchema,
  SignInProviderSchema,
  SignInDomainSchema,
  ProviderAccountSchema,
  AuditEventSchema,
  TagSchema,
  MailboxSchema,
  MailboxAddressSchema,
  MailboxMemberSchema,
  MailThreadSchema,
  MailThreadTagSchema,
  MailMessageSchema,
  OutgoingMessageSchema,
  OutgoingRecipientSchema,
  MailUsageSchema,
  CalendarSchema,
  CalendarShareSchema,
  EventSchema,
  EventOverrideSchema,
  EventTagSchema,
  EventReminderSchema,
  EndedInvitationSchema,
  UnsentReminderSchema,
  DeviceSchema,
  PushSchema,
  NotificationSchema,
  NotificationMuteSchema,
  PreRegistrationSchema,
  TeamSchema,
  TeamMemberSchema,
  TicketSchema,
  TicketMessageSchema,
  TicketTagSchema,
  TicketLinkSchema,
  TicketFollowerSchema,
  TicketViewSchema,
  TicketViewOrderSchema,
  ReplyDraftSchema,
  DelayedSendSchema,
  UnsentReplySchema,
  BulkChangeSchema,
  BulkChangeBatchSchema,
  AgentAvailabilitySchema,
  AssignmentTurnSchema,
  WaitingAssignmentSchema,
  TicketRuleSchema,
  RuleEventSchema,
  RuleUsageSchema,
  SearchProgressSchema,
  SearchWordSchema,
  SearchPostingSchema,
  MailSearchProgressSchema,
  MailSearchWordSchema,
  MailSearchPostingSchema,
  AttachmentSchema,
  MacroSchema,
  TraderProfileSchema,
  AssistantRunSchema,
  AssistantUsageSchema,
  ReportDaySchema,
  ReportProgressSchema,
  ArticleSchema,
  DataRequestSchema,
  WebhookEndpointSchema,
  WebhookEventSchema,
  WebhookDeliverySchema,
  TicketRatingSchema,
  ImportSchema,
  ImportBatchSchema,
] as const;

type Entities = InferKyselyDB<(typeof entities)[number]>;
type WireTime<T> = T extends Date ? string : T;
type Column<C> = [C] extends [ColumnType<infer Select, infer Insert, infer Update>]
  ? ColumnType<WireTime<Select>, Insert, Update>
  : Date extends C
    ? ColumnType<WireTime<C>, C | string, C | string>
    : C;

/** The columns that the database computes (migration 0005). They are no properties, so nothing can write them. */
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
