import { type Services, systemClock } from '@firmdesk/domain';
import {
  createCalendar,
  createEvents,
  createMailbox,
  createMailMessage,
  createTicket,
  createToken,
  createUser,
  createWorkspace,
} from '@firmdesk/testing';

const HOUR_MS = 3_600_000;

/** The token of an agent's device, and the objects that it may access. */
export interface Fixture {
  token: string;
  tokenId: string;
  /** The slug. */
  firm: string;
  /** The email address. */
  mailbox: string;
  message: string;
  ticket: string;
}

/** Fills a database with an agent who has a mailbox, a calendar, a notification, and a waiting push of each type. */
export async function createFixture(services: Services): Promise<Fixture> {
  const { pool } = services;
  const firm = await createWorkspace(services);
  const trader = await createUser(services, { firm, role: 'trader' });
  const user = await createUser(services, {
    firm,
    permissions: ['view_tickets', 'manage_tickets', 'view_payouts', 'view_affiliates'],
  });
  const { id: tokenId, text: token } = await createToken(services, {
    user,
    workspace: firm.slug,
    kind: 'device',
  });
  await pool.query(
    `insert into devices (token_id, user_id, workspace_id, app, environment, device_token, created_at, last_seen_at)
     select id, user_id, workspace_id, 'admin', 'production', 'ab', now(), now() from tokens where id = $1`,
    [tokenId],
  );
  const mailbox = await createMailbox(services, { firm, writes: [user] });
  const { id: message } = await createMailMessage(services, { mailbox });
  const ticket = await createTicket(services, { firm, trader });
  const calendar = await createCalendar(services, { firm, owner: user });
  const start = new Date(Math.ceil(systemClock.now().getTime() / HOUR_MS) * HOUR_MS + HOUR_MS);
  const [event] = await createEvents(services, [
    {
      calendar_id: calendar,
      title: 'Review',
      starts_at: start.toISOString(),
      ends_at: new Date(start.getTime() + HOUR_MS).toISOString(),
      reminders: [{ user_id: user.id, minutes_before: 10, channel: 'push' }],
    },
  ]);
  const { rows } = await pool.query<{ id: string }>(
    `insert into notifications (id, workspace_id, user_id, kind, title, action_url, created_at)
     values (gen_random_uuid(), $1, $2, 'payout_requested', 'A payout was requested', '/x', now()) returning id`,
    [firm.id, user.id],
  );
  const reminder = {
    event_id: event,
    minutes_before: 10,
    occurrence_start: null,
    starts_at: start.toISOString(),
  };
  await pool.query(
    `insert into push_outbox (token_id, app, type, subject, reminder, due_at, expires_at, created_at)
     select $1, 'admin', type, subject, reminder, now(), now() + interval '1 hour', now()
     from (values ('test', 'a test', null), ('mail.message', $2, null), ('admin.notification', $3, null),
       ('calendar.reminder', 'a reminder', $4::jsonb)) as waiting (type, subject, reminder)`,
    [tokenId, message, rows[0]!.id, JSON.stringify(reminder)],
  );
  return { token, tokenId, firm: firm.slug, mailbox: mailbox.email, message, ticket };
}
