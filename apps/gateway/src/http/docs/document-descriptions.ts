import type { Json } from './document-components.ts';
import type { DeclaredOperation } from './document-inputs.ts';

/** What each component schema is, beside the bodies of requests and responses. */
const descriptions: Readonly<Record<string, string>> = {
  AccountUser: 'The account of a session.',
  AffiliatesListStatus: 'A status of pre-registrations, as a filter.',
  Attachment: 'A file of a ticket’s message.',
  CalendarEvent: 'One appearance of an event in the requested window.',
  CalendarEventAttendee: 'A person who is invited to an event, and the answer to the invitation.',
  CalendarEventConference:
    'How to join the online meeting of an event. All fields are null if there is none.',
  CalendarEventOrganizer: 'Who organizes an event.',
  CalendarEventReminder: 'When and how the caller is reminded of an event.',
  CalendarEventTag: 'A label of events, which all of the firm use.',
  CalendarListResponseMeta: 'The id of the call, and the window that was read.',
  Folder: 'A folder of a mailbox.',
  LeftOutFiles: 'Files of a message that are not stored.',
  MailAttachment: 'A file of a message.',
  MailAttachmentCreated: 'A file that was announced, and where to send its bytes.',
  Mailbox: 'A mailbox that the caller may read.',
  MailListRow: 'A message as lists of mail show it.',
  MailMessage: 'A draft of a mail message.',
  MailRecipient: 'A recipient of a message.',
  MessagesChanged: 'How many messages a call has changed.',
  OpenMailMessage: 'A complete message.',
  Meta: 'The id of the call.',
  NotificationsRead: 'How many notifications a call has marked as read, and how many are unread.',
  NullableAgent: 'The agent of the team whom a ticket is assigned to.',
  NullableTeam: 'The team that a ticket is assigned to.',
  PageMeta: 'The id of the call, and where the next page of a list begins.',
  Passkey: 'A passkey of the account.',
  PasswordChanged: 'The confirmation of a changed password.',
  Ping: 'What a token is valid for.',
  PreRegistration: 'A referral code that is reserved for a future affiliate.',
  PushDevice: 'An app on a phone that receives push notifications.',
  RecordedPush: 'A push notification as it was given to the push service, or would have been.',
  SentDelivery: 'What became of a message that was sent.',
  SentDeliveryRecipient: 'What became of a message for one recipient.',
  SentMessage: 'A message that was sent, and what became of it.',
  SenderCheck: 'Whether the domain of a sender vouches for a message.',
  Session: 'A signed-in device.',
  SessionEnded: 'The confirmation that a session has ended.',
  SignedIn: 'A new session with its token, which is shown once.',
  Tenant: 'A firm.',
  Ticket: 'A support ticket.',
  TicketMessage: 'A message or an internal note of a ticket.',
  TicketSort: 'The order of a list of tickets; a leading `-` reverses it.',
  TicketTag: 'A label of tickets.',
  TicketTrader: 'The trader who has opened a ticket.',
  TicketsListPriority: 'A priority of tickets, as a filter.',
  TicketsListSnoozed: 'Whether snoozed tickets are listed, as a filter.',
  TicketsListStatus: 'A status of tickets, as a filter.',
};

/** Gives every component schema a description. Throws for one that has none, so that a new schema gets its own. */
export function describeSchemas(
  schemas: Record<string, Json>,
  operations: readonly DeclaredOperation[],
): void {
  const bodies = Object.fromEntries(
    operations.flatMap(({ type, target }) => [
      [`${type}Request`, `The body of \`${target}\`.`],
      [`${type}Response`, `The response of \`${target}\`.`],
    ]),
  );
  for (const [name, schema] of Object.entries(schemas)) {
    const given = schema['description'] as string | undefined;
    const description = given?.replace(/\.?$/, '.') ?? descriptions[name] ?? bodies[name];
    if (description === undefined)
      throw new Error(`Add a description of the schema ${name} to document-descriptions.ts.`);
    schemas[name] = { ...schema, description };
  }
}
