import { randomBytes } from 'node:crypto';
import { deriveAutomation, wordKeys } from '@firmdesk/domain/import';
import { sql } from 'kysely';
import { formatPath } from '../problems.ts';
import type { SeedRecord } from '../schema.ts';
import { type ImportContext, person, timestampOf, workspaceId } from './context.ts';
import { idsAt } from './ids.ts';
import { insertRows } from './insert-rows.ts';

const SECRET_BYTES = 32;

/** Adds wordings of mail to their firms. */
export async function writeMailTemplates(
  ctx: ImportContext,
  templates: readonly SeedRecord<'mail_templates'>[],
): Promise<void> {
  for (const { firm, kind, language, subject, text } of templates)
    await sql`
      update workspaces set mail_templates = mail_templates
        || jsonb_build_object(${kind}::text, coalesce(mail_templates->${kind}::text, '{}')
          || jsonb_build_object(${language}::text, ${JSON.stringify({ subject, text })}::jsonb))
      where id = ${workspaceId(ctx, firm)}`.execute(ctx.sql);
}

export async function writeArticles(
  ctx: ImportContext,
  articles: readonly SeedRecord<'articles'>[],
): Promise<void> {
  const now = ctx.now.toISOString();
  const ids = idsAt(
    'article',
    articles.map(() => now),
  );
  const rows = articles.map(({ id, firm, title, text, updated_at }, i) => ({
    workspace_id: workspaceId(ctx, firm),
    id: id ?? ids[i]!,
    title,
    text,
    words: wordKeys(`${title} ${text}`),
    updated_at: timestampOf(ctx, updated_at) ?? now,
  }));
  await insertRows(ctx.sql, 'knowledge_articles', rows);
}

/** Adds endpoints with new secrets: a file has none. The report says so, because receivers check them. */
export async function writeWebhooks(
  ctx: ImportContext,
  webhooks: readonly SeedRecord<'webhooks'>[],
  first: number,
): Promise<void> {
  const now = ctx.now.toISOString();
  const ids = idsAt(
    'webhookEndpoint',
    webhooks.map(() => now),
  );
  for (const [i, { id, firm, url, description, events, disabled, created_at }] of webhooks.entries()) {
    await sql`
      insert into webhook_endpoints (workspace_id, id, url, description, events, secret, disabled, created_at)
      values (${workspaceId(ctx, firm)}, ${id ?? ids[i]!}, ${url}, ${description}, ${events}::text[], ${randomBytes(SECRET_BYTES)},
        ${disabled ?? null}, ${timestampOf(ctx, created_at) ?? now})`.execute(ctx.sql);
    ctx.idMap.report({
      path: formatPath(['webhooks', first + i]),
      messages: [
        `${url} has a new secret. Rotate it in the settings to see it, and give it to the receiver.`,
      ],
    });
  }
}

/** Adds rules at the end of those of their firms. */
export async function writeTicketRules(
  ctx: ImportContext,
  rules: readonly SeedRecord<'ticket_rules'>[],
): Promise<void> {
  const now = ctx.now.toISOString();
  const ids = idsAt(
    'ticketRule',
    rules.map(() => now),
  );
  const firms = new Map<number, number>();
  for (const id of new Set(rules.map(({ firm }) => workspaceId(ctx, firm)))) {
    const { rows } = await sql<{ last: number }>`
      select coalesce(max(position), 0) as last from ticket_rules
      where workspace_id = ${id}`.execute(ctx.sql);
    firms.set(id, rows[0]!.last);
  }
  const rows = rules.map((rule, i) => {
    const firm = workspaceId(ctx, rule.firm);
    const position = firms.get(firm)! + 1;
    firms.set(firm, position);
    return {
      workspace_id: firm,
      id: rule.id ?? ids[i]!,
      position,
      name: rule.name,
      is_on: rule.enabled,
      trigger: rule.trigger,
      conditions: rule.conditions,
      actions: rule.actions,
      stops: rule.stops,
      author_id: person(ctx, rule.author).id,
      paused_because: rule.paused_because ?? null,
      created_at: timestampOf(ctx, rule.created_at) ?? now,
    };
  });
  await insertRows(ctx.sql, 'ticket_rules', rows);
  for (const firm of firms.keys()) await deriveAutomation(ctx, firm);
}

export async function writeEndedInvitations(
  ctx: ImportContext,
  invitations: readonly SeedRecord<'ended_invitations'>[],
): Promise<void> {
  const rows = invitations.map(
    ({ firm, user, uid, occurrence, sender, organizer, sequence, stamp, ended_at }) => ({
      workspace_id: workspaceId(ctx, firm),
      user_id: person(ctx, user).id,
      uid,
      occurrence: occurrence ?? null,
      sender_email: sender,
      organizer_email: organizer ?? null,
      sequence,
      stamp: timestampOf(ctx, stamp),
      ended_at: timestampOf(ctx, ended_at),
    }),
  );
  await insertRows(ctx.sql, 'ended_invitations', rows);
}
