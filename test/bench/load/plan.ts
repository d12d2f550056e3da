/** What an agent or a service calls. Each is one call. */
export const kinds = [
  'ticket list',
  'ticket',
  'conversation',
  'search',
  'calendar window',
  'mail list',
  'counts',
  'trader message',
  'reply',
  'note',
  'status change',
  'read mark',
  'draft',
  'AI command',
] as const;
export type Kind = (typeof kinds)[number];

/** The agents of a firm that have the console open. */
export const AGENTS_PER_FIRM = 4;
/** A firm has 10 agents at work, who read 4 pages a minute each (docs/scaling.md). */
const READS_PER_SECOND = (10 * 4) / 60;
/** 200 messages of traders within 10 hours. */
const MESSAGES_PER_SECOND = 200 / 36_000;

/** The share of each kind in the reads of a firm. */
const READS: Partial<Record<Kind, number>> = {
  'ticket list': 0.2,
  ticket: 0.25,
  conversation: 0.25,
  search: 0.1,
  'calendar window': 0.08,
  'mail list': 0.07,
  counts: 0.05,
};

/** The calls that follow from a trader's message, itself included. */
const WRITES: Partial<Record<Kind, number>> = {
  'trader message': 1,
  reply: 1,
  note: 1,
  'status change': 2,
  'read mark': 2,
  draft: 1,
  'AI command': 0.1,
};

/** Returns how often each kind of call happens a second, over a number of firms. */
export function rates(firms: number): Record<Kind, number> {
  const of = (kind: Kind) =>
    READS_PER_SECOND * (READS[kind] ?? 0) + MESSAGES_PER_SECOND * (WRITES[kind] ?? 0);
  return Object.fromEntries(kinds.map((kind) => [kind, firms * of(kind)])) as Record<Kind, number>;
}

/** A firm under load. */
export interface LoadedFirm {
  id: number;
  /** A token of each agent. */
  tokens: string[];
  mailbox: number;
  /** Tickets that are not ended, with the address of their trader. */
  tickets: { id: string; trader: string }[];
  /** The ticket on which commands are given to the assistant. Nothing else changes it. */
  commandTicket: string;
  /** Texts of two words. */
  searches: string[];
}
