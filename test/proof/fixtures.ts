import { randomUUID } from 'node:crypto';
import { type IdKind, idPrefixes, PLATFORM, permissions, type Scope } from '@firmdesk/contract';
import {
  newId,
  notify,
  type ProcedureSpec,
  preRegister,
  type Services,
  withTransaction,
} from '@firmdesk/domain';
import { inviteUrl } from '@firmdesk/domain/testing';
import {
  type CreateTokenInput,
  createCalendar,
  createEvents,
  createMailbox,
  createMailMessage,
  createSandbox,
  createStaff,
  createTag,
  createTeam,
  createTicket,
  createToken,
  createUser,
  createWorkspace,
  type TestUser,
  unique,
} from '@firmdesk/testing';
import { neededScopes, type TestGateway } from '@firmdesk/testing/gateway';

export type Firm = Awaited<ReturnType<typeof createWorkspace>>;

/** The id of a fixture: as text and, for integer ids, as a number. */
export interface FixtureId {
  text: string;
  number?: number;
}

/** Every kind of resource that an input can refer to. */
export const fixtureKinds = [
  'firm',
  'user',
  'ownerId',
  'email',
  'trader',
  'traderEmail',
  'token',
  'apiKey',
  'passkey',
  'mailbox',
  'mailboxEmail',
  'otherMailboxEmail',
  'mailRule',
  'message',
  'mailThread',
  'traderMail',
  'draft',
  'delayedMessage',
  'calendar',
  'otherCalendar',
  'event',
  'invitation',
  'tag',
  'team',
  'macro',
  'ticket',
  'otherTicket',
  'ticketMessage',
  'delayedSend',
  'unsentReply',
  'command',
  'attachment',
  'mailAttachment',
  'bulkChange',
  'ticketRule',
  'ticketView',
  'firmMailbox',
  'otherTag',
  'otherTeam',
  'ticketCursor',
  'invite',
  'preRegistration',
  'preRegistrationEmail',
  'notification',
  'webhookEndpoint',
  'webhookDelivery',
  'article',
] as const;
export type FixtureKind = (typeof fixtureKinds)[number];

/** A firm with one resource of every kind, and its owner. */
export interface Fixtures extends Record<FixtureKind, FixtureId> {
  home: Firm;
  owner: TestUser;
  password: string;
  /** An invite for the owner to another firm, as its link names it. */
  ownInvite: { workspace: string; invite: string; key: string };
}

interface CreateFixturesOptions {
  /** An existing firm, of which the owner becomes another administrator; by default a new firm. */
  home?: Firm;
  /** An administrator of the firm, who owns the resources; by default a new one. */
  owner?: TestUser;
  /** Creates the resources in the firm's sandbox. The accounts are members of the firm. */
  isTest?: boolean;
  /** Off by default: hashing a password takes as long as creating all other fixtures. */
  hasPassword?: boolean;
}

