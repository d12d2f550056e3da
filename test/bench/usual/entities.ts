import { defineEntity, p } from '@mikro-orm/core';

/** The tables of Firmdesk that the calls need, with relations, as the documentation of MikroORM declares them. */

export const FirmSchema = defineEntity({
  name: 'Firm',
  tableName: 'workspaces',
  properties: { id: p.integer().primary(), slug: p.text(), name: p.text() },
});
export class Firm extends FirmSchema.class {}
FirmSchema.setClass(Firm);

export const AccountSchema = defineEntity({
  name: 'Account',
  tableName: 'users',
  properties: {
    id: p.text().primary(),
    email: p.text(),
    name: p.text(),
    avatarHash: p.text().nullable(),
    timezone: p.text(),
    deletedAt: p.datetime().nullable(),
  },
});
export class Account extends AccountSchema.class {}
AccountSchema.setClass(Account);

export const MemberSchema = defineEntity({
  name: 'Member',
  tableName: 'memberships',
  properties: {
    firm: p.manyToOne(Firm).primary().fieldName('workspace_id'),
    account: p.manyToOne(Account).primary().fieldName('user_id'),
    role: p.text(),
    active: p.boolean(),
    permissions: p.array().columnType('text[]'),
  },
});
export class Member extends MemberSchema.class {}
MemberSchema.setClass(Member);

export const KeySchema = defineEntity({
  name: 'Key',
  tableName: 'tokens',
  properties: {
    id: p.text().primary(),
    account: p.manyToOne(Account).fieldName('user_id'),
    firm: p.manyToOne(Firm).fieldName('workspace_id'),
    environment: p.text(),
    secretHash: p.blob(),
    scopes: p.array().columnType('text[]'),
    createdAt: p.datetime(3),
    lastUsedAt: p.datetime(3).nullable(),
    expiresAt: p.datetime(3).nullable(),
    revokedAt: p.datetime(3).nullable(),
  },
});
export class Key extends KeySchema.class {}
KeySchema.setClass(Key);

export const GroupSchema = defineEntity({
  name: 'Group',
  tableName: 'teams',
  properties: { id: p.integer().primary(), workspaceId: p.integer(), name: p.text() },
});
export class Group extends GroupSchema.class {}
GroupSchema.setClass(Group);

export const LabelSchema = defineEntity({
  name: 'Label',
  tableName: 'tags',
  properties: { id: p.integer().primary(), workspaceId: p.integer(), name: p.text(), color: p.text() },
});
export class Label extends LabelSchema.class {}
LabelSchema.setClass(Label);

export const RequestSchema = defineEntity({
  name: 'Request',
  tableName: 'tickets',
  properties: {
    id: p.text().primary(),
    workspaceId: p.integer(),
    trader: p.manyToOne(Account).fieldName('trader_id'),
    assignee: () => p.manyToOne(Account).nullable().fieldName('assignee_id'),
    team: () => p.manyToOne(Group).nullable().fieldName('team_id'),
    subject: p.text(),
    status: p.text(),
    priority: p.text(),
    aiEnabled: p.boolean(),
    aiBlocked: p.boolean(),
    unread: p.integer(),
    lastFrom: p.text().nullable(),
    lastMessageAt: p.datetime(3),
    createdAt: p.datetime(3),
    closedAt: p.datetime(3).nullable(),
    queueRank: p.integer().persist(false),
    queueKey: p.bigint('number').persist(false),
    queueTie: p.bigint('number').persist(false),
    messages: () => p.oneToMany(Message).mappedBy('ticket'),
    labels: () => p.oneToMany(RequestLabel).mappedBy('ticket'),
  },
});
export class Request extends RequestSchema.class {}
RequestSchema.setClass(Request);

export const RequestLabelSchema = defineEntity({
  name: 'RequestLabel',
  tableName: 'ticket_tags',
  properties: {
    ticket: p.manyToOne(Request).primary().fieldName('ticket_id'),
    label: p.manyToOne(Label).primary().fieldName('tag_id'),
    workspaceId: p.integer(),
  },
});
export class RequestLabel extends RequestLabelSchema.class {}
RequestLabelSchema.setClass(RequestLabel);

export const MessageSchema = defineEntity({
  name: 'Message',
  tableName: 'ticket_messages',
  properties: {
    id: p.text().primary(),
    workspaceId: p.integer(),
    ticket: p.manyToOne(Request).fieldName('ticket_id'),
    from: p.text().fieldName('from_kind'),
    authorId: p.text().nullable(),
    author: p.text(),
    body: p.text(),
    internal: p.boolean(),
    readAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    searchText: p.text().lazy(),
  },
});
export class Message extends MessageSchema.class {}
MessageSchema.setClass(Message);

export const BoxSchema = defineEntity({
  name: 'Box',
  tableName: 'mailboxes',
  properties: { id: p.integer().primary(), workspaceId: p.integer(), email: p.text(), name: p.text() },
});
export class Box extends BoxSchema.class {}
BoxSchema.setClass(Box);

