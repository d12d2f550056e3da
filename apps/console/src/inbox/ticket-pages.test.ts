import type { Ticket, TicketPage } from '@firmdesk/contract';
import { expect, test } from 'vitest';
import { ticketOf } from './testing.ts';
import { TicketPages, type TicketSource } from './ticket-pages.ts';

/** A service with a list of its own, newest first; a cursor is the time that the page before ended with. */
class Desk implements TicketSource {
  readonly sort = '-last_message_at';
  readonly tickets = new Map<string, Ticket>();
  /** Calls that wait until they are let through; null: none waits. */
  held: (() => void)[] | null = null;
  asked = 0;
  isDown = false;

  constructor(count: number) {
    for (let i = 0; i < count; i++) this.put(ticketOf({ id: idOf(i), last_message_at: timeOf(count - i) }));
  }

  put(ticket: Ticket): Ticket {
    this.tickets.set(ticket.id, ticket);
    return ticket;
  }

  /** A trader writes: the ticket is the newest of all. */
  write(id: string, at: number): Ticket {
    return this.put({ ...this.tickets.get(id)!, last_message_at: timeOf(at), unread: 1 });
  }

  async page(cursor: string | null): Promise<TicketPage> {
    this.asked++;
    if (this.isDown) throw new Error('The service is away.');
    const sorted = [...this.tickets.values()]
      .filter((ticket) => this.matches(ticket) && (cursor === null || ticket.last_message_at < cursor))
      .sort((a, b) => (a.last_message_at < b.last_message_at ? 1 : -1));
    const data = sorted.slice(0, 100);
    const has_more = sorted.length > 100;
    if (this.held) await new Promise<void>((resolve) => this.held!.push(resolve));
    return { data, meta: { has_more, next_cursor: has_more ? data.at(-1)!.last_message_at : null } };
  }

  async ticket(id: string): Promise<Ticket> {
    return this.tickets.get(id)!;
  }

  matches(ticket: Ticket): boolean {
    return ticket.status !== 'closed';
  }
}

const idOf = (i: number) => `tkt_${String(i).padStart(8, '0')}`;
const timeOf = (i: number) => new Date(1_700_000_000_000 + i * 1_000).toISOString();
const settled = () => new Promise((resolve) => setTimeout(resolve));

const idsOf = (pages: TicketPages) => Array.from({ length: pages.count }, (_, place) => pages.idAt(place));

async function loaded(desk: Desk): Promise<TicketPages> {
  const pages = new TicketPages(desk);
  await pages.reload();
  return pages;
}

/** Scrolls to the end, a screen at a time; returns the most rows that were ever in memory. */
async function walk(pages: TicketPages, screen = 30): Promise<number> {
  let most = 0;
  for (let from = 0; from < pages.count; from += screen) {
    pages.show(from, from + screen);
    await settled();
    most = Math.max(most, pages.held);
  }
  return most;
}

test('a walk to the end shows every ticket once, in order, and keeps a bounded number of rows', async () => {
  const desk = new Desk(5_000);
  const pages = await loaded(desk);
  const most = await walk(pages);
  expect(pages.isComplete).toBe(true);
  expect(idsOf(pages)).toEqual(Array.from({ length: 5_000 }, (_, i) => idOf(i)));
  expect(most).toBeLessThan(1_500);
});

test('rows that were let go come back at their places, also those that stand elsewhere by now', async () => {
  const desk = new Desk(3_000);
  const pages = await loaded(desk);
  await walk(pages);
  expect(pages.rowAt(20)).toBeUndefined();
  desk.write(idOf(10), 9_000);
  desk.write(idOf(2_999), 9_001);
  pages.show(0, 30);
  await settled();
  expect(pages.rowAt(20)?.id).toBe(idOf(20));
  expect(pages.rowAt(10)).toMatchObject({ id: idOf(10), unread: 1 });
  expect(idsOf(pages)).toEqual(Array.from({ length: 3_000 }, (_, i) => idOf(i)));
});

test('a ticket that moves down while the list is read is not shown twice', async () => {
  const desk = new Desk(300);
  const pages = await loaded(desk);
  desk.put({ ...desk.tickets.get(idOf(5))!, last_message_at: timeOf(120) });
  await walk(pages);
  const ids = idsOf(pages);
  expect(ids).toHaveLength(300);
  expect(new Set(ids).size).toBe(300);
});

test('a change shows in its row, which stays where it is until the list is put in order', async () => {
  const desk = new Desk(50);
  const pages = await loaded(desk);
  pages.patch(desk.write(idOf(7), 9_000));
  expect(pages.rowAt(7)).toMatchObject({ id: idOf(7), unread: 1 });
  expect(pages.pending).toEqual({ added: 0, moved: 1, isUncertain: false });
  await pages.reload();
  expect(pages.idAt(0)).toBe(idOf(7));
  expect(pages.pending).toEqual({ added: 0, moved: 0, isUncertain: false });
});