/** Creates a firm, or adds to one, with one resource of every kind. */
export async function createFixtures(
  gateway: Pick<TestGateway, 'services' | 'request'>,
  { home, owner: existing, isTest = false, hasPassword = false }: CreateFixturesOptions = {},
): Promise<Fixtures> {
  const { services } = gateway;
  const members = home ?? (await createWorkspace(services));
  const firm = isTest ? await createSandbox(services, members) : members;
  const environment = isTest ? 'test' : 'live';
  const password = `password of ${unique('owner')}`;
  const owner =
    existing ??
    (await createUser(services, {
      firm: members,
      permissions: [...permissions],
      ...(hasPassword && { password }),
    }));
  const colleague = await createUser(services, { firm: members, permissions: [...permissions] });
  const trader = await createUser(services, { firm: members, role: 'trader' });
  const mailbox = await createMailbox(services, { firm, writes: [owner] });
  const otherMailbox = await createMailbox(services, { firm, writes: [colleague] });
  const mailRule = randomUUID();
  const rule = { id: mailRule, from: 'ann', to: '', subject: '', has_attachment: false, user_id: owner.id };
  const actions = { add_tags: [], folder: null, mark_read: false, star: true, forward_to: null };
  await services.pool.query('update mailboxes set rules = $3 where workspace_id = $1 and id = $2', [
    firm.id,
    mailbox.id,
    JSON.stringify([{ ...rule, ...actions }]),
  ]);
  const message = await createMailMessage(services, { mailbox, folder: 'trash', previousFolder: 'inbox' });
  const traderMail = await createMailMessage(services, { mailbox });
  await services.pool.query('update mail_messages set from_email = $3 where workspace_id = $1 and id = $2', [
    firm.id,
    traderMail.id,
    trader.email,
  ]);
  const draft = await createMailMessage(services, { mailbox, folder: 'drafts' });
  const delayedMessage = await createMailMessage(services, { mailbox, folder: 'sent' });
  await services.pool.query(
    `insert into outgoing_messages (workspace_id, id, message_id, author_id, send_at) values ($1, $2, $2, $3, now() + interval '1 day')`,
    [firm.id, delayedMessage.id, owner.id],
  );
  const tag = await createTag(services, { firm });
  const { threadId } = await createMailMessage(services, { mailbox, folder: 'archive' });
  await services.pool.query(
    'insert into mail_thread_tags (workspace_id, thread_id, tag_id) values ($1, $2, $3)',
    [firm.id, threadId, tag],
  );
  const team = await createTeam(services, { firm, members: [colleague] });
  const macro = newId('macro', new Date());
  await services.pool.query(
    `insert into macros (workspace_id, id, position, name, name_key, texts, tag_ids, assigns_author, created_at)
     values ($1, $2, 1, 'Paid', $2, '[{"language": "en", "text": "Paid."}]', '{}', false, now())`,
    [firm.id, macro],
  );
  const article = newId('article', new Date());
  await services.pool.query(
    `insert into knowledge_articles (workspace_id, id, title, text, words, updated_at)
     values ($1, $2, 'Payouts', 'On Monday.', '{payout}', now())`,
    [firm.id, article],
  );
  const calendar = await createCalendar(services, { firm, owner });
  const otherCalendar = await createCalendar(services, { firm, owner });
  // The default window of `calendar.list` begins today.
  const time = {
    starts_at: new Date().toISOString(),
    ends_at: new Date(Date.now() + 3_600_000).toISOString(),
  };
  const [event, invitation] = await createEvents(services, [
    { calendar_id: calendar, title: 'Review', ...time },
    { calendar_id: calendar, title: 'Invitation', source: 'mail', status: 'pending', ...time },
  ]);
  const ticketFields = { firm, trader, assignee: colleague, team, tags: [tag] };
  const ticket = await createTicket(services, {
    ...ticketFields,
    messages: [{ body: 'Where is my payout?' }],
  });
  const otherTicket = await createTicket(services, { firm, trader });
  // A reply of the owner from the macro, and one of the assistant from the article.
  await services.pool.query(
    `insert into ticket_messages (workspace_id, id, ticket_id, from_kind, author_id, author, body, macro_ids, article_ids, created_at,
       search_text)
     values ($1, $2, $4, 'admin', $5, 'Owner', 'Paid.', array[$6], null, now(), 'paid.'),
       ($1, $3, $4, 'ai', null, 'Assistant', 'On Monday.', null, array[$7], now(), 'on monday.')`,
    [
      firm.id,
      newId('ticketMessage', new Date()),
      newId('ticketMessage', new Date()),
      otherTicket,
      owner.id,
      macro,
      article,
    ],
  );
  const delayedSend = newId('ticketMessage', new Date());
  await services.pool.query(
    `insert into delayed_sends (workspace_id, id, ticket_id, author_id, author, body, created_at)
     values ($1, $2, $3, $4, $5, 'Paid on Monday.', now())`,
    [firm.id, delayedSend, ticket, owner.id, 'Owner'],
  );
  const unsent = newId('ticketMessage', new Date());
  await services.pool.query(
    `insert into unsent_replies (workspace_id, id, ticket_id, author_id, author, text, image_url, image_name, attachments, reason,
       written_at, unsent_at)
     values ($1, $2, $3, $4, 'Owner', 'Paid on Monday.', '', '', '[]', 'dismissed', now(), now())`,
    [firm.id, unsent, ticket, owner.id],
  );
  const command = newId('ticketMessage', new Date());
  await services.pool.query(
    `insert into assistant_runs (workspace_id, ticket_id, kind, instruction, status_before, last_message_at, command_id, asked_by, created_at)
     select $1, id, 'command', 'Say hello.', status, last_message_at, $3, $4, now() from tickets where workspace_id = $1 and id = $2`,
    [firm.id, ticket, command, owner.id],
  );
  await services.pool.query(
    `insert into trader_profiles (workspace_id, user_id, data, layout, updated_at) values ($1, $2, '{}', '[]', now())`,
    [firm.id, trader.id],
  );
  const attachment = newId('attachment', new Date());
  await services.pool.query(
    `insert into attachments (workspace_id, id, ticket_id, uploader_id, name, type, size, created_at, uploaded_at)
     values ($1, $2, $3, $4, 'payout.pdf', 'application/pdf', 5, now(), now())`,
    [firm.id, attachment, ticket, owner.id],
  );
  const mailAttachment = newId('mailAttachment', new Date());
  await services.pool.query(
    `insert into attachments (workspace_id, id, uploader_id, name, type, size, created_at, uploaded_at)
     values ($1, $2, $3, 'payout.pdf', 'application/pdf', 5, now(), now())`,
    [firm.id, mailAttachment, owner.id],
  );
  const bulkChange = newId('bulkChange', new Date());
  await services.pool.query(
    `insert into bulk_changes (workspace_id, id, user_id, action, tickets, created_at)
     values ($1, $2, $3, '{"set": "priority", "priority": "high"}', 0, now())`,
    [firm.id, bulkChange, owner.id],
  );
  const ticketRule = newId('ticketRule', new Date());
  await services.pool.query(
    `insert into ticket_rules (workspace_id, id, position, name, is_on, trigger, conditions, actions, stops, author_id, created_at)
     values ($1, $2, 1, 'Late', false, '{"on": "sla_breached"}', '{"filter": {}, "words": [], "languages": [], "profile": []}',
       '[{"set": "priority", "priority": "high"}]', false, $3, now())`,
    [firm.id, ticketRule, owner.id],
  );
  const ticketView = newId('ticketView', new Date());
  await services.pool.query(
    `insert into ticket_views (workspace_id, id, user_id, name, search, created_at) values ($1, $2, $3, 'Mine', '{}', now())`,
    [firm.id, ticketView, owner.id],
  );
  const invite = newId('invite', new Date());
  await services.pool.query(
    `insert into invites (workspace_id, id, email, permissions, invited_by, created_at, expires_at)
     values ($1, $2, $3, '{}', $4, now(), now() + interval '7 days')`,
    [firm.id, invite, `${unique('invited')}@example.com`, owner.id],
  );
  const otherTag = await createTag(services, { firm });
  const otherTeam = await createTeam(services, { firm, members: [] });
  const session = await createToken(services, {
    user: owner,
    workspace: members.slug,
    environment,
    kind: 'device',
  });
  const apiKey = await createToken(services, {
    user: owner,
    workspace: members.slug,
    environment,
    scopes: [],
  });
  const passkey = randomUUID();
  await services.pool.query(
    `insert into passkeys (id, user_id, credential_id, public_key, sign_count, transports, name, created_at)
     values ($1, $2, $3, '', 0, '{}', 'Laptop', now())`,
    [passkey, owner.id, passkey],
  );
  await gateway.request('POST /v1/me/devices', {
    token: session.text,
    body: { app: 'mail', environment: 'production', token: randomUUID().replaceAll('-', '').repeat(2) },
  });
  const email = `${unique('affiliate')}@example.com`;
  const created = await withTransaction(services, (ctx) =>
    preRegister(
      { ...ctx, workspace: firm },
      {
        email,
        referral_code: unique('code'),
        referral_url: 'https://example.com/r',
        source: 'api',
        metadata: {},
      },
    ),
  );
  // Its mail can be sent again.
  await services.pool.query(
    'update affiliate_pre_registrations set last_sent_at = $3 where workspace_id = $1 and id = $2',
    [firm.id, created.id, new Date(Date.parse(created.created_at) - 3_600_000)],
  );
  const endpoint = newId('webhookEndpoint', new Date());
  await services.pool.query(
    `insert into webhook_endpoints (workspace_id, id, url, description, events, secret, created_at, disabled)
     values ($1, $2, 'https://hooks.example/', 'CRM', '{ticket.created}', '\\x00', now(), 'member')`,
    [firm.id, endpoint],
  );
  const delivery = await createDelivery(services, { firm: firm.id, endpoint, subject: ticket });
  const notification = await withTransaction(services, (ctx) =>
    notify(ctx, {
      workspace: firm.slug,
      kind: 'ticket_awaiting_admin',
      title: 'A ticket waits',
      action_url: '/tickets',
      to: [owner.email],
    }),
  );
  return {
    home: firm,
    owner,
    password,
    ownInvite: await inviteToAnotherFirm(services, owner.email),
    firm: { text: members.slug },
    user: { text: colleague.id },
    ownerId: { text: owner.id },
    email: { text: owner.email },
    trader: { text: trader.id },
    traderEmail: { text: trader.email },
    token: { text: session.id },
    apiKey: { text: apiKey.id },
    passkey: { text: passkey },
    mailbox: integer(mailbox.id),
    mailboxEmail: { text: mailbox.email },
    otherMailboxEmail: { text: otherMailbox.email },
    mailRule: { text: mailRule },
    message: { text: message.id },
    mailThread: integer(threadId),
    traderMail: { text: traderMail.id },
    draft: { text: draft.id, number: draft.alias },
    delayedMessage: { text: delayedMessage.id },
    calendar: integer(calendar),
    otherCalendar: integer(otherCalendar),
    event: integer(event!),
    invitation: integer(invitation!),
    tag: integer(tag),
    team: integer(team),
    macro: { text: macro },
    ticket: { text: ticket },
    otherTicket: { text: otherTicket },
    ticketMessage: { text: await messageOf(gateway, ticket) },
    delayedSend: { text: delayedSend },
    unsentReply: { text: unsent },
    command: { text: command },
    attachment: { text: attachment },
    mailAttachment: { text: mailAttachment },
    bulkChange: { text: bulkChange },
    invite: { text: invite },
    ticketRule: { text: ticketRule },
    ticketView: { text: ticketView },
    // As those who manage the firm's mailboxes see it: not only its members.
    firmMailbox: integer(mailbox.id),
    otherTag: integer(otherTag),
    otherTeam: integer(otherTeam),
    ticketCursor: { text: await cursorOf(gateway, { user: owner, workspace: members.slug, environment }) },
    preRegistration: { text: created.id },
    preRegistrationEmail: { text: email },
    notification: { text: notification.notifications[0]!.id },
    webhookEndpoint: { text: endpoint },
    webhookDelivery: { text: delivery },
    article: { text: article },
  };
}

