import {
  isChosen,
  type Ticket,
  ticketGroupStatuses,
  ticketGroups,
  ticketPriorities,
  ticketStatuses,
} from '@firmdesk/contract';
import { createTag, createTeam, createTicket, createUser } from '@firmdesk/testing';
import { createUserWithToken, suiteGateway, ticketCalls } from '@firmdesk/testing/gateway';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

const gateway = await suiteGateway();
const { services } = gateway;

describe('filters with several values', () => {
  test('select the tickets that have any of them, or none of those that are excluded', async () => {
    const { firm, user, token } = await createUserWithToken(gateway, { permissions: ['view_tickets'] });
    const { call } = ticketCalls(gateway, () => token);
    const trader = await createUser(services, { firm, role: 'trader' });
    const other = await createUser(services, { firm });
    const mine = await createTeam(services, { firm, members: [user] });
    const teams = [mine, await createTeam(services, { firm })];
    const tags = [await createTag(services, { firm }), await createTag(services, { firm })];
    const deleted = await createTag(services, { firm });
    for (let i = 0; i < 40; i++)
      await createTicket(services, {
        firm,
        trader,
        status: ticketStatuses[i % 5]!,
        priority: ticketPriorities[i % 4]!,
        ...(i % 3 > 0 && { assignee: [user, other][(i % 3) - 1]! }),
        ...(i % 7 > 1 && { team: teams[i % 2]! }),
        tags: [...tags, deleted].filter((_, n) => (i >> n) % 2 === 1),
        unread: i % 2,
      });
    await services.pool.query('update tags set deleted_at = now() where workspace_id = $1 and id = $2', [
      firm.id,
      deleted,
    ]);
    const all: Ticket[] = (await call('search', { limit: 100 })).data;
    expect(all).toHaveLength(40);
    const has: Record<string, (ticket: Ticket, value: string) => boolean> = {
      status: ({ status }, group) => ticketGroupStatuses[group as 'open'].includes(status),
      priority: ({ priority }, value) => priority === value,
      assignee: ({ assignee, team }, value) =>
        value === 'me'
          ? assignee?.id === user.id || team?.id === mine
          : value === 'none'
            ? assignee === null && team === null
            : assignee?.id === value,
      team: ({ team }, value) => String(team?.id ?? 'none') === value,
      tag: (ticket, value) => ticket.tags.some(({ id }) => String(id) === value),
      is: ({ unread }) => unread > 0,
    };
    const choice = (...values: readonly (string | number)[]) =>
      fc.option(
        fc
          .tuple(fc.boolean(), fc.uniqueArray(fc.constantFrom(...values.map(String)), { minLength: 1 }))
          .map(([isExcluded, chosen]) => `${isExcluded ? '-' : ''}${chosen.join(',')}`),
        { nil: undefined, freq: 1 },
      );
    const filters = fc.record({
      status: choice(...ticketGroups.filter((group) => group !== 'all')),
      priority: choice(...ticketPriorities),
      assignee: choice('me', 'none', user.id, other.id),
      team: choice('none', ...teams),
      tag: choice(...tags, deleted),
      is: choice('unread'),
    });
    await fc.assert(
      fc.asyncProperty(filters, async (filter) => {
        const expected = all.filter((ticket) =>
          Object.entries(filter).every(([name, text]) =>
            isChosen(text, (value) => has[name]!(ticket, value)),
          ),
        );
        const { data } = await call('search', { ...filter, limit: 100 });
        expect(data.map(({ id }: Ticket) => id)).toEqual(expected.map(({ id }) => id));
      }),
      { numRuns: 100 },
    );
  });

  test.each([
    { status: 'waiting,lost' },
    { status: '-all' },
    { status: 'waiting,' },
    { priority: '--low' },
    { team: 'none,-1' },
    { tag: Array.from({ length: 21 }, (_, i) => i + 1).join(',') },
    { assignee: 'anyone,me' },
    { has: 'attachment,legs' },
    { due: '60m,soon' },
    { priority: ['low', 'high'] },
    { created: '0000-01-01T00:00:00.000Z..2026-11-01T00:00:00.000Z' },
  ])('reject %j', async (filter) => {
    const { token } = await createUserWithToken(gateway, { permissions: ['view_tickets'] });
    const { rpc } = ticketCalls(gateway, () => token);
    expect(await rpc('search', filter)).toMatchObject({ code: 'validation_failed' });
  });
});
