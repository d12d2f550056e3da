import { type CreateMacroInput, MAX_MACROS, type Macro, type UpdateMacroInput } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { firmIdOf, MAY_ANSWER } from '../access/policy.ts';
import { ApiError, invalidField } from '../platform/process/errors.ts';
import { newId } from '../platform/process/ids.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { recordMacro } from './audit-macro.ts';
import { readMacro } from './list-macros.ts';
import { lockMacros, nameKey } from './lock-macros.ts';
import { Macro as MacroEntity } from './macro.entity.ts';

type Input = z.output<typeof CreateMacroInput>;

/**
 * Creates a macro at the end of the list. Throws `macro_limit_reached` beyond {@link MAX_MACROS}, and `validation_failed` for a name that
 * another macro has, and for a team, tag or agent that is not of the firm.
 */
export async function createMacro(ctx: AccountContext, input: Input): Promise<Macro> {
  await lockMacros(ctx);
  const { count, last } = await check(ctx, input, null);
  if (count >= MAX_MACROS) throw new ApiError('macro_limit_reached');
  const { id } = ctx.em.create(MacroEntity, {
    workspaceId: ctx.workspace.id,
    id: newId('macro', ctx.now),
    position: last + 1,
    ...fieldsOf(input),
    createdAt: ctx.now,
  });
  await ctx.em.flush();
  const after = await readMacro(ctx, id);
  await recordMacro(ctx, 'created', { after });
  return after;
}

/** Replaces the fields of a macro. Throws as {@link createMacro}, and `resource_not_found`. */
export async function updateMacro(
  ctx: AccountContext,
  { id, ...input }: z.output<typeof UpdateMacroInput>,
): Promise<Macro> {
  await lockMacros(ctx);
  const before = await readMacro(ctx, id);
  await check(ctx, input, id);
  const macro = await ctx.em.findOneOrFail(MacroEntity, { workspaceId: ctx.workspace.id, id });
  ctx.em.assign(macro, fieldsOf(input));
  await ctx.em.flush();
  const after = await readMacro(ctx, id);
  await recordMacro(ctx, 'changed', { before, after });
  return after;
}

function fieldsOf(input: Input) {
  const { name, team, texts, actions } = input;
  return {
    name,
    nameKey: nameKey(name),
    teamId: team,
    texts,
    tagIds: actions.add_tags,
    status: actions.status,
    priority: actions.priority,
    assignsAuthor: actions.assignee === 'me',
    assigneeId: assigneeId(input),
  };
}

function assigneeId({ actions: { assignee } }: Input): string | null {
  return assignee === 'me' ? null : assignee;
}

/** Checks what a schema cannot. Returns the number of the firm's macros, and the position of the last one. */
async function check(
  { db, workspace }: AccountContext,
  input: Input,
  own: string | null,
): Promise<{ count: number; last: number }> {
  const { name, team, actions } = input;
  const { rows } = await sql<{
    count: number;
    last: number;
    is_taken: boolean;
    has_team: boolean;
    is_agent: boolean;
    tags: number[];
  }>`
    select (select count(*)::integer from macros where workspace_id = ${workspace.id}) as count,
      (select coalesce(max(position), 0) from macros where workspace_id = ${workspace.id}) as last,
      exists (select from macros where workspace_id = ${workspace.id} and name_key = ${nameKey(name)}
        and id is distinct from ${own}) as is_taken,
      ${team}::integer is null or exists (
        select from teams where workspace_id = ${workspace.id} and id = ${team}) as has_team,
      ${assigneeId(input)}::text is null or exists (
        select from memberships m join users u on u.id = m.user_id
        where m.workspace_id = ${firmIdOf(workspace.id)} and u.id = ${assigneeId(input)} and ${sql.raw(MAY_ANSWER)}) as is_agent,
      array(select id from tags where workspace_id = ${workspace.id} and id = any(${actions.add_tags}::integer[])
        and deleted_at is null) as tags`.execute(db);
  const { count, last, is_taken, has_team, is_agent, tags } = rows[0]!;
  if (is_taken) throw invalidField('name', 'is the name of another macro');
  if (!has_team) throw invalidField('team', 'must be the id of a team of this firm');
  if (!is_agent)
    throw invalidField('actions.assignee', 'must be the id of an agent of this firm who may answer tickets');
  const unknown = actions.add_tags.findIndex((id) => !tags.includes(id));
  if (unknown >= 0)
    throw invalidField(`actions.add_tags[${unknown}]`, 'must be the id of a tag of this firm');
  return { count, last };
}