/** The firm that invites the owners of fixtures, with the member who does. */
const inviting = new WeakMap<Services, Promise<{ firm: Firm; inviter: TestUser }>>();

async function inviteToAnotherFirm(services: Services, email: string): Promise<Fixtures['ownInvite']> {
  const known = inviting.get(services) ?? createInviting(services);
  inviting.set(services, known);
  const { firm, inviter } = await known;
  const id = newId('invite', new Date());
  await services.pool.query(
    `insert into invites (workspace_id, id, email, permissions, invited_by, created_at, expires_at)
     values ($1, $2, $3, '{}', $4, now(), now() + interval '7 days')`,
    [firm.id, id, email, inviter.id],
  );
  const url = await inviteUrl(services, { workspace: firm, id }, 'mail');
  return { workspace: firm.slug, invite: id, key: url.slice(url.indexOf('#') + 1) };
}

async function createInviting(services: Services) {
  const firm = await createWorkspace(services);
  return { firm, inviter: await createUser(services, { firm, permissions: ['manage_members'] }) };
}

/** Stores an event with its delivery to an endpoint, and returns the id of the delivery. */
export async function createDelivery(
  { pool }: Pick<TestGateway['services'], 'pool'>,
  { firm, endpoint, subject }: { firm: number; endpoint: string; subject: string },
): Promise<string> {
  const [event, delivery] = [newId('webhookEvent', new Date()), newId('webhookDelivery', new Date())];
  await pool.query(
    `insert into webhook_events (workspace_id, id, type, subject, person, data, is_dispatched, created_at)
     values ($1, $2, 'ticket.created', $3, '', '{}', true, now())`,
    [firm, event, subject],
  );
  await pool.query(
    `insert into webhook_deliveries (workspace_id, id, endpoint_id, event_id, position, type, subject, created_at, started_at, due_at)
     select workspace_id, $3, $4, id, position, type, subject, created_at, created_at, created_at
     from webhook_events where workspace_id = $1 and id = $2`,
    [firm, event, delivery, endpoint],
  );
  return delivery;
}