export const BoxMemberSchema = defineEntity({
  name: 'BoxMember',
  tableName: 'mailbox_members',
  properties: {
    box: p.manyToOne(Box).primary().fieldName('mailbox_id'),
    account: p.manyToOne(Account).primary().fieldName('user_id'),
    workspaceId: p.integer(),
    canWrite: p.boolean(),
  },
});
export class BoxMember extends BoxMemberSchema.class {}
BoxMemberSchema.setClass(BoxMember);

export const MailSchema = defineEntity({
  name: 'Mail',
  tableName: 'mail_messages',
  properties: {
    id: p.text().primary(),
    workspaceId: p.integer(),
    mailboxId: p.integer(),
    threadId: p.integer().columnType('bigint'),
    folder: p.text(),
    toRecipients: p.json().$type<{ email: string; name: string | null }[]>(),
    ccRecipients: p.json().$type<{ email: string; name: string | null }[]>(),
    subject: p.text(),
    body: p.text().lazy(),
    snippet: p.text(),
    messageAt: p.datetime(6),
  },
});
export class Mail extends MailSchema.class {}
MailSchema.setClass(Mail);

export const DiarySchema = defineEntity({
  name: 'Diary',
  tableName: 'calendars',
  properties: {
    id: p.integer().primary(),
    workspaceId: p.integer(),
    owner: p.manyToOne(Account).fieldName('owner_id'),
  },
});
export class Diary extends DiarySchema.class {}
DiarySchema.setClass(Diary);

export const AppointmentSchema = defineEntity({
  name: 'Appointment',
  tableName: 'events',
  properties: {
    id: p.integer().columnType('bigint').primary(),
    workspaceId: p.integer(),
    calendar: p.manyToOne(Diary).fieldName('calendar_id'),
    title: p.text(),
    description: p.text().nullable(),
    location: p.text().nullable(),
    localStart: p.text(),
    localEnd: p.text(),
    allDay: p.boolean(),
    timezone: p.text(),
    status: p.text(),
    source: p.text(),
    recurrenceRule: p.text().nullable(),
    removedDates: p.json().$type<string[]>(),
    conference: p.json().$type<object>().nullable(),
    organizerName: p.text().nullable(),
    organizerEmail: p.text().nullable(),
    attendees: p.json().$type<object[]>(),
    spanStart: p.datetime(3),
    spanEnd: p.datetime(3).nullable(),
    overrides: () => p.oneToMany(Exception).mappedBy('event'),
    labels: () => p.oneToMany(AppointmentLabel).mappedBy('event'),
    reminders: () => p.oneToMany(AppointmentReminder).mappedBy('event'),
  },
});
export class Appointment extends AppointmentSchema.class {}
AppointmentSchema.setClass(Appointment);

export const ExceptionSchema = defineEntity({
  name: 'Exception',
  tableName: 'event_overrides',
  properties: {
    event: p.manyToOne(Appointment).primary().fieldName('event_id'),
    occurrenceStart: p.text().primary(),
    cancelled: p.boolean(),
    localStart: p.text().nullable(),
    localEnd: p.text().nullable(),
    title: p.text().nullable(),
  },
});
export class Exception extends ExceptionSchema.class {}
ExceptionSchema.setClass(Exception);

export const AppointmentLabelSchema = defineEntity({
  name: 'AppointmentLabel',
  tableName: 'event_tags',
  properties: {
    event: p.manyToOne(Appointment).primary().fieldName('event_id'),
    label: p.manyToOne(Label).primary().fieldName('tag_id'),
  },
});
export class AppointmentLabel extends AppointmentLabelSchema.class {}
AppointmentLabelSchema.setClass(AppointmentLabel);

export const AppointmentReminderSchema = defineEntity({
  name: 'AppointmentReminder',
  tableName: 'event_reminders',
  properties: {
    event: p.manyToOne(Appointment).primary().fieldName('event_id'),
    account: p.manyToOne(Account).primary().fieldName('user_id'),
    minutesBefore: p.integer().primary(),
    channel: p.text().primary(),
  },
});
export class AppointmentReminder extends AppointmentReminderSchema.class {}
AppointmentReminderSchema.setClass(AppointmentReminder);

export const AnswerSchema = defineEntity({
  name: 'Answer',
  tableName: 'idempotency_keys',
  properties: {
    id: p.blob().primary(),
    bodyHash: p.blob(),
    status: p.integer().nullable(),
    answer: p.blob().nullable(),
    createdAt: p.datetime(3),
  },
});
export class Answer extends AnswerSchema.class {}
AnswerSchema.setClass(Answer);

export const entities = [
  Firm,
  Account,
  Member,
  Key,
  Group,
  Label,
  Request,
  RequestLabel,
  Message,
  Box,
  BoxMember,
  Mail,
  Diary,
  Appointment,
  Exception,
  AppointmentLabel,
  AppointmentReminder,
  Answer,
];
