import { createTag, createTeam, createTicket, createUser, type TestUser } from '@firmdesk/testing';
import { createTicketFixture, type Firm, suiteGateway, ticketCalls } from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';
import { receiveTraderMessage, withTransaction } from '../../index.ts';

const gateway = await suiteGateway();
const { services } = gateway;
let firm: Firm;
let trader: TestUser;
let token: string;
const { call, get, codeOf } = ticketCalls(gateway, () => token);

beforeEach(async () => {
  ({ firm, trader, token } = await createTicketFixture(gateway, ['view_tickets', 'manage_tickets']));
});

const ended = (over: Partial<Parameters<typeof createTicket>[1]> = {}) =>
  createTicket(services, { firm, trader, subject: 'Late payout', status: 'resolved', ...over });
const start = (follows: string, over: object = {}) => ({
  to: trader.email,
  subject: 'Late payout',
  body: 'One more thing.',
  kind: 'reply',
  follows,
  ...over,
});

describe('a follow-up', () => {
  test('of an agent has the trader, the tags and the team of the ended ticket, and both show each other', async () => {
    const tags = [await createTag(services, { firm }), await createTag(services, { firm })];
    const team = await createTeam(services, { firm });
    const earlier = await ended({ tags, team });
    const { ticket } = await call('start', start(earlier));
    expect(ticket).toMatchObject({
      status: 'awaiting_trader',
      trader: { id: trader.id },
      team: { id: team },
    });
    expect(ticket.tags.map(({ id }: { id: number }) => id).sort()).toEqual(tags.sort());
    expect((await get(ticket.id)).links).toMatchObject([
      { id: earlier, relation: 'follows', status: 'resolved' },
    ]);
    expect((await get(earlier)).links).toMatchObject([{ id: ticket.id, relation: 'followed_by' }]);
    expect(await get(earlier)).toMatchObject({ status: 'resolved', tags: [{}, {}] });
    const other = await createTeam(services, { firm });
    expect((await call('start', start(earlier, { team: other }))).ticket.team.id).toBe(other);
  });

  test('is opened when the trader writes to an ended ticket', async () => {
    const earlier = await ended();
    const write = () =>
      withTransaction(services, (ctx) =>
        receiveTraderMessage(ctx, {
          workspace: firm.slug,
          ticket: earlier,
          from: trader.email,
          body: 'Still nothing.',
          via_email: true,
        }),
      );
    const { opened, ticket } = await write();
    expect(opened).toBe(true);
    expect((await get(ticket.id)).links).toMatchObject([{ id: earlier, relation: 'follows' }]);
    // However often the trader writes.
    for (let i = 0; i < 51; i++) await write();
    expect((await get(earlier)).links).toHaveLength(50);
  });

  test('is of the same trader, and of a ticket of the firm', async () => {
    const someone = await createUser(services, { firm, role: 'trader' });
    const earlier = await ended();
    expect(await codeOf('start', start(earlier, { to: someone.email }))).toBe('validation_failed');
    const other = await createTicketFixture(gateway, ['view_tickets', 'manage_tickets']);
    const foreign = await createTicket(services, { firm: other.firm, trader: other.trader });
    for (const id of [foreign, `tkt_${'0'.repeat(26)}`])
      expect(await codeOf('start', start(id))).toBe('resource_not_found');
    expect((await get(earlier)).links).toEqual([]);
  });
});
