import type { DraftMacros, Macro, ReplyActions } from '@firmdesk/contract';

const noActions: ReplyActions = { add_tags: [], status: null, priority: null, assignee: null };
/** As the service accepts. */
const MAX_IDS = 10;

/** Returns the macros of a draft after one more was inserted. Its changes take the place of earlier ones. */
export function withMacro(draft: DraftMacros | null, { id, actions }: Macro, userId: string): DraftMacros {
  const { ids, actions: before } = draft ?? { ids: [], actions: noActions };
  const assignee = actions.assignee === 'me' ? userId : actions.assignee;
  return {
    ids: [...new Set([...ids, id])].slice(-MAX_IDS),
    actions: {
      add_tags: [...new Set([...before.add_tags, ...actions.add_tags])],
      status: actions.status ?? before.status,
      priority: actions.priority ?? before.priority,
      assignee: assignee ?? before.assignee,
    },
  };
}

/** Returns the macros of a draft whose reply also sets the status. */
export function withStatus(draft: DraftMacros | null, status: ReplyActions['status']): DraftMacros {
  return { ids: draft?.ids ?? [], actions: { ...(draft?.actions ?? noActions), status } };
}

/** Returns the fields of a reply for the macros of its draft. */
export function replyFields(macros: DraftMacros | null): { actions?: ReplyActions; macros?: string[] } {
  if (!macros) return {};
  const { add_tags, ...others } = macros.actions;
  const hasActions = add_tags.length > 0 || Object.values(others).some((value) => value !== null);
  return { macros: [...macros.ids], ...(hasActions && { actions: macros.actions }) };
}

/** Returns whether two drafts have the same macros and changes. */
export function isSameMacros(a: DraftMacros | null, b: DraftMacros | null): boolean {
  // Both with their fields in one order.
  return JSON.stringify(asDraftMacros(a)) === JSON.stringify(asDraftMacros(b));
}

/** Returns stored JSON as the macros of a draft, or null. */
export function asDraftMacros(stored: unknown): DraftMacros | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const { ids, actions } = stored as Partial<DraftMacros>;
  if (!Array.isArray(ids) || typeof actions !== 'object' || !Array.isArray(actions?.add_tags)) return null;
  return { ids, actions: { ...noActions, ...actions } };
}
