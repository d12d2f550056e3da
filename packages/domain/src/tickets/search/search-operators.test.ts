import { type CreateTicketInput, createTicket, createUser, type TestUser } from '@firmdesk/testing';
import { createUserWithToken, type Firm, suiteGateway, ticketCalls } from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';

const gateway = await suiteGateway();
const { services } = gateway;
let firm: Firm;
let user: TestUser;
let token: string;
let trader: TestUser;
const { call, rpc } = ticketCalls(gateway, () => token);

beforeEach(async () => {
  ({ firm, user, token } = await createUserWithToken(gateway, {
    permissions: ['view_tickets', 'manage_tickets'],
  }));
  trader = await createUser(services, { firm, role: 'trader', name: 'Zoë Trader' });
});

const create = (subject: string, over: Partial<CreateTicketInput> = {}) => {
  gateway.clock.advance(1_000);
  return createTicket(services, { firm, trader, subject, ...over });
};
const subjects = async (filter: object): Promise<string[]> =>
  (await call('search', { sort: 'created_at', ...filter })).data.map(
    ({ subject }: { subject: string }) => subject,
  );
const say = (...bodies: string[]) => ({ messages: bodies.map((body) => ({ body })) });

describe('search texts', () => {
  test('find a phrase as it is written, also folded, in one message, the subject or the name', async () => {
    await create('Split', say('My wire', 'transfer is late', 'the transfer of the wire'));
    await create('Whole', say('The Wíre \n transfer is late'));
    await create('wire transfer');
    expect(await subjects({ q: '"wire transfer"' })).toEqual(['Whole', 'wire transfer']);
    expect(await subjects({ q: 'wire transfer' })).toHaveLength(3);
    expect(await subjects({ q: '"zoe trad"' })).toHaveLength(3);
    expect(await subjects({ q: '"wire transfer" late' })).toEqual(['Whole']);
    expect(await subjects({ q: '"100%_"' })).toEqual([]);
  });

  test('exclude words and phrases', async () => {
    await create('Bonus', say('about the first deposit'));
    await create('Plain', say('the deposit came first'));
    await create('Other');
    expect(await subjects({ q: '-bonus' })).toEqual(['Plain', 'Other']);
    expect(await subjects({ q: 'deposit -"first deposit"' })).toEqual(['Plain']);
    expect(await subjects({ q: '-deposit' })).toEqual(['Other']);
    expect(await subjects({ q: '-zoe' })).toEqual([]);
  });

  test('take little time in messages that have thousands of marks above and below a letter', async () => {
    const marks = `a${'\u0301'.repeat(9_900)}${'\u0323'.repeat(9_900)}`;
    const before = process.cpuUsage();
    await create('Marks', say(...Array.from({ length: 15 }, () => `the late ${marks} transfer`)));
    await create('Plain', say('the late transfer'));
    expect(await subjects({ q: '"late transfer"' })).toEqual(['Plain']);
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
  });

  test('compare at most some 20,000 tickets with a phrase, and then say what to do', async () => {
    const add = (from: number, to: number) =>
      services.pool.query(
        `insert into tickets (workspace_id, id, trader_id, subject, status, last_message_at, trader_wrote_at, created_at, search_text)
         select $1::int, 'tkt_' || lpad($1::int::text, 6, '0') || lpad(n::text, 20, '0'), $2, 'late payout', 'open', now(), now(), now(),
           'late payout'
         from generate_series($3::int, $4::int) n`,
        [firm.id, trader.id, from, to],
      );
    await add(1, 20_000);
    expect(await subjects({ q: '-"late payout"' })).toEqual([]);
    await add(20_001, 20_200);
    const { code, status, body } = await rpc('search', { q: '-"late payout"' });
    expect([code, status]).toEqual(['unavailable', 503]);
    expect(gateway.log.lines.splice(0).filter(({ level }) => level === 'error')).toMatchObject([
      { message: 'call failed', fields: { procedure: 'tickets.search', code: 'unavailable' } },
    ]);
    expect(JSON.stringify(body)).toContain('Add a less common word or another filter.');
  });

  test('read the messages of tickets part by part, and at most 20,000', async () => {
    const [ticket] = [await create('Long'), await create('Short', say('the wire transfer'))];
    const add = (from: number, to: number, body: string) =>
      services.pool.query(
        `insert into ticket_messages (workspace_id, id, ticket_id, from_kind, author, body, created_at, search_text, search_pending)
         select $1, 'msg_' || lpad($1::int::text, 6, '0') || lpad(n::text, 20, '0'), $2, 'trader', 'Zoë Trader', $3, now(), 'the transfer wire', true
         from generate_series($4::int, $5::int) n`,
        [firm.id, ticket, body, from, to],
      );
    await add(1, 19_998, 'the transfer by wire');
    expect(await subjects({ q: '"wire transfer"' })).toEqual(['Short']);
    await add(19_999, 19_999, 'the wire transfer');
    expect(await subjects({ q: '"wire transfer"' })).toEqual(['Long', 'Short']);
    await services.pool.query('delete from ticket_messages where ticket_id = $1 and body = $2', [
      ticket,
      'the wire transfer',
    ]);
    await add(20_000, 20_003, 'the transfer by wire');
    const { code, body } = await rpc('search', { q: '"wire transfer"' });
    expect(code).toBe('unavailable');
    gateway.log.lines.splice(0);
    expect(JSON.stringify(body)).toContain('Add a less common word or another filter.');
  });

  test('are combined with the id of a trader', async () => {
    const other = await createUser(services, { firm, role: 'trader' });
    await create('Mine', say('wire transfer'));
    await create('Card', say('card'));
    await create('Theirs', { trader: other, ...say('wire transfer') });
    expect(await subjects({ q: `${trader.id} "wire transfer"` })).toEqual(['Mine']);
    expect(await subjects({ q: `${trader.id} -wire` })).toEqual(['Card']);
  });

  test('are read page by page without gaps or repetitions', async () => {
    for (let i = 0; i < 12; i++)
      await create(`Case ${i}`, say(i % 2 === 0 ? 'a wire transfer' : 'a transfer by wire'));
    const found: string[] = [];
    let starting_after: string | undefined;
    do {
      const page = await call('search', {
        q: '"wire transfer"',
        limit: 2,
        sort: 'created_at',
        starting_after,
      });
      found.push(...page.data.map(({ subject }: { subject: string }) => subject));
      starting_after = page.meta.next_cursor ?? undefined;
    } while (starting_after);
    expect(found).toEqual(['Case 0', 'Case 2', 'Case 4', 'Case 6', 'Case 8', 'Case 10']);
  });
});

