import type { PersonErasure } from '@firmdesk/contract';
import { getUser } from '../../access/accounts/users.ts';
import type { OperationContext } from '../../platform/database/context.ts';
import { conditionOf, type ErasureStep, erasureSteps, type Subject, valuesOf } from './erasure-steps.ts';
import { workspacesOf } from './firm-scope.ts';
import { personalRows } from './personal-rows.ts';

type Change = PersonErasure['changes'][number];

/** What stays, as of "Former user", and is found by an index. */
const keptSteps: ErasureStep[] = personalRows
  .filter(({ erasure }) => erasure === 'keep')
  .map(({ table, column }) => ({
    table,
    where: `${column} = $2`,
    set: '',
    isWalked: table === 'ticket_messages',
  }));

/**
 * Returns what an erasure that a firm asks for does to its rows, by table: the sum of the steps that an index counts. The others read whole tables, and
 * are listed without a number.
 */
export async function previewErasure(
  ctx: OperationContext,
  slug: string,
  reference: string,
): Promise<PersonErasure> {
  const { id, name, email } = await getUser(ctx, reference);
  const subject = { userId: id, email };
  const firms = (await workspacesOf(ctx, slug)).map((firm) => firm.id);
  const changes: Change[] = [];
  const add = async (step: ErasureStep, effect: Change['effect']) => {
    const rows = step.isWalked ? null : await countRows(ctx, step, firms, subject);
    if (rows === 0) return;
    const found = changes.find((change) => change.table === step.table && change.effect === effect);
    if (!found) changes.push({ table: step.table, effect, rows });
    else found.rows = found.rows === null || rows === null ? null : found.rows + rows;
  };
  for (const step of erasureSteps) await add(step, step.set === null ? 'deleted' : 'changed');
  for (const step of keptSteps) await add(step, 'kept');
  return { object: 'person_erasure', id, name, email, changes };
}

async function countRows(
  { services }: OperationContext,
  step: ErasureStep,
  firms: readonly number[],
  subject: Subject,
): Promise<number> {
  let rows = 0;
  for (const firm of firms) {
    const counted = await services.pool.query<{ rows: number }>(
      `select count(*)::integer as rows from ${step.table} where ${conditionOf(step)}`,
      valuesOf(firm, subject),
    );
    rows += counted.rows[0]!.rows;
  }
  return rows;
}
