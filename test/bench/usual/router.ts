import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { newId } from '@firmdesk/domain';
import { LockMode, type SqlEntityManager } from '@mikro-orm/postgresql';
import { initTRPC, TRPCError } from '@trpc/server';
import rrule from 'rrule';
import type { OpenApiMeta } from 'trpc-to-openapi';
import { z } from 'zod';
import {
  Answer,
  Appointment,
  BoxMember,
  type Exception,
  Key,
  Mail,
  Member,
  Message,
  Request,
} from './entities.ts';

export interface Context {
  em: SqlEntityManager;
  authorization: string | undefined;
  idempotencyKey: string | undefined;
}

const t = initTRPC.context<Context>().meta<OpenApiMeta>().create();

const authenticated = t.procedure.use(async ({ ctx, next }) => {
  const token = /^Bearer (fd_\w+)$/.exec(ctx.authorization ?? '')?.[1];
  if (!token) throw new TRPCError({ code: 'UNAUTHORIZED' });
  const key = await ctx.em.findOne(
    Key,
    { id: `key_${token.slice(8, 34)}` },
    { populate: ['account', 'firm'] },
  );
  const hash = createHash('sha256').update(token.slice(34, 74)).digest();
  const isExpired = key?.expiresAt && key.expiresAt <= new Date();
  if (!key || !timingSafeEqual(hash, key.secretHash) || key.revokedAt || key.account.deletedAt || isExpired) {
    throw new TRPCError({ code: 'UNAUTHORIZED' });
  }
  return next({ ctx: { key } });
});

const withScope = (scope: string) =>
  authenticated.use(({ ctx, next }) => {
    if (!ctx.key.scopes.includes(scope)) throw new TRPCError({ code: 'FORBIDDEN' });
    return next();
  });

const admin = (scope: string, permission: string) =>
  withScope(scope).use(async ({ ctx, next }) => {
    const member = await ctx.em.findOne(Member, { firm: ctx.key.firm.id, account: ctx.key.account.id });
    if (!member?.active || member.role !== 'admin' || !member.permissions.includes(permission)) {
      throw new TRPCError({ code: 'FORBIDDEN' });
    }
    return next();
  });

/** Runs a write once for its key, in one transaction with the stored answer. */
async function once<T extends object>(
  ctx: Context & { key: Key },
  work: (em: SqlEntityManager) => Promise<T>,
): Promise<T> {
  if (!ctx.idempotencyKey) throw new TRPCError({ code: 'BAD_REQUEST', message: 'missing_idempotency_key' });
  const id = createHash('sha256').update(`${ctx.key.id} ${ctx.idempotencyKey}`).digest();
  return ctx.em.transactional(async (em) => {
    const known = await em.findOne(Answer, { id });
    if (known?.answer) return JSON.parse(String(known.answer)) as T;
    const answer = await work(em as SqlEntityManager);
    em.create(Answer, {
      id,
      bodyHash: id,
      status: 200,
      answer: Buffer.from(JSON.stringify(answer)),
      createdAt: new Date(),
    });
    return answer;
  });
}

const meta = () => ({ request_id: `req_${randomUUID()}` });
const Meta = z.object({ request_id: z.string() });
const Person = z.object({ id: z.string(), name: z.string(), avatar_url: z.string().nullable() });

const Ticket = z.object({
  object: z.literal('ticket'),
  id: z.string(),
  number: z.string(),
  subject: z.string(),
  status: z.string(),
  priority: z.string(),
  ai_enabled: z.boolean(),
  ai_blocked: z.boolean(),
  unread: z.number(),
  last_from: z.string().nullable(),
  last_message_at: z.string(),
  created_at: z.string(),
  closed_at: z.string().nullable(),
  trader: Person.extend({ email: z.string(), deleted: z.boolean() }),
  assignee: Person.nullable(),
  team: z.object({ id: z.number(), name: z.string() }).nullable(),
  tags: z.array(z.object({ id: z.number(), name: z.string(), color: z.string() })),
  action_url: z.string(),
});

