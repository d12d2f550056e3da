import { randomUUID } from 'node:crypto';
import { MAX_MAIL_RULES } from '@firmdesk/contract';
import type { StoredRule } from '@firmdesk/domain/import';
import { sql } from 'kysely';
import { formatPath, SeedError } from '../problems.ts';
import type { SeedRecord } from '../schema.ts';
import { type ImportContext, person } from './context.ts';

/** Adds rules at the end of those of their mailboxes. */
export async function writeMailRules(
  ctx: ImportContext,
  rules: readonly SeedRecord<'mail_rules'>[],
  first: number,
): Promise<void> {
  const ofMailbox = Map.groupBy(rules.entries(), ([, { mailbox }]) => mailbox);
  for (const [key, entries] of ofMailbox) {
    const mailbox = ctx.idMap.get('mailboxes', key);
    const added = entries.map(([, rule]) => toStored(ctx, rule));
    const { rows } = await sql<{ count: number }>`
      update mailboxes set rules = rules || ${JSON.stringify(added)}::jsonb
      where workspace_id = ${ctx.mailboxFirms.get(mailbox)!} and id = ${mailbox}
      returning jsonb_array_length(rules) as count`.execute(ctx.sql);
    if (rows[0]!.count > MAX_MAIL_RULES)
      throw new SeedError([
        {
          path: formatPath(['mail_rules', first + entries.at(-1)![0]]),
          message: `a mailbox can have at most ${MAX_MAIL_RULES} rules`,
        },
      ]);
  }
}

function toStored(
  ctx: ImportContext,
  { key: _, mailbox: __, author, id, add_tags, folder, forward_to, ...rule }: SeedRecord<'mail_rules'>,
): StoredRule {
  return {
    ...rule,
    id: id ?? randomUUID(),
    add_tags: add_tags.map((tag) => ctx.idMap.get('tags', tag)),
    folder: folder ?? null,
    forward_to: forward_to ?? null,
    // Nobody: then it does not forward.
    user_id: author == null ? '' : person(ctx, author).id,
  };
}
