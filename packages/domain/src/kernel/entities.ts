import { TagSchema } from '../access/tag.entity.ts';
import { TokenSchema } from '../access/token.entity.ts';
import { MembershipSchema, StaffFirmSchema, UserSchema } from '../access/user.entity.ts';
import { WorkspaceSchema } from '../access/workspace.entity.ts';
import { PreRegistrationSchema } from '../affiliates/pre-registration.entity.ts';
import {
  CalendarSchema,
  CalendarShareSchema,
  EventOverrideSchema,
  EventReminderSchema,
  EventSchema,
  EventTagSchema,
} from '../calendar/calendar.entity.ts';
import { DeviceSchema } from '../devices/device.entity.ts';
import { MailboxMemberSchema, MailboxSchema, MailMessageSchema, ThreadSchema } from '../mail/mail.entity.ts';
import { NotificationSchema } from '../notifications/notification.entity.ts';
import {
  TeamMemberSchema,
  TeamSchema,
  TicketMessageSchema,
  TicketSchema,
  TicketTagSchema,
} from '../tickets/ticket.entity.ts';

/** Every table that the ORM writes, listed by hand: nothing is discovered. */
export const entities = [
  WorkspaceSchema,
  UserSchema,
  StaffFirmSchema,
  MembershipSchema,
  TokenSchema,
  TagSchema,
  MailboxSchema,
  MailboxMemberSchema,
  ThreadSchema,
  MailMessageSchema,
  CalendarSchema,
  CalendarShareSchema,
  EventSchema,
  EventOverrideSchema,
  EventTagSchema,
  EventReminderSchema,
  DeviceSchema,
  NotificationSchema,
  PreRegistrationSchema,
  TeamSchema,
  TeamMemberSchema,
  TicketSchema,
  TicketMessageSchema,
  TicketTagSchema,
] as const;