test('a change that leaves a ticket where it stands is not announced', async () => {
  const desk = new Desk(50);
  const pages = await loaded(desk);
  pages.patch(desk.write(idOf(0), 9_000));
  pages.patch(desk.put({ ...desk.tickets.get(idOf(3))!, unread: 4 }));
  expect(pages.pending).toEqual({ added: 0, moved: 0, isUncertain: false });
});

test('a new ticket is counted until it goes again; one that comes later in the list is not', async () => {
  const desk = new Desk(300);
  const pages = await loaded(desk);
  const fresh = ticketOf({ id: 'tkt_new00001', last_message_at: timeOf(9_000) });
  pages.patch(fresh);
  expect(pages.pending.added).toBe(1);
  pages.patch({ ...fresh, status: 'closed' });
  expect(pages.pending.added).toBe(0);
  pages.patch(ticketOf({ id: 'tkt_new00002', last_message_at: timeOf(1) }));
  expect(pages.pending.added).toBe(0);
});

test('a ticket that no longer belongs keeps its row and counts as moved', async () => {
  const desk = new Desk(50);
  const pages = await loaded(desk);
  pages.patch(desk.put({ ...desk.tickets.get(idOf(3))!, status: 'closed' }));
  expect(pages.rowAt(3)?.status).toBe('closed');
  expect(pages.pending.moved).toBe(1);
});

test('what is told while an answer is on its way is not undone by it', async () => {
  const desk = new Desk(50);
  const pages = new TicketPages(desk);
  desk.held = [];
  const loading = pages.reload();
  await settled();
  pages.patch(desk.write(idOf(4), 9_000));
  pages.patch(desk.put(ticketOf({ id: 'tkt_new00001', last_message_at: timeOf(9_001) })));
  desk.held[0]!();
  await loading;
  expect(pages.rowAt(4)).toMatchObject({ id: idOf(4), unread: 1 });
  expect(pages.pending).toEqual({ added: 1, moved: 1, isUncertain: false });
});

test('after a gap what is seen is brought up to date in place, and what is new is counted', async () => {
  const desk = new Desk(50);
  const pages = await loaded(desk);
  desk.write(idOf(9), 9_000);
  desk.put(ticketOf({ id: 'tkt_new00001', last_message_at: timeOf(9_001) }));
  pages.refresh();
  await settled();
  expect(pages.rowAt(9)).toMatchObject({ id: idOf(9), unread: 1 });
  expect(pages.pending).toMatchObject({ added: 1, moved: 1 });
});

test('what is missed while the list is loading is found once it is there', async () => {
  const desk = new Desk(50);
  const pages = new TicketPages(desk);
  desk.held = [];
  const loading = pages.reload();
  await settled();
  desk.write(idOf(9), 9_000);
  pages.refresh();
  desk.held[0]!();
  desk.held = null;
  await loading;
  await settled();
  expect(pages.rowAt(9)).toMatchObject({ id: idOf(9), unread: 1 });
});

test('an empty list counts what arrives', async () => {
  const pages = await loaded(new Desk(0));
  expect(pages.isComplete).toBe(true);
  pages.patch(ticketOf({ id: 'tkt_new00001' }));
  expect(pages.pending.added).toBe(1);
});

test('what fails is not asked for again by itself, and is when it is asked to be', async () => {
  const desk = new Desk(300);
  const pages = await loaded(desk);
  desk.isDown = true;
  pages.show(70, 100);
  await settled();
  expect(pages.error).toBeInstanceOf(Error);
  const { asked } = desk;
  pages.show(71, 100);
  await settled();
  expect(desk.asked).toBe(asked);
  desk.isDown = false;
  pages.retry();
  await settled();
  expect(pages.error).toBeNull();
  expect(pages.count).toBe(200);
});

test('the list stands as it was while it is put in order, and when that fails', async () => {
  const desk = new Desk(300);
  const pages = await loaded(desk);
  desk.isDown = true;
  await pages.reload();
  expect(pages.count).toBe(100);
  expect(pages.error).toBeInstanceOf(Error);
  desk.isDown = false;
  desk.write(idOf(50), 9_000);
  pages.retry();
  await settled();
  expect(pages.idAt(0)).toBe(idOf(50));
});

test('an answer to what was asked before the list was put in order changes nothing', async () => {
  const desk = new Desk(300);
  const pages = await loaded(desk);
  desk.held = [];
  pages.show(70, 100);
  await settled();
  const late = desk.held;
  desk.held = null;
  await pages.reload();
  for (const answer of late) answer();
  await settled();
  await walk(pages);
  expect(new Set(idsOf(pages)).size).toBe(300);
  expect(pages.count).toBe(300);
});