function toTicket(ticket: Request): z.infer<typeof Ticket> {
  const { trader, assignee, team } = ticket;
  return {
    object: 'ticket',
    id: ticket.id,
    number: `#${ticket.id.slice(-6).toUpperCase()}`,
    subject: ticket.subject,
    status: ticket.status,
    priority: ticket.priority,
    ai_enabled: ticket.aiEnabled,
    ai_blocked: ticket.aiBlocked,
    unread: ticket.unread,
    last_from: ticket.lastFrom ?? null,
    last_message_at: ticket.lastMessageAt.toISOString(),
    created_at: ticket.createdAt.toISOString(),
    closed_at: ticket.closedAt?.toISOString() ?? null,
    trader: {
      id: trader.id,
      name: trader.name,
      avatar_url: null,
      email: trader.email,
      deleted: !!trader.deletedAt,
    },
    assignee: assignee ? { id: assignee.id, name: assignee.name, avatar_url: null } : null,
    team: team ? { id: team.id, name: team.name } : null,
    tags: ticket.labels
      .getItems()
      .map(({ label }) => ({ id: label.id, name: label.name, color: label.color })),
    action_url: `/tickets/${ticket.id}`,
  };
}

const like = (word: string) => ({ $ilike: `%${word.replaceAll(/[%_\\]/g, '\\$&')}%` });

const CalendarEvent = z.object({
  object: z.literal('calendar_event'),
  id: z.number(),
  occurrence_start: z.string().nullable(),
  calendar_id: z.number(),
  title: z.string(),
  description: z.string().nullable(),
  location: z.string().nullable(),
  starts_at: z.string(),
  ends_at: z.string(),
  all_day: z.boolean(),
  timezone: z.string(),
  status: z.string(),
  source: z.string(),
  is_recurring: z.boolean(),
  recurrence_rule: z.string().nullable(),
  conference: z.unknown(),
  organizer: z.object({ name: z.string().nullable(), email: z.string().nullable() }),
  attendees: z.array(z.unknown()),
  reminders: z.array(z.object({ minutes_before: z.number(), channel: z.string() })),
  tags: z.array(z.object({ id: z.number(), name: z.string(), color: z.string() })),
  can_write: z.boolean(),
});

/** Returns the occurrences of an event in a window. `rrule` works on local times that are written as UTC. */
function* occurrencesOf(event: Appointment, from: Date, until: Date, accountId: string) {
  const local = (text: string) => new Date(`${text}Z`);
  const instant = (time: Date) => new Date(time.getTime() - offsetOf(time, event.timezone));
  const length = local(event.localEnd).getTime() - local(event.localStart).getTime();
  const changed = new Map(event.overrides.getItems().map((one) => [one.occurrenceStart, one] as const));
  const removed = new Set(event.removedDates);
  const starts = event.recurrenceRule
    ? new rrule.RRule({
        ...rrule.RRule.parseString(event.recurrenceRule),
        dtstart: local(event.localStart),
      }).between(new Date(from.getTime() - length - 86_400_000), new Date(until.getTime() + 86_400_000), true)
    : [local(event.localStart)];
  for (const start of starts) {
    const slot = start.toISOString().slice(0, 19);
    if (removed.has(slot)) continue;
    const override: Exception | undefined = changed.get(slot);
    if (override?.cancelled) continue;
    const startsAt = instant(override?.localStart ? local(override.localStart) : start);
    const endsAt = instant(
      override?.localEnd ? local(override.localEnd) : new Date(start.getTime() + length),
    );
    if (startsAt >= until || endsAt <= from) continue;
    yield {
      object: 'calendar_event' as const,
      id: Number(event.id),
      occurrence_start: event.recurrenceRule ? instant(start).toISOString() : null,
      calendar_id: event.calendar.id,
      title: override?.title ?? event.title,
      description: event.description ?? null,
      location: event.location ?? null,
      starts_at: startsAt.toISOString(),
      ends_at: endsAt.toISOString(),
      all_day: event.allDay,
      timezone: event.timezone,
      status: event.status,
      source: event.source,
      is_recurring: event.recurrenceRule !== null,
      recurrence_rule: event.recurrenceRule ?? null,
      conference: event.conference ?? { provider: null, url: null, meeting_id: null, passcode: null },
      organizer: { name: event.organizerName ?? null, email: event.organizerEmail ?? null },
      attendees: event.attendees,
      reminders: event.reminders
        .getItems()
        .filter(({ account }) => account.id === accountId)
        .map(({ minutesBefore, channel }) => ({ minutes_before: minutesBefore, channel })),
      tags: event.labels
        .getItems()
        .map(({ label }) => ({ id: label.id, name: label.name, color: label.color })),
      can_write: true,
    };
  }
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the offset of a zone at a local time, in milliseconds. */
function offsetOf(local: Date, zone: string): number {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
    formats.set(zone, format);
  }
  const shown = (time: number) => Date.parse(`${format.format(time).replace(' ', 'T')}Z`) - time;
  return shown(local.getTime() - shown(local.getTime()));
}

