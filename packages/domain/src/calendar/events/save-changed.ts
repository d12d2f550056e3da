import type { AccountContext } from '../../procedures/call-context.ts';
import { announceEvent } from '../scheduling/announce-event.ts';
import { organizedEvent } from '../scheduling/organized-event.ts';
import { loadEvent } from './load-event.ts';
import type { StoredEvent } from './new-event.ts';
import { replaceEvent } from './replace-event.ts';

/** Saves a changed event, and tells its people. `isNew`: they know nothing of it, because it was split off another one. */
export async function saveChanged(
  ctx: AccountContext,
  before: StoredEvent,
  changed: StoredEvent,
  isNew = false,
): Promise<void> {
  const known = isNew ? null : before;
  await replaceEvent(ctx, ctx.workspace.id, before.id!, await organizedEvent(ctx, known, changed));
  if (before.attendees.length > 0 || changed.attendees.length > 0)
    await announceEvent(ctx, known, await loadEvent(ctx, ctx.workspace.id, before.id!));
}
