import { weekdays } from '@firmdesk/contract';
import type { ProcedureMeta } from '@firmdesk/domain';
import type { Json } from '@firmdesk/testing/gateway';
import { z } from 'zod';
import type { FixtureKind } from './fixtures.ts';

/** The kind of resource that an id refers to, by the prefix in its schema. */
const byPrefix: readonly [prefix: string, kind: FixtureKind][] = [
  ['usr_', 'user'],
  ['key_', 'token'],
  ['tmsg_', 'ticketMessage'],
  ['msg_', 'message'],
  ['tkt_', 'ticket'],
  ['matt_', 'mailAttachment'],
  ['att_', 'attachment'],
  ['mac_', 'macro'],
  ['inv_', 'invite'],
  ['rule_', 'ticketRule'],
  ['blk_', 'bulkChange'],
  ['view_', 'ticketView'],
  ['aff_pre_', 'preRegistration'],
  ['art_', 'article'],
  ['whe_', 'webhookEndpoint'],
  ['whd_', 'webhookDelivery'],
];

/**
 * The kind that a field refers to, if its schema does not determine it: by procedure and field, or by field in every procedure.
 * `null` marks a field that is not a reference: a quantity, a text or a position in a log.
 */
const byName: Record<string, FixtureKind | null> = {
  actor: 'email',
  'actions.add_tags[]': 'tag',
  address_id: 'mailbox',
  'affiliates.admin.list.email': 'preRegistrationEmail',
  'affiliates.admin.list.q': 'preRegistrationEmail',
  'affiliates.list.email': 'preRegistrationEmail',
  calendar_id: 'calendar',
  'calendars[][]': 'calendar',
  'calendar.answer.id': 'invitation',
  'calendar.change.id': 'event',
  'calendar.delete.id': 'event',
  'calendar.ics.id': 'event',
  // A text in a name or an address.
  'calendar.people.q': null,
  // Addresses: of those that are not of the firm nothing is known.
  'calendar.busyTimes.emails[]': null,
  'calendar.busyTimes.from': null,
  'calendar.busyTimes.except_event': 'event',
  'calendar.proposeTimes.emails[]': null,
  'calendar.proposeTimes.from': null,
  'calendar.proposeTimes.minutes': null,
  'calendar.proposeTimes.except_event': 'event',
  // Words in an event.
  'calendar.search.q': null,
  // One that the caller cannot change is refused at the field.
  'calendar.deleteCalendar.move_events_to': 'otherCalendar',
  'traders.find.q': null,
  'calendar.remind.id': 'event',
  draft_id: 'draft',
  from: 'traderEmail',
  'calendar.list.from': null,
  // Filters, which are compared and not looked up.
  'firm.audit.list.person': null,
  'firm.audit.list.starting_after': null,
  // People who are no members of the firm are refused at their field.
  'firm.teams.create.members[]': 'user',
  'firm.teams.update.members[]': 'user',
  'firm.teams.update.id': 'team',
  'firm.teams.delete.id': 'team',
  'firm.teams.delete.reassign_to': 'otherTeam',
  'firm.tags.update.id': 'tag',
  'firm.tags.delete.id': 'tag',
  'firm.tags.merge.id': 'tag',
  'firm.tags.merge.into': 'otherTag',
  'firm.mailboxes.create.email': null,
  'firm.mailboxes.create.members[].id': 'user',
  'firm.mailboxes.update.id': 'firmMailbox',
  'firm.mailboxes.update.members[].id': 'user',
  'firm.mailboxes.update.aliases[]': null,
  // A slug that is free, and a filter.
  'staff.firms.create.slug': null,
  'staff.firms.list.q': null,
  'staff.firms.list.starting_after': null,
  'firm.settings.set.audit_days': null,
  // A filter, and a text that is compared.
  'firm.data.person.requests.person': null,
  'firm.data.person.erase.email': null,
  // An address, which need not have an account.
  'firm.invites.create.email': null,
  'knowledge.setGuide.hand_over.after_replies': null,
  'firm.webhooks.deliveries.q': null,
  'firm.webhooks.deliveries.starting_after': null,
  // A day, and a filter of counts.
  'reports.get.from': null,
  score: null,
  'reports.get.team': null,
  'firm.keys.revoke.id': 'apiKey',
  'firm.keys.rotate.id': 'apiKey',
  expires_in_days: null,
  overlap_hours: null,
  'firm.members.dismiss.reassign_to': 'ownerId',
  'firm.members.traders.q': null,
  'firm.members.traders.starting_after': null,
  // Found only with the key of its link.
  'invites.get.workspace': null,
  'invites.get.invite': null,
  'invites.get.key': null,
  'invites.accept.workspace': null,
  'invites.accept.invite': null,
  'invites.accept.key': null,
  'invites.join.workspace': null,
  'invites.join.invite': null,
  'invites.join.key': null,
  'mail.cancelSending.id': 'delayedMessage',
  'mail.deleteDraft.id': 'draft',
  mailbox: 'mailboxEmail',
  // A sender, who need not have an account.
  'mail.from.address': null,
  'notifications.list.starting_after': 'notification',
  'notifications.markRead.ids[]': 'notification',
  'notifications.notify.to[]': 'email',
  q: 'ticket',
  'sessions.requestPasswordReset.email': null,
  'sessions.startProvider.email': null,
  'singleSignOn.saveProvider.client_id': null,
  'sessions.signIn.email': 'email',
  'signIn.removePasskey.id': 'passkey',
  'signIn.renamePasskey.id': 'passkey',
  tag: 'tag',
  'tag_ids[]': 'tag',
  'tags[]': 'tag',
  team: 'team',
  'tickets.list.starting_after': 'ticketCursor',
  'tickets.search.starting_after': 'ticketCursor',
  'tickets.heldReply.id': 'delayedSend',
  'tickets.takeBackReply.id': 'delayedSend',
  'tickets.takeOverReply.id': 'unsentReply',
  'tickets.discardReply.id': 'unsentReply',
  'tickets.undoCommand.message': 'command',
  'mail.threads.mark.add_tags[]': 'tag',
  'threads[]': 'mailThread',
  'tickets.link.other': 'otherTicket',
  'tickets.unlink.other': 'otherTicket',
  'tickets.merge.into': 'otherTicket',
  'tickets.start.to': 'traderEmail',
  'tickets.undoChanges.add_tags[]': 'tag',
  trader: 'trader',
  workspace: 'firm',
  // These need not refer to an existing resource.
  // A file names its teams.
  'macros.import.macros[].team': null,
  'affiliates.admin.preRegister.email': null,
  'affiliates.platform.preRegister.email': null,
  'attendees[].email': null,
  'conference.meeting_id': null,
  lastEventId: null,
  limit: null,
  warn_minutes: null,
  first_response_minutes: null,
  resolution_minutes: null,
  // A time of day.
  ...Object.fromEntries(
    weekdays.flatMap((day) =>
      ['hours', 'expected.hours'].map((hours) => [
        `tickets.serviceTargets.set.${hours}.week.${day}[].from`,
        null,
      ]),
    ),
  ),
  'tickets.search.replied_by': 'ownerId',
  'tickets.search.macro': 'macro',
  'tickets.search.article': 'article',
  // A bulk change answers before it looks at its tickets (`tickets/bulk`). An action has either of these.
  'tickets.bulkChanges.start.tickets[]': null,
  'tickets.bulkChanges.start.except[]': null,
  'tickets.bulkChanges.start.filter.assignee': null,
  'tickets.bulkChanges.start.filter.team': null,
  'tickets.bulkChanges.start.filter.tag': null,
  'tickets.bulkChanges.start.filter.q': null,
  'tickets.bulkChanges.start.filter.from': null,
  'tickets.bulkChanges.start.filter.replied_by': null,
  'tickets.bulkChanges.start.filter.macro': null,
  'tickets.bulkChanges.start.filter.article': null,
  'tickets.bulkChanges.start.action.team': null,
  'tickets.bulkChanges.start.action.tag': null,
  // A rule has one kind of trigger, and an action of one kind: in the examples, the first one (`tickets/automation`).
  ...Object.fromEntries(
    ['create', 'update', 'preview'].flatMap((procedure) =>
      [
        'trigger.minutes',
        'conditions.filter.assignee',
        'conditions.filter.team',
        'conditions.filter.tag',
        'conditions.filter.replied_by',
        'conditions.filter.macro',
        'conditions.filter.article',
        'actions[].team',
        'actions[].tag',
        'actions[].macro',
        'actions[].agent',
      ].map((field) => [`tickets.rules.${procedure}.${field}`, null]),
    ),
  ),
  ticket_limit: null,
  // What an undo expects of the ticket is compared, and not looked up.
  'tickets.undoChanges.expected.assignee': null,
  'tickets.undoChanges.expected.team': null,
  'tickets.undoChanges.remove_tags[]': null,
  // The owner of the fixtures is in no team (`tickets/views`). The filters of a view are stored and not looked up.
  'tickets.views.create.team': null,
  'tickets.views.update.team': null,
  'tickets.views.create.search.assignee': null,
  'tickets.views.create.search.team': null,
  'tickets.views.create.search.tag': null,
  'tickets.views.create.search.q': null,
  'tickets.views.create.search.from': null,
  'tickets.views.create.search.replied_by': null,
  'tickets.views.create.search.macro': null,
  'tickets.views.create.search.article': null,
  'tickets.views.update.search.assignee': null,
  'tickets.views.update.search.team': null,
  'tickets.views.update.search.tag': null,
  'tickets.views.update.search.q': null,
  'tickets.views.update.search.from': null,
  'tickets.views.update.search.replied_by': null,
  'tickets.views.update.search.macro': null,
  'tickets.views.update.search.article': null,
  // A position in a report.
  'tickets.bulkChanges.skipped.starting_after': null,
  // The time and the id of a row, which is not looked up.
  'mail.list.starting_after': null,
  'mail.list.q': null,
  'mail.threads.list.starting_after': null,
  'mail.threads.mark.remove_tags[]': null,
  'mail.threads.attend.thread': 'mailThread',
  'mail.threads.openTicket.id': 'traderMail',
  // Texts to look for.
  'mail.rules.save.from': null,
  'mail.rules.try.from': null,
  'mail.rules.save.id': 'mailRule',
  'mail.rules.save.add_tags[]': 'tag',
  'mail.rules.save.forward_to': 'otherMailboxEmail',
  'mail.rules.move.id': 'mailRule',
  'mail.rules.move.before': 'mailRule',
  'mail.rules.delete.id': 'mailRule',
  'mail.threads.move.from': null,
  'macros.list.starting_after': null,
  'tickets.history.starting_after': null,
  'tickets.saveDraft.base': null,
  // A draft stores its macros and changes; they are checked when it is sent.
  'tickets.saveDraft.macros.ids[]': null,
  'tickets.saveDraft.macros.actions.add_tags[]': null,
  'tickets.saveDraft.macros.actions.assignee': null,
  'mail.saveDraft.bcc[]': null,
  'mail.saveDraft.cc[]': null,
  'mail.saveDraft.to[]': null,
  'mail.send.bcc[]': null,
  'mail.send.cc[]': null,
  'mail.send.to[]': null,
  minutes_before: null,
  // A reply counts its macros. One that was deleted meanwhile is no error.
  'tickets.holdReply.macros[]': null,
  'tickets.reply.macros[]': null,
  monthly_allowance: null,
  size: null,
};

