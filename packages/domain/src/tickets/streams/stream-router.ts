import {
  AttendanceEvent,
  AttendTicketInput,
  InboxStreamEvent,
  PresenceEvent,
  ReplyDraftStreamEvent,
  StreamInboxInput,
  StreamPresenceInput,
  StreamReplyDraftsInput,
  StreamTicketInput,
  TicketStreamEvent,
} from '@firmdesk/contract';
import { trackedStreamOf } from '../../procedures/tracked-stream.ts';
import { adminProcedure, router } from '../../procedures/trpc.ts';
import { streamReplyDrafts } from '../drafts/reply-drafts.ts';
import { streamInbox } from './stream-inbox.ts';
import { attendTicket, streamPresence } from './stream-presence.ts';
import { streamTicket } from './stream-ticket.ts';

/** Part of the router `tickets`: the subscriptions over websocket. */
export const streamsRouter = router({
  stream: adminProcedure({
    tag: 'Tickets',
    summary: 'Follow one ticket: its messages, its changes, and what the assistant writes',
    errors: ['resource_not_found'],
    scope: 'admin:read',
    permissions: ['view_tickets'],
    input: StreamTicketInput,
    output: trackedStreamOf(TicketStreamEvent),
  }).subscription(({ ctx, input, signal }) => streamTicket(ctx, input, signal!)),

  presence: adminProcedure({
    tag: 'Tickets',
    summary: 'Follow who has which tickets open, and who types',
    scope: 'admin:read',
    permissions: ['view_tickets'],
    input: StreamPresenceInput,
    output: trackedStreamOf(PresenceEvent),
  }).subscription(({ ctx, signal }) => streamPresence(ctx, signal!)),

  attend: adminProcedure({
    tag: 'Tickets',
    summary: 'Show colleagues that the caller has a ticket open, until the subscription ends',
    errors: ['resource_not_found'],
    scope: 'admin:read',
    permissions: ['view_tickets'],
    input: AttendTicketInput,
    output: trackedStreamOf(AttendanceEvent),
  }).subscription(({ ctx, input, signal }) => attendTicket(ctx, input, signal!)),

  live: adminProcedure({
    tag: 'Tickets',
    summary: 'Follow the inbox: every ticket of the firm that changes',
    scope: 'admin:read',
    permissions: ['view_tickets'],
    input: StreamInboxInput,
    output: trackedStreamOf(InboxStreamEvent),
  }).subscription(({ ctx, input, signal }) => streamInbox(ctx, input, signal!)),

  liveDrafts: adminProcedure({
    tag: 'Tickets',
    summary: 'Follow the caller’s unsent replies and notes, on all their devices',
    scope: 'admin:read',
    permissions: ['view_tickets'],
    input: StreamReplyDraftsInput,
    output: trackedStreamOf(ReplyDraftStreamEvent),
  }).subscription(({ ctx, input, signal }) => streamReplyDrafts(ctx, input, signal!)),
});