/** Returns an id of the same kind and form that does not exist. */
export function nonexistentLike(kind: FixtureKind, { text, number }: FixtureId): FixtureId {
  const [prefix] = /^[a-z_]+_(?=[0-9a-z]{26}$)/.exec(text) ?? [];
  const idKind = (Object.keys(idPrefixes) as IdKind[]).find((known) => idPrefixes[known] === prefix);
  const absent = 2_000_000_000 + Math.floor(Math.random() * 100_000_000);
  if (idKind) return { text: newId(idKind, new Date()), ...(number !== undefined && { number: absent }) };
  if (number !== undefined) return integer(absent);
  if (['notification', 'mailRule', 'passkey'].includes(kind)) return { text: randomUUID() };
  if (text.includes('@')) return { text: `${unique('nobody')}@example.com` };
  if (kind === 'firm') return { text: unique('firm') };
  // A cursor that was never issued, with an invalid signature.
  if (kind === 'ticketCursor')
    return { text: `${randomUUID().replaceAll('-', '').slice(0, 20)}${text.slice(20)}` };
  throw new Error(`Cannot create a nonexistent id of the kind ${kind}.`);
}

/** Creates a token of the fixtures' owner, with the scopes that the procedure needs; one of the staff for what only they may do. */
export async function ownToken(
  { services }: TestGateway,
  spec: ProcedureSpec,
  { owner, home }: Fixtures,
): Promise<string> {
  if (spec.tag === 'Staff')
    return createTokenText(services, await createStaff(services, 'all'), PLATFORM, neededScopes(spec));
  return createTokenText(services, owner, home.slug, neededScopes(spec));
}

/** Creates a token of a staff account that may act in the firms. */
export async function staffToken({ services }: TestGateway, spec: ProcedureSpec, firms: Firm[]) {
  return createTokenText(services, await createStaff(services, firms), PLATFORM, neededScopes(spec));
}

async function createTokenText(
  services: TestGateway['services'],
  user: TestUser,
  workspace: string,
  scopes: Scope[],
): Promise<string> {
  return (await createToken(services, { user, workspace, scopes })).text;
}

function integer(id: number): FixtureId {
  return { text: String(id), number: id };
}

async function messageOf({ services }: Pick<TestGateway, 'services'>, ticket: string): Promise<string> {
  const { rows } = await services.pool.query('select id from ticket_messages where ticket_id = $1', [ticket]);
  return rows[0].id;
}

async function cursorOf(
  { services, request }: Pick<TestGateway, 'services' | 'request'>,
  token: Pick<CreateTokenInput, 'user' | 'workspace' | 'environment'>,
) {
  const { text } = await createToken(services, { ...token, scopes: ['admin:read'] });
  const answer = await request('GET /v1/admin/tickets?limit=1', { token: text });
  return answer.body.meta.next_cursor as string;
}