/** An input field that refers to a resource; `path` is like `['ids', 0]`. */
export interface Reference {
  name: string;
  path: (string | number)[];
  kind: FixtureKind;
  type: 'string' | 'integer';
}

/** Returns the JSON Schema of a procedure's input, as a client sends it. */
export function inputSchemaOf({ input }: ProcedureMeta): Json {
  return z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
}

/** Returns every input field that refers to a resource. Throws for a field that may be a reference but is not listed here. */
export function referencesOf(procedure: string, schema: Json): Reference[] {
  return walk(procedure, schema, [], '');
}

function walk(procedure: string, schema: Json, path: (string | number)[], name: string): Reference[] {
  const branches: Json[] = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (branches) return branches.flatMap((branch) => walk(procedure, branch, path, name));
  if (schema.type === 'array') return walk(procedure, schema.items, [...path, 0], `${name}[]`);
  if (schema.type === 'object') {
    return Object.entries<Json>(schema.properties ?? {}).flatMap(([key, member]) =>
      walk(procedure, member, [...path, key], name ? `${name}.${key}` : key),
    );
  }
  if (schema.type === 'null') return [];
  const kind = kindOf(procedure, schema, name);
  return kind ? [{ name, path, kind, type: schema.type }] : [];
}

function kindOf(procedure: string, schema: Json, name: string): FixtureKind | null {
  const last = name.split('.').at(-1)!;
  for (const key of [`${procedure}.${name}`, name, last]) {
    if (key in byName) return byName[key]!;
  }
  const { pattern = '' } = schema;
  const known = byPrefix.find(([prefix]) => pattern.includes(prefix));
  if (known) return known[1];
  if (isSuspect(schema, last)) {
    throw new Error(
      `${procedure}: list \`${name}\` in test/proof/references.ts, with the kind that it refers to, or null if it is not a reference.`,
    );
  }
  return null;
}

/** Returns whether a field of that schema and name may be an id. */
function isSuspect({ type, format }: Json, name: string): boolean {
  return (
    type === 'integer' ||
    format === 'uuid' ||
    format === 'idn-email' ||
    /(^|_)ids?\b|cursor|_after$/.test(name) ||
    // A firm, a mailbox or an account by its name.
    /^(workspace|tenant|firm|slug|mailbox|account|user|member|owner|actor|email|address)(\[\])*$/.test(name)
  );
}
