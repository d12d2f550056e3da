import { type BusinessHours, type Report, type Weekday, weekdays } from '@firmdesk/contract';
import { createTag, createTeam, createUser } from '@firmdesk/testing';
import {
  createTicketFixture,
  createUserWithToken,
  suiteGateway,
  ticketCalls,
} from '@firmdesk/testing/gateway';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eraseAccount } from '../app/accounts/erase-account.ts';
import { newContext } from '../platform/database/transaction.ts';
import { countFirm, readReportSettings } from './count-firm.ts';
import { fillTickets } from './testing/fill-tickets.ts';
import { recount } from './testing/recount.ts';

const DAY_MS = 86_400_000;
const gateway = await suiteGateway();
const { services, clock } = gateway;
const { pool } = services;

const target = { first_response_minutes: 60, resolution_minutes: 240 };
const none = { first_response_minutes: null, resolution_minutes: null };
const targets = {
  urgent: { first_response_minutes: 30, resolution_minutes: 120 },
  high: target,
  normal: target,
  low: none,
};
/** Business hours with a pause, in a zone. */
const office = (timezone: string): BusinessHours => ({
  timezone,
  week: Object.fromEntries(
    weekdays.map((day, i) => [
      day,
      i < 5
        ? [
            { from: '09:00', to: '12:30' },
            { from: '13:00', to: '17:45' },
          ]
        : [],
    ]),
  ) as BusinessHours['week'] & Record<Weekday, never>,
  holidays: [],
});
const day = (at: number) => new Date(at).toISOString().slice(0, 10);

/** A firm with agents, teams, tags, macros and traders of several languages. */
async function openDesk() {
  const fixture = await createTicketFixture(gateway, [
    'view_tickets',
    'manage_tickets',
    'manage_assistant',
    'view_reports',
  ]);
  const { firm, agent, trader, token } = fixture;
  const { call } = ticketCalls(gateway, () => token);
  const colleague = await createUser(services, { firm, permissions: ['view_tickets', 'manage_tickets'] });
  const traders = [
    trader,
    await createUser(services, { firm, role: 'trader' }),
    await createUser(services, { firm, role: 'trader' }),
  ];
  await pool.query(
    `insert into trader_profiles (workspace_id, user_id, language, data, layout, updated_at)
     values ($1, $2, 'pt-BR', '{}', '[]', now()), ($1, $3, 'de', '{}', '[]', now())`,
    [firm.id, traders[0]!.id, traders[1]!.id],
  );
  const macros: string[] = [];
  for (const name of ['Hello', 'Bye']) {
    const body = { name, texts: [{ language: 'en', text: name }] };
    macros.push((await gateway.rpc('macros.create', { token, body })).data.id);
  }
  const articles: string[] = [];
  for (const title of ['Payouts', 'Fees']) {
    const body = { title, text: title };
    articles.push((await gateway.rpc('knowledge.create', { token, body })).data.id);
  }
  const desk = {
    workspaceId: firm.id,
    traders: traders.map(({ id }) => id),
    agents: [agent.id, colleague.id],
    teams: [await createTeam(services, { firm }), await createTeam(services, { firm })],
    tags: [await createTag(services, { firm }), await createTag(services, { firm })],
    macros,
    articles,
  };
  const report = async (input: object): Promise<Report> => {
    const answer = await gateway.rpc('reports.get', { token, body: input });
    expect(answer.status, answer.text).toBe(200);
    return answer.data;
  };
  /** Compares a report with a recount of the tickets. */
  const expectEqual = async (from: string, until: string, team: number | null = null) => {
    const shown = await report({ from, until, ...(team !== null && { team: String(team) }) });
    const settings = await readReportSettings(newContext(services), firm.id);
    const { counted, ofKind, scoresOf } = await recount(pool, firm.id, { from, until, team, ...settings });
    const { current } = shown;
    const byKey = (rows: readonly { count: number }[], key: string) =>
      Object.fromEntries(
        rows
          .filter(({ count }) => count > 0)
          .map((row) => [String((row as Record<string, unknown>)[key] ?? 0), row.count]),
      );
    const positive = (object: unknown) =>
      Object.fromEntries(Object.entries((object ?? {}) as object).filter(([, n]) => n > 0));
    expect({
      ...counted,
      days: positive(counted['days']),
      tags: positive(counted['tags']),
      macros: positive(counted['macros']),
      articles: positive(counted['articles']),
      languages: positive(counted['languages']),
      teams: positive(counted['teams']),
      agents: positive(counted['agents']),
    }).toEqual({
      created: current.created,
      hours: shown.hours,
      weekdays: shown.weekdays,
      days: positive(Object.fromEntries(shown.days.map((each) => [each.day, each.created]))),
      tags: byKey(shown.tags, 'id'),
      languages: byKey(shown.languages, 'language'),
      teams: byKey(shown.teams, 'id'),
      macros: byKey(shown.macros, 'id'),
      articles: byKey(shown.articles, 'id'),
      agents: Object.fromEntries(
        shown.agents.filter(({ replies }) => replies > 0).map(({ id, replies }) => [id, replies]),
      ),
      scores: current.scores,
      ended: current.ended,
      ended_by_assistant: current.ended_by_assistant,
      ended_after_handover: current.ended_after_handover,
      assistant_answers: current.assistant_answers,
      replies: current.replies,
      resolution_met: current.resolution.met,
      resolution_missed: current.resolution.missed,
      first_response_met: current.first_response.met,
      first_response_missed: current.first_response.missed,
    });
    expect(current.first_response).toMatchObject(ofKind('first_response'));
    expect(current.resolution).toMatchObject(ofKind('resolution'));
    expect(current.reply_time).toEqual(ofKind('reply_time'));
    for (const { id, reply_time, scores } of shown.agents) {
      expect(reply_time).toEqual(ofKind('agent', id));
      expect([id, scores]).toEqual([id, scoresOf[id] ?? [0, 0, 0, 0, 0]]);
    }
    return shown;
  };
  return { ...fixture, call, desk, report, expectEqual, traders };
}