export const usualRouter = t.router({
  ping: authenticated
    .meta({ openapi: { method: 'GET', path: '/v1/ping' } })
    .input(z.object({}))
    .output(
      z.object({
        data: z.object({
          ok: z.boolean(),
          environment: z.string(),
          api_key: z.string(),
          scopes: z.array(z.string()),
          tenant: z.object({ name: z.string(), slug: z.string() }),
          time: z.string(),
        }),
        meta: Meta,
      }),
    )
    .query(({ ctx: { key } }) => ({
      data: {
        ok: true,
        environment: key.environment,
        api_key: key.id,
        scopes: key.scopes,
        tenant: { name: key.firm.name, slug: key.firm.slug },
        time: new Date().toISOString(),
      },
      meta: meta(),
    })),

  tickets: admin('admin:read', 'view_tickets')
    .meta({ openapi: { method: 'GET', path: '/v1/admin/tickets' } })
    .input(
      z.object({
        q: z.string().max(100).optional(),
        limit: z.coerce.number().int().min(1).max(100).default(20),
      }),
    )
    .output(z.object({ data: z.array(Ticket), meta: Meta.extend({ has_more: z.boolean() }) }))
    .query(async ({ ctx, input }) => {
      const words = input.q?.split(' ').filter(Boolean) ?? [];
      const tickets = await ctx.em.find(
        Request,
        {
          workspaceId: ctx.key.firm.id,
          $and: words.map((word) => ({
            $or: [
              { subject: like(word) },
              { trader: { $or: [{ name: like(word) }, { email: like(word) }] } },
              { messages: { $some: { body: like(word) } } },
            ],
          })),
        },
        {
          populate: ['trader', 'assignee', 'team', 'labels.label'],
          orderBy: { queueRank: 'asc', queueKey: 'asc', queueTie: 'asc' },
          limit: input.limit + 1,
        },
      );
      const page = tickets.slice(0, input.limit);
      return { data: page.map(toTicket), meta: { ...meta(), has_more: tickets.length > page.length } };
    }),

  saveDraft: withScope('mail:write')
    .meta({ openapi: { method: 'POST', path: '/v1/me/mail/drafts' } })
    .input(
      z.object({
        address_id: z.number().int(),
        to: z.array(z.email()).default([]),
        subject: z.string().default(''),
        body: z.string().default(''),
        draft_id: z.string(),
      }),
    )
    .output(
      z.object({
        data: z.object({
          id: z.string(),
          object: z.literal('mail_message'),
          thread_id: z.number(),
          address_id: z.number(),
          folder: z.string(),
          subject: z.string(),
          to_recipients: z.array(z.object({ email: z.string(), name: z.string().nullable() })),
          cc_recipients: z.array(z.unknown()),
          message_at: z.string(),
        }),
        meta: Meta,
      }),
    )
    .mutation(({ ctx, input }) =>
      once(ctx, async (em) => {
        const { firm, account } = ctx.key;
        const member = await em.findOne(
          BoxMember,
          { box: input.address_id, account: account.id, workspaceId: firm.id, canWrite: true },
          { populate: ['box'] },
        );
        const draft = await em.findOne(Mail, { id: input.draft_id, workspaceId: firm.id });
        if (!member || !draft) throw new TRPCError({ code: 'NOT_FOUND' });
        if (draft.folder !== 'drafts') throw new TRPCError({ code: 'BAD_REQUEST', message: 'not_a_draft' });
        em.assign(draft, {
          mailboxId: member.box.id,
          toRecipients: input.to.map((email) => ({ email, name: null })),
          ccRecipients: [],
          subject: input.subject,
          body: input.body,
          snippet: input.body
            .replaceAll(/<[^>]{0,1000}>/g, ' ')
            .trim()
            .slice(0, 200),
          messageAt: new Date(),
        });
        await em.flush();
        return {
          data: {
            id: draft.id,
            object: 'mail_message' as const,
            thread_id: Number(draft.threadId),
            address_id: draft.mailboxId,
            folder: draft.folder,
            subject: draft.subject,
            to_recipients: draft.toRecipients,
            cc_recipients: draft.ccRecipients,
            message_at: draft.messageAt.toISOString(),
          },
          meta: meta(),
        };
      }),
    ),

  events: withScope('calendar:read')
    .meta({ openapi: { method: 'GET', path: '/v1/me/calendar/events' } })
    .input(z.object({ from: z.string(), until: z.string() }))
    .output(
      z.object({ data: z.array(CalendarEvent), meta: Meta.extend({ from: z.string(), until: z.string() }) }),
    )
    .query(async ({ ctx, input }) => {
      const from = new Date(input.from);
      const until = new Date(input.until);
      const { firm, account } = ctx.key;
      const events = await ctx.em.find(
        Appointment,
        {
          workspaceId: firm.id,
          calendar: { owner: account.id },
          spanStart: { $lt: until },
          $or: [{ spanEnd: null }, { spanEnd: { $gt: from } }],
        },
        { populate: ['overrides', 'labels.label', 'reminders'] },
      );
      const data = events.flatMap((event) => [...occurrencesOf(event, from, until, account.id)]);
      data.sort((a, b) => (a.starts_at < b.starts_at ? -1 : a.starts_at > b.starts_at ? 1 : a.id - b.id));
      return { data, meta: { ...meta(), from: from.toISOString(), until: until.toISOString() } };
    }),

  reply: admin('admin:write', 'manage_tickets')
    .meta({ openapi: { method: 'POST', path: '/v1/admin/tickets/{ticket}/replies' } })
    .input(z.object({ ticket: z.string(), body: z.string().min(1).max(50_000) }))
    .output(
      z.object({
        data: z.object({
          object: z.literal('ticket_message'),
          id: z.string(),
          ticket_id: z.string(),
          from: z.string(),
          author: z.string(),
          body: z.string(),
          internal: z.boolean(),
          created_at: z.string(),
        }),
        meta: Meta,
      }),
    )
    .mutation(({ ctx, input }) =>
      once(ctx, async (em) => {
        const { firm, account } = ctx.key;
        const ticket = await em.findOne(
          Request,
          { id: input.ticket, workspaceId: firm.id },
          { lockMode: LockMode.PESSIMISTIC_WRITE },
        );
        if (!ticket) throw new TRPCError({ code: 'NOT_FOUND' });
        if (ticket.closedAt) throw new TRPCError({ code: 'CONFLICT', message: 'ticket_ended' });
        const now = new Date();
        const message = em.create(Message, {
          id: newId('ticketMessage', now),
          workspaceId: firm.id,
          ticket,
          from: 'admin',
          authorId: account.id,
          author: account.name,
          body: input.body,
          internal: false,
          readAt: null,
          createdAt: now,
          searchText: input.body.toLowerCase(),
        });
        em.assign(ticket, {
          status: 'awaiting_trader',
          aiEnabled: false,
          unread: 0,
          lastFrom: 'admin',
          lastMessageAt: now,
        });
        await em.flush();
        await em.nativeUpdate(
          Message,
          { ticket: ticket.id, readAt: null, internal: false, from: ['trader', 'ai'] },
          { readAt: now },
        );
        return {
          data: {
            object: 'ticket_message' as const,
            id: message.id,
            ticket_id: ticket.id,
            from: message.from,
            author: message.author,
            body: message.body,
            internal: message.internal,
            created_at: message.createdAt.toISOString(),
          },
          meta: meta(),
        };
      }),
    ),
});
