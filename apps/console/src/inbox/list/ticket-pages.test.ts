import type { Ticket, TicketPage } from '@firmdesk/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ticketOf } from '../testing.ts';
import { TicketPages, type TicketSource } from './ticket-pages.ts';

/** A fake service with one list, newest first. A cursor is the time of the last ticket of the previous page. */
class FakeService implements TicketSource {
  readonly sort = '-last_message_at';
  readonly tickets = new Map<string, Ticket>();
  /** Pending calls that the test resolves; null: calls resolve immediately. */
  held: (() => void)[] | null = null;
  requests = 0;
  isDown = false;

  constructor(count: number) {
    for (let i = 0; i < count; i++) this.put(ticketOf({ id: idOf(i), last_message_at: timeOf(count - i) }));
  }

  put(ticket: Ticket): Ticket {
    this.tickets.set(ticket.id, ticket);
    return ticket;
  }

  /** Simulates a message of the trader: the ticket becomes the newest. */
  write(id: string, at: number): Ticket {
    return this.put({ ...this.tickets.get(id)!, last_message_at: timeOf(at), unread: 1 });
  }

  async page(cursor: string | null): Promise<TicketPage> {
    this.requests++;
    if (this.isDown) throw new Error('The service is down.');
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

  /** The ids of the tickets as a new load lists them. */
  listed(): string[] {
    return [...this.tickets.values()]
      .filter((ticket) => this.matches(ticket))
      .sort((a, b) => (a.last_message_at < b.last_message_at ? 1 : -1))
      .map(({ id }) => id);
  }

  matches(ticket: Ticket): boolean {
    return ticket.status !== 'closed';
  }
}

const idOf = (i: number) => `tkt_${String(i).padStart(8, '0')}`;
const timeOf = (i: number) => new Date(1_700_000_000_000 + i * 1_000).toISOString();
const settled = () => new Promise((resolve) => setTimeout(resolve));

const idsOf = (pages: TicketPages) =>
  Array.from({ length: pages.count }, (_, position) => pages.idAt(position));

async function loaded(service: FakeService): Promise<TicketPages> {
  const pages = new TicketPages(service);
  await pages.reload();
  return pages;
}

/** Scrolls to the end, one screen at a time. Returns the largest number of rows in memory. */
async function walk(pages: TicketPages, screen = 30): Promise<number> {
  let most = 0;
  for (let from = 0; from < pages.count; from += screen) {
    pages.show(from, from + screen);
    await settled();
    most = Math.max(most, pages.loadedRows);
  }
  return most;
}

test('shows every ticket once and in order while scrolling, with a bounded number of rows in memory', async () => {
  const service = new FakeService(5_000);
  const pages = await loaded(service);
  const most = await walk(pages);
  expect(pages.isComplete).toBe(true);
  expect(idsOf(pages)).toEqual(Array.from({ length: 5_000 }, (_, i) => idOf(i)));
  expect(most).toBeLessThan(1_500);
});

test('reloads released rows at their positions, including tickets that have moved', async () => {
  const service = new FakeService(3_000);
  const pages = await loaded(service);
  await walk(pages);
  expect(pages.rowAt(20)).toBeUndefined();
  service.write(idOf(10), 9_000);
  service.write(idOf(2_999), 9_001);
  pages.show(0, 30);
  await settled();
  expect(pages.rowAt(20)?.id).toBe(idOf(20));
  expect(pages.rowAt(10)).toMatchObject({ id: idOf(10), unread: 1 });
  expect(idsOf(pages)).toEqual(Array.from({ length: 3_000 }, (_, i) => idOf(i)));
});

test('does not show a ticket twice that moves down while the list is loaded', async () => {
  const service = new FakeService(300);
  const pages = await loaded(service);
  service.put({ ...service.tickets.get(idOf(5))!, last_message_at: timeOf(120) });
  await walk(pages);
  const ids = idsOf(pages);
  expect(ids).toHaveLength(300);
  expect(new Set(ids).size).toBe(300);
});

test('updates a changed row in place and reorders only on reload', async () => {
  const service = new FakeService(50);
  const pages = await loaded(service);
  pages.patch(service.write(idOf(7), 9_000));
  expect(pages.rowAt(7)).toMatchObject({ id: idOf(7), unread: 1 });
  expect(pages.pending).toEqual({ added: 0, moved: 1, isUncertain: false });
  await pages.reload();
  expect(pages.idAt(0)).toBe(idOf(7));
  expect(pages.pending).toEqual({ added: 0, moved: 0, isUncertain: false });
});

test('reports no pending change when the order stays the same', async () => {
  const service = new FakeService(50);
  const pages = await loaded(service);
  pages.patch(service.write(idOf(0), 9_000));
  pages.patch(service.put({ ...service.tickets.get(idOf(3))!, unread: 4 }));
  expect(pages.pending).toEqual({ added: 0, moved: 0, isUncertain: false });
});

test('counts a new ticket until it leaves the list, and not if it belongs on a later page', async () => {
  const service = new FakeService(300);
  const pages = await loaded(service);
  const fresh = ticketOf({ id: 'tkt_new00001', last_message_at: timeOf(9_000) });
  pages.patch(fresh);
  expect(pages.pending.added).toBe(1);
  pages.patch({ ...fresh, status: 'closed' });
  expect(pages.pending.added).toBe(0);
  pages.patch(ticketOf({ id: 'tkt_new00002', last_message_at: timeOf(1) }));
  expect(pages.pending.added).toBe(0);
});

test('keeps the row of a ticket that left the list and counts it as moved', async () => {
  const service = new FakeService(50);
  const pages = await loaded(service);
  pages.patch(service.put({ ...service.tickets.get(idOf(3))!, status: 'closed' }));
  expect(pages.rowAt(3)?.status).toBe('closed');
  expect(pages.pending.moved).toBe(1);
});

test('does not overwrite a patch with an older response', async () => {
  const service = new FakeService(50);
  const pages = new TicketPages(service);
  service.held = [];
  const loading = pages.reload();
  await settled();
  pages.patch(service.write(idOf(4), 9_000));
  pages.patch(service.put(ticketOf({ id: 'tkt_new00001', last_message_at: timeOf(9_001) })));
  service.held[0]!();
  await loading;
  expect(pages.rowAt(4)).toMatchObject({ id: idOf(4), unread: 1 });
  expect(pages.pending).toEqual({ added: 1, moved: 1, isUncertain: false });
});

test('refreshes visible rows in place and counts new tickets after missed events', async () => {
  const service = new FakeService(50);
  const pages = await loaded(service);
  service.write(idOf(9), 9_000);
  service.put(ticketOf({ id: 'tkt_new00001', last_message_at: timeOf(9_001) }));
  pages.refresh();
  await settled();
  expect(pages.rowAt(9)).toMatchObject({ id: idOf(9), unread: 1 });
  expect(pages.pending).toMatchObject({ added: 1, moved: 1 });
});

test('refreshes after loading if events were missed meanwhile', async () => {
  const service = new FakeService(50);
  const pages = new TicketPages(service);
  service.held = [];
  const loading = pages.reload();
  await settled();
  service.write(idOf(9), 9_000);
  pages.refresh();
  service.held[0]!();
  service.held = null;
  await loading;
  await settled();
  expect(pages.rowAt(9)).toMatchObject({ id: idOf(9), unread: 1 });
});

test('counts new tickets in an empty list', async () => {
  const pages = await loaded(new FakeService(0));
  expect(pages.isComplete).toBe(true);
  pages.patch(ticketOf({ id: 'tkt_new00001' }));
  expect(pages.pending.added).toBe(1);
});

test('retries a failed page only on request', async () => {
  const service = new FakeService(300);
  const pages = await loaded(service);
  service.isDown = true;
  pages.show(70, 100);
  await settled();
  expect(pages.error).toBeInstanceOf(Error);
  const { requests } = service;
  pages.show(71, 100);
  await settled();
  expect(service.requests).toBe(requests);
  service.isDown = false;
  pages.retry();
  await settled();
  expect(pages.error).toBeNull();
  expect(pages.count).toBe(200);
});

test('keeps the rows while reloading and after a failed reload', async () => {
  const service = new FakeService(300);
  const pages = await loaded(service);
  service.isDown = true;
  await pages.reload();
  expect(pages.count).toBe(100);
  expect(pages.error).toBeInstanceOf(Error);
  service.isDown = false;
  service.write(idOf(50), 9_000);
  pages.retry();
  await settled();
  expect(pages.idAt(0)).toBe(idOf(50));
});

test('ignores responses to requests from before a reload', async () => {
  const service = new FakeService(300);
  const pages = await loaded(service);
  service.held = [];
  pages.show(70, 100);
  await settled();
  const late = service.held;
  service.held = null;
  await pages.reload();
  for (const answer of late) answer();
  await settled();
  await walk(pages);
  expect(new Set(idsOf(pages)).size).toBe(300);
  expect(pages.count).toBe(300);
});

describe('an own change', () => {
  const close = (service: FakeService, id: string) =>
    service.put({ ...service.tickets.get(id)!, status: 'closed' });

  test('takes a ticket that no longer matches out at once, and keeps its place', async () => {
    const service = new FakeService(250);
    const pages = await loaded(service);
    await walk(pages);
    pages.patch(close(service, idOf(3)), true);
    pages.patch(close(service, idOf(120)), true);
    expect(idsOf(pages)).toEqual(service.listed());
    expect(pages.pending).toEqual({ added: 0, moved: 0, isUncertain: false });
    expect(pages.placeLeftBy(idOf(3))).toBe(3);
    expect(pages.idAt(pages.placeLeftBy(idOf(120))!)).toBe(idOf(121));
    expect(pages.placeLeftBy(idOf(4))).toBeUndefined();
  });

  test('moves a ticket to its place among the loaded rows, and back when it is undone', async () => {
    const service = new FakeService(150);
    const pages = await loaded(service);
    await walk(pages);
    pages.patch(service.write(idOf(140), 9_000), true);
    expect(idsOf(pages)).toEqual(service.listed());
    const closed = close(service, idOf(7));
    pages.patch(closed, true);
    pages.patch(service.put({ ...closed, status: 'awaiting_admin' }), true);
    expect(idsOf(pages)).toEqual(service.listed());
    expect(pages.pending).toEqual({ added: 0, moved: 0, isUncertain: false });
    expect(pages.rowAt(pages.positionOf(idOf(7)))).toMatchObject({ status: 'awaiting_admin' });
  });

  test('does not move what others have changed', async () => {
    const service = new FakeService(50);
    const pages = await loaded(service);
    pages.patch(service.write(idOf(20), 9_000));
    pages.patch(close(service, idOf(7)), true);
    expect(idsOf(pages)).toEqual(
      Array.from({ length: 50 }, (_, i) => idOf(i)).filter((id) => id !== idOf(7)),
    );
    expect(pages.pending).toMatchObject({ added: 0, moved: 1 });
  });

  test('of any kind and number leaves the list as a reload would show it', async () => {
    const change = fc.record({ at: fc.nat(219), kind: fc.constantFrom('close', 'open', 'write') });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 20 }), fc.nat(200), async (changes, from) => {
        const service = new FakeService(220);
        const pages = await loaded(service);
        await walk(pages);
        for (const [n, { at, kind }] of changes.entries()) {
          const ticket =
            kind === 'write'
              ? service.write(idOf(at), 9_000 + n)
              : service.put({
                  ...service.tickets.get(idOf(at))!,
                  status: kind === 'close' ? 'closed' : 'awaiting_admin',
                });
          pages.patch(ticket, true);
        }
        expect(idsOf(pages)).toEqual(service.listed());
        expect(pages.pending).toMatchObject({ added: 0, moved: 0 });
        pages.show(from, from + 20);
        await settled();
        for (let position = from; position < Math.min(from + 20, pages.count); position++)
          expect(pages.rowAt(position)?.id).toBe(pages.idAt(position));
      }),
      { numRuns: 50 },
    );
  });
});