describe('filters', () => {
  test('from: words of the trader’s name or address', async () => {
    const kim = await createUser(services, { firm, role: 'trader', name: 'Kim Doe' });
    await create('From Zoë', say('kim asked'));
    await create('From Kim', { trader: kim });
    expect(await subjects({ from: 'kim' })).toEqual(['From Kim']);
    expect(await subjects({ from: 'ZOE trader' })).toEqual(['From Zoë']);
    expect(await subjects({ from: kim.email })).toEqual(['From Kim']);
    expect(await subjects({ from: 'kim', q: 'nothing' })).toEqual([]);
  });

  test('before and after: days in the time zone of the account', async () => {
    await services.pool.query(`update users set timezone = 'Asia/Tokyo' where id = $1`, [user.id]);
    // In Tokyo it is the 2nd from 15:00 UTC of the 1st.
    await create('First', { lastMessageAt: new Date('2026-03-01T14:59:59Z') });
    await create('Second', { lastMessageAt: new Date('2026-03-01T15:00:00Z') });
    expect(await subjects({ before: '2026-03-02' })).toEqual(['First']);
    expect(await subjects({ after: '2026-03-02' })).toEqual(['Second']);
    expect(await subjects({ after: '2026-03-01', before: '2026-03-03' })).toHaveLength(2);
    // The first and the last day of ISO 8601, and a zone that PostgreSQL does not know.
    for (const timezone of ['Pacific/Kiritimati', 'Etc/GMT+12', 'SystemV/AST4']) {
      await services.pool.query('update users set timezone = $2 where id = $1', [user.id, timezone]);
      expect(await subjects({ after: '0000-01-01', before: '9999-12-31' })).toHaveLength(2);
      expect(await subjects({ before: '0000-01-01' })).toEqual([]);
    }
  });

  test('has: a message with an image', async () => {
    await create('Without', say('look'));
    const ticket = await create('With');
    await call('reply', { ticket, body: 'Look.', image_url: 'https://example.com/a.png' });
    expect(await subjects({ has: 'attachment' })).toEqual(['With']);
  });

  test('is: unread messages', async () => {
    await create('Read');
    await create('Unread', { unread: 2, ...say('one', 'two') });
    expect(await subjects({ is: 'unread' })).toEqual(['Unread']);
    expect(await subjects({ is: 'unread', q: 'two' })).toEqual(['Unread']);
  });

  test.each([
    { before: '2026-02-30' },
    { after: 'yesterday' },
    { has: 'legs' },
    { is: 'lost' },
    { from: ' ' },
    { q: 'x'.repeat(101) },
  ])('reject %j', async (filter) => {
    expect(await rpc('search', filter)).toMatchObject({ code: 'validation_failed', status: 400 });
  });
});