test('a report equals a recount by plain SQL, also after late changes', async () => {
  const zone = fc.constantFrom(null, 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu');
  await fc.assert(
    fc.asyncProperty(zone, zone, fc.nat(), async (first, second, seed) => {
      const opened = await openDesk();
      const { firm, call, desk, expectEqual, traders } = opened;
      const setZone = (name: string | null) =>
        call('serviceTargets.set', { targets, hours: name === null ? null : office(name) });
      await setZone(first);
      const now = clock.now();
      await fillTickets(pool, desk, { count: 200, days: 50, until: now, seed });
      await countFirm(services, firm.id);
      const [from, until] = [day(now.getTime() - 30 * DAY_MS), day(now.getTime())];
      const before = await expectEqual(from, until);
      expect(before.current.created).toBeGreaterThan(50);
      await expectEqual(from, until, desk.teams[0]);
      // The period before is compared as it is shown.
      const length = Date.parse(until) - Date.parse(from) + DAY_MS;
      const previous = await opened.report({
        from: day(Date.parse(from) - length),
        until: day(Date.parse(from) - DAY_MS),
      });
      expect(before.previous).toEqual(previous.current);

      await changeLate(opened, seed);
      // The next night all days are counted again.
      clock.advance(DAY_MS);
      await countFirm(services, firm.id);
      const after = await expectEqual(from, until);
      expect(after.current).not.toEqual(before.current);
      await setZone(second);
      await countFirm(services, firm.id);
      await expectEqual(from, until);
      await eraseAccount(services, traders[1]!.email, { actor: { kind: 'operator', id: 'test' } });
      await countFirm(services, firm.id, { isRecount: true });
      await expectEqual(from, until, desk.teams[1]);
    }),
    { numRuns: 2 },
  );
});

/** Merges, reopens, deletes, tags and reassigns tickets of any days. */
async function changeLate({ firm, call, desk, trader }: Awaited<ReturnType<typeof openDesk>>, seed: number) {
  const { rows } = await pool.query<{ id: string; trader_id: string; status: string }>(
    'select id, trader_id, status from tickets where workspace_id = $1 order by md5(id || $2)',
    [firm.id, String(seed)],
  );
  const [into, merged] = rows.filter(
    ({ trader_id, status }) => trader_id === trader.id && status === 'awaiting_admin',
  );
  await call('merge', { ticket: merged!.id, into: into!.id });
  const ended = rows.filter(({ status }) => status === 'resolved').map(({ id }) => id);
  await pool.query(
    `update tickets set status = 'awaiting_admin', closed_at = null where workspace_id = $1 and id = any($2)`,
    [firm.id, ended.slice(0, 10)],
  );
  await pool.query('delete from tickets where workspace_id = $1 and id = any($2)', [
    firm.id,
    ended.slice(10, 20),
  ]);
  await call('setTags', { ticket: ended[20]!, tags: [desk.tags[0]!] });
  await pool.query('update tags set deleted_at = now() where workspace_id = $1 and id = $2', [
    firm.id,
    desk.tags[1],
  ]);
  await pool.query(
    'update tickets set team_id = $3, assignee_id = null where workspace_id = $1 and id = any($2)',
    [firm.id, ended.slice(20, 30), desk.teams[1]],
  );
}

test('counts what happened since the last time, without another night', async () => {
  const { firm, call, createTicket, agent, expectEqual, desk } = await openDesk();
  await countFirm(services, firm.id);
  const ticket = await createTicket({
    messages: [{ body: 'Where?' }],
    createdAt: clock.now(),
    team: desk.teams[0]!,
  });
  clock.advance(60_000);
  await call('reply', { ticket, body: 'Here.', macros: [desk.macros[0]!] });
  await call('setStatus', { ticket, status: 'resolved' });
  await countFirm(services, firm.id);
  const today = day(clock.now().getTime());
  const shown = await expectEqual(day(Date.parse(today) - DAY_MS), today);
  expect(shown.current).toMatchObject({ created: 1, replies: 1, ended: 1 });
  expect(shown.macros).toMatchObject([{ name: 'Hello', count: 1, previous: 0 }]);
  expect(shown.agents).toMatchObject([{ id: agent.id, replies: 1 }]);
  // Nothing is counted twice.
  await Promise.all([countFirm(services, firm.id), countFirm(services, firm.id)]);
  await expectEqual(today, today);
});

test('a list that a figure opens has as many tickets as the figure says', async () => {
  const opened = await openDesk();
  const { firm, call, desk } = opened;
  await call('serviceTargets.set', { targets, hours: office('America/St_Johns') });
  const now = clock.now();
  await fillTickets(pool, desk, { count: 400, days: 20, until: now, seed: 7 });
  await changeLate(opened, 7);
  await pool.query('update trader_profiles set language = null where workspace_id = $1 and user_id = $2', [
    firm.id,
    desk.traders[1],
  ]);
  await pool.query(`update users set language = '' where id = $1`, [desk.traders[1]]);
  await countFirm(services, firm.id, { isRecount: true });
  const report = await opened.report({
    from: day(now.getTime() - 14 * DAY_MS),
    until: day(now.getTime() - 2 * DAY_MS),
  });
  const first = report.days[0]!.starts_at;
  const listed = async (filter: object) => {
    let count = 0;
    let starting_after: string | undefined;
    do {
      const page = await call('search', { snoozed: 'all', limit: 100, ...filter, starting_after });
      count += page.data.length;
      starting_after = page.meta.next_cursor ?? undefined;
    } while (starting_after !== undefined);
    return count;
  };
  const created = (filter: object) => listed({ created: `${first}..${report.ends_at}`, ...filter });
  for (const [hour, count] of report.hours.entries())
    expect([hour, await created({ hour: String(hour) })]).toEqual([hour, count]);
  for (const [i, weekday] of ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].entries())
    expect([weekday, await created({ weekday })]).toEqual([weekday, report.weekdays[i]]);
  expect(report.languages.map(({ language }) => language).sort()).toEqual(['', 'en', 'pt']);
  for (const { language, count } of report.languages)
    expect([language, await created({ language: language || 'none' })]).toEqual([language, count]);
  for (const { id, count } of report.tags) expect(await created({ tag: String(id) })).toBe(count);
  for (const { id, count } of report.teams) expect(await created({ team: String(id ?? 'none') })).toBe(count);
  expect(await created({ language: '-pt,en', weekday: '-mon' })).toBeGreaterThan(0);
  const period = `${first}..${report.ends_at}`;
  const ended = { ended: period };
  expect(await listed(ended)).toBe(report.current.ended);
  for (const { id, ended: count } of report.agents)
    expect(await listed({ ...ended, assignee: id })).toBe(count);

  const { current } = report;
  expect(await listed({ ...ended, ended_by: 'assistant' })).toBe(current.ended_by_assistant);
  expect(await listed({ ...ended, ended_by: 'handover' })).toBe(current.ended_after_handover);
  expect(await listed({ ...ended, ended_by: '-assistant,handover' })).toBe(
    current.ended - current.ended_by_assistant - current.ended_after_handover,
  );
  for (const result of ['met', 'missed'] as const) {
    expect(await listed({ ...ended, sla: `resolution_${result}` })).toBe(current.resolution[result]);
    expect(await listed({ first_reply: period, sla: `first_response_${result}` })).toBe(
      current.first_response[result],
    );
  }
  expect(await listed({ first_reply: period })).toBe(current.first_response.count);
  const sum = (scores: readonly number[]) => scores.reduce((total, each) => total + each, 0);
  expect(await listed({ rated: period })).toBe(sum(current.scores));
  for (const { id, scores } of report.agents)
    expect(await listed({ rated: period, assignee: id })).toBe(sum(scores));

  // Replies are counted, and open their tickets.
  const repliedIn = async (condition: string, value: string | null = null) => {
    const { rows } = await pool.query<{ tickets: number; replies: number }>(
      `select count(distinct ticket_id)::integer as tickets, count(*)::integer as replies from ticket_messages
       where workspace_id = $1 and not internal and created_at >= $2 and created_at < $3 and $4::text is not distinct from $4
         and ${condition}`,
      [firm.id, first, report.ends_at, value],
    );
    return rows[0]!;
  };
  const figures: [filter: object, replies: number, condition: string, value?: string][] = [
    [{ replied_by: 'team' }, current.replies, `from_kind = 'admin'`],
    [{ replied_by: 'assistant' }, current.assistant_answers, `from_kind = 'ai'`],
    ...report.agents.map(({ id, replies }): (typeof figures)[number] => [
      { replied_by: id },
      replies,
      `from_kind = 'admin' and author_id = $4`,
      id,
    ]),
    ...report.macros.map(({ id, count }): (typeof figures)[number] => [
      { macro: id },
      count,
      '$4 = any(macro_ids)',
      id,
    ]),
    ...report.articles.map(({ id, count }): (typeof figures)[number] => [
      { article: id },
      count,
      '$4 = any(article_ids)',
      id,
    ]),
  ];
  expect(figures).toHaveLength(8);
  for (const [filter, replies, condition, value] of figures) {
    const expected = await repliedIn(condition, value);
    expect(expected.tickets).toBeGreaterThan(0);
    expect([filter, await listed({ replied: period, ...filter }), replies]).toEqual([
      filter,
      expected.tickets,
      expected.replies,
    ]);
  }
  // Without the period, and without the macro.
  const [macro] = desk.macros;
  const all = await listed({});
  expect((await listed({ macro })) + (await listed({ macro: `-${macro}` }))).toBe(all);
  // One reply has all that is chosen.
  const [agent] = desk.agents;
  const { rows } = await pool.query(
    `select distinct ticket_id from ticket_messages where workspace_id = $1 and not internal and $2 = any(macro_ids) and author_id = $3`,
    [firm.id, macro, agent],
  );
  expect(await listed({ macro, replied_by: agent })).toBe(rows.length);
});

test('refuses days outside of the years that have four digits with those around them', async () => {
  const { token } = await createUserWithToken(gateway, { permissions: ['view_reports'] });
  for (const [from, until] of [
    ['0000-01-01', '0000-01-02'],
    ['0001-01-01', '0001-01-02'],
    ['9999-12-30', '9999-12-31'],
  ])
    expect(await gateway.rpc('reports.get', { token, body: { from, until } })).toMatchObject({
      status: 400,
      code: 'validation_failed',
    });
});
