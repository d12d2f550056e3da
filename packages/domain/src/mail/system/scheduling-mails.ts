import { MAX_SENT_PER_DAY } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { SchedulingMails } from '../../calendar/index.ts';
import type { OperationContext } from '../../platform/database/context.ts';
import { newContext, withTransaction } from '../../platform/database/transaction.ts';
import { DAY_MS } from '../../platform/process/clock.ts';
import type { Services } from '../../platform/services.ts';
import { localeOf } from '../../push/index.ts';
import { renderOwnTemplate } from '../../templates/index.ts';
import { tellAuthor } from '../sending/tell-author.ts';
import { shortMail } from './html.ts';
import { queueSystemMail } from './queue-system-mail.ts';
import { systemAddress } from './system-address.ts';
import type { SchedulingContent } from './system-mail.ts';
import { whenText } from './when-text.ts';
import { wordsFor } from './words/index.ts';
import type { WrittenMail } from './written-mail.ts';

/** How long a mail server may refuse such a mail for now. */
const KEPT_MS = 3 * DAY_MS;

/** Handles `mailSchedulingJob`: queues a mail for each person. It may repeat: each gets it once. */
export async function queueSchedulingMails(services: Services, mails: SchedulingMails): Promise<void> {
  const { workspace, id, user_id, to, ...content } = mails;
  await withTransaction(services, async (ctx) => {
    const allowed = MAX_SENT_PER_DAY - (await countToday(ctx, workspace, user_id, id));
    for (const person of to.slice(0, Math.max(0, allowed)))
      await queueSystemMail(ctx, workspace, {
        kind: 'scheduling',
        userId: user_id,
        about: `scheduling ${id} ${person.email.toLowerCase()}`,
        content: { ...content, to: person },
        sendUntil: new Date(ctx.now.getTime() + KEPT_MS).toISOString(),
      });
    if (to.length > allowed)
      await tellAuthor(ctx, workspace, user_id, {
        title: `Not all were told: ${content.event.title.slice(0, 100)}`,
        body: `An account can send at most ${MAX_SENT_PER_DAY} invitations and answers a day.`,
      });
  });
}

/** Counts the mails that an account has sent for other events in a day. */
async function countToday(
  { db, now }: OperationContext,
  workspaceId: number,
  userId: string,
  id: string,
): Promise<number> {
  const since = new Date(now.getTime() - DAY_MS).toISOString();
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from outgoing_messages
    where workspace_id = ${workspaceId} and user_id = ${userId} and kind = 'scheduling' and send_at > ${since}
      and not starts_with(about, ${`scheduling ${id} `})`.execute(db);
  return rows[0]!.count;
}

/** Writes an invitation, a cancellation or an answer. It comes from the person's own address if that is a mailbox of the firm. */
export async function writeScheduling(
  services: Services,
  workspaceId: number,
  { userId, content }: { userId: string; content: SchedulingContent },
): Promise<WrittenMail> {
  const { method, from, to, event, ics } = content;
  const ctx = newContext(services);
  const { language, firm, isMailbox } = await findSender(ctx, workspaceId, userId, from.email);
  const address = { name: from.name ?? '', address: from.email };
  const words = wordsFor(language);
  const when = whenText(localeOf(language), {
    start: Date.parse(event.starts_at),
    zone: event.timezone,
    allDay: event.all_day,
  });
  const who = from.name ?? from.email;
  const kind =
    content.response ?? (method === 'CANCEL' ? 'cancelled' : content.is_update ? 'updated' : 'invited');
  const own =
    kind === 'invited'
      ? await renderOwnTemplate(ctx, 'invitation', { id: workspaceId }, language, {
          firm_name: firm,
          organizer: who,
          title: event.title,
          starts_at: when,
          location: event.location,
          conference_url: event.conference_url,
        })
      : null;
  const { subject, note } = words.scheduling[kind](event.title, who);
  const builtIn = {
    subject,
    ...shortMail({
      heading: event.title,
      lines: [
        { label: words.when, value: when },
        ...(event.location ? [{ label: words.where, value: event.location }] : []),
        ...(event.conference_url
          ? [{ label: words.join, value: event.conference_url, url: event.conference_url }]
          : []),
      ],
      body: method === 'REPLY' ? null : event.description,
      note,
    }),
  };
  return {
    message: {
      from: isMailbox ? address : { name: `${who} (${firm})`, address: systemAddress(services) },
      ...(!isMailbox && { replyTo: address }),
      to: { name: to.name ?? '', address: to.email },
      ...(own ?? builtIn),
      alternatives: [{ contentType: `text/calendar; charset=utf-8; method=${method}`, content: ics }],
    },
    returnPath: isMailbox ? from.email : '',
  };
}

/** Returns what is known of the sender: whether the address is a mailbox of the firm, from which it may be sent. */
async function findSender(
  { db }: OperationContext,
  workspaceId: number,
  userId: string,
  email: string,
): Promise<{ language: string; firm: string; isMailbox: boolean }> {
  const { rows } = await sql<{ language: string; firm: string; isMailbox: boolean }>`
    select u.language, w.name as firm, exists (
      select from mailboxes b where b.workspace_id = ${workspaceId} and lower(b.email) = lower(${email})) as "isMailbox"
    from users u cross join workspaces w where u.id = ${userId} and w.id = ${workspaceId}`.execute(db);
  return rows[0]!;
}
