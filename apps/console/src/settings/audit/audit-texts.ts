import type { AuditEntry, AuditKind } from '@firmdesk/contract';
import { csvOf } from '../csv.ts';

export const auditKindLabels: Record<AuditKind, string> = {
  user: 'Members and accounts',
  invite: 'Invites',
  team: 'Teams',
  tag: 'Tags',
  mailbox: 'Mailboxes',
  calendar: 'Calendars',
  token: 'API keys and sessions',
  firm: 'Settings of the firm',
  macro: 'Macros',
  rule: 'Rules for tickets',
  webhook: 'Webhooks',
  article: 'Articles',
};

/** Returns an action as words: `user.permissions_changed` is “User: permissions changed”. */
export function describeAction(action: string): string {
  const [kind = '', ...rest] = action.split('.');
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1)}: ${rest.join('.').replaceAll('_', ' ')}`;
}

/** Returns who caused an entry. */
export function describeActor({ actor }: AuditEntry): string {
  if (actor.kind === 'system') return 'Firmdesk';
  return actor.kind === 'operator' ? `Operator ${actor.id}` : (actor.name ?? actor.id ?? 'Unknown');
}

/** Returns entries as JSON lines. */
export function toJsonLines(entries: readonly AuditEntry[]): string {
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
}

/** Returns entries as CSV. */
export function toCsv(entries: readonly AuditEntry[]): string {
  const head = [
    'time',
    'actor_kind',
    'actor_id',
    'actor',
    'network',
    'action',
    'target_type',
    'target_id',
    'before',
    'after',
  ];
  const rows = entries.map(({ created_at, actor, network, action, target, before, after }) => [
    created_at,
    actor.kind,
    actor.id ?? '',
    actor.name ?? '',
    network ?? '',
    action,
    target.type,
    target.id,
    before ? JSON.stringify(before) : '',
    after ? JSON.stringify(after) : '',
  ]);
  return csvOf([head, ...rows]);
}
