import { readFile } from 'node:fs/promises';
import type { Ticket } from '@firmdesk/contract';
import { createTicket, createUser, createWorkspace, type TestUser } from '@firmdesk/testing';
import { createUserWithToken, type Firm, suiteGateway } from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';

/** Texts that people type differently, on several keyboards. */
const alike: { kind: string; forms: string[] }[] = JSON.parse(
  await readFile(new URL('search-folding.json', import.meta.url), 'utf8'),
);

type TicketInput = Omit<Parameters<typeof createTicket>[1], 'firm' | 'trader'> & { trader?: TestUser };

const gateway = await suiteGateway();
let firm: Firm;
let trader: TestUser;
let token: string;
let traders = 0;

beforeEach(async () => {
  ({ firm, token } = await createUserWithToken(gateway, {
    permissions: ['view_tickets'],
    scopes: ['admin:read'],
  }));
  trader = await createUser(gateway.services, { firm, role: 'trader' });
  // A name and an address that do not contain the short words of these tests.
  const plain = { id: trader.id, email: 'hh'.padEnd(3 + ++traders, 'h') };
  await gateway.services.pool.query("update users set name = 'Ann', email = $2 where id = $1", [
    plain.id,
    plain.email,
  ]);
  trader = plain;
});

const create = (over: TicketInput = {}) =>
  createTicket(gateway.services, { firm, trader, subject: 'Hello', ...over });
const createWith = (...bodies: string[]) => create({ messages: bodies.map((body) => ({ body })) });
const search = async (q: string, rest = '') => {
  const path = `GET /v1/admin/tickets?q=${encodeURIComponent(q)}${rest}`;
  const { status, body } = await gateway.request(path, { token });
  expect([q, status]).toEqual([q, 200]);
  return (body.data as Ticket[]).map(({ id }) => id);
};
const rename = (name: string) =>
  gateway.services.pool.query('update users set name = $2 where id = $1', [trader.id, name]);

describe('the searched texts (contract §4.7, rule 2)', () => {
  test('include subject, trader’s name and email, messages and internal notes', async () => {
    await rename('Ottilie Brandt');
    const id = await create({
      subject: 'Withdrawal pending',
      messages: [
        { body: 'My bank sees nothing' },
        { from: 'admin', body: 'Compliance asked for papers', internal: true },
      ],
    });
    await createTicket(gateway.services, {
      firm,
      trader: await createUser(gateway.services, { firm, role: 'trader' }),
      subject: 'Something else',
    });
    for (const q of ['withdrawal', 'ottilie', trader.email, 'sees', 'compliance', 'PAPERS']) {
      expect([q, await search(q)]).toEqual([q, [id]]);
    }
    expect(await search('unicorn')).toEqual([]);
  });

  test('must contain every word, in any order and field', async () => {
    await rename('Ottilie Brandt');
    const id = await create({
      subject: 'Withdrawal pending',
      messages: [{ body: 'no news' }, { body: 'two weeks' }],
    });
    const half = await create({ subject: 'Withdrawal done' });
    expect(await search('weeks withdrawal brandt news')).toEqual([id]);
    expect((await search('brandt withdrawal')).sort()).toEqual([id, half].sort());
    expect(await search('weeks withdrawal unicorn')).toEqual([]);
    expect(await search('weeks   \t weeks \u3000 weeks')).toEqual([id]);
  });

  test('match parts of words, but not across a space', async () => {
    const id = await createWith('The drawdown-limit was hit');
    for (const q of ['draw', 'down', 'n-l', 'drawdown-limit', 'wdown-lim', 'hit']) {
      expect([q, await search(q)]).toEqual([q, [id]]);
    }
    for (const q of ['limitwas', 'drawdownlimit', 'hits']) expect([q, await search(q)]).toEqual([q, []]);
  });

  test('combine with filters and pages', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) {
      const at = new Date(gateway.clock.now().getTime() - i * 1000);
      ids.push(
        await create({ createdAt: at, status: i % 2 ? 'closed' : 'open', messages: [{ body: 'payout' }] }),
      );
    }
    await createWith('another thing');
    expect(await search('payout', '&sort=-created_at&status=ended')).toEqual([ids[1], ids[3]]);
    const { body } = await gateway.request('GET /v1/admin/tickets?q=payout&sort=-created_at&limit=2', {
      token,
    });
    expect(body.meta.has_more).toBe(true);
    expect(await search('payout', `&sort=-created_at&starting_after=${body.meta.next_cursor}`)).toEqual(
      ids.slice(2),
    );
  });

  test('are those of the firm only', async () => {
    const other = await createWorkspace(gateway.services);
    const foreignTrader = await createUser(gateway.services, { firm: other, role: 'trader' });
    await createTicket(gateway.services, {
      firm: other,
      trader: foreignTrader,
      messages: [{ body: 'zephyranthes' }],
    });
    expect(await search('zephyranthes')).toEqual([]);
    const id = await createWith('zephyranthes');
    expect(await search('zephyranthes')).toEqual([id]);
  });
});

describe('folding', () => {
  test.each(alike)('$kind is found in each form', async ({ forms }) => {
    const ids = [];
    for (const form of forms)
      ids.push(await createWith(`before ${form} after`), await create({ subject: form }));
    for (const form of forms) expect([form, (await search(form)).sort()]).toEqual([form, ids.toSorted()]);
  });

  test.each([
    ['case', 'Payout REQUEST', 'pAYOUT request'],
    ['accents in the text', 'Señor Müller à Zürich', 'senor muller zurich'],
    ['accents in the query', 'Senor Muller', 'señor MÜLLER'],
    ['combining accents', 'cafe\u0301 re\u0301sume\u0301', 'café resume'],
    ['accents that are separate code points in the query', 'naïve', 'nai\u0308ve'],
    ['Turkish capitals', 'İSTANBUL ve ISPARTA', 'istanbul isparta'],
    ['Turkish dotless i', 'ılık ısparta', 'ILIK isparta'],
    ['Turkish, dotless in the query', 'Istanbul', 'ıstanbul'],
    ['sharp s', 'Straße', 'STRASSE'],
    ['sharp s in the query', 'STRASSE', 'straße'],
    ['capital sharp s', 'GROẞ', 'groß'],
    ['letters without a Unicode decomposition', 'Łódź Ørsted Đặng', 'lodz orsted dang'],
    ['ligatures', 'ﬁnance œuvre', 'finance oeuvre'],
    ['full-width forms', 'ＰＡＹ １２３', 'pay 123'],
    ['Greek final sigma', 'ΟΔΟΣ', 'οδός'],
    ['Cyrillic', 'Счёт', 'СЧЕТ'],
    ['invisible characters', 'pay\u00adout with\u200bdrawal', 'payout withdrawal'],
    ['superscripts', 'm²', 'm2'],
  ])('%s', async (_, text, q) => {
    const id = await createWith(text);
    expect(await search(q)).toEqual([id]);
    const [bySubject] = [await create({ subject: text })];
    expect((await search(q)).sort()).toEqual([id, bySubject].sort());
  });

  test.each([
    ['Japanese voicing marks are letters', 'がき', 'かき'],
    ['a vowel sign is a letter', 'कि', 'का'],
    ['katakana is not hiragana', 'カタカナ', 'かたかな'],
  ])('%s', async (_, text, q) => {
    const id = await createWith(text);
    expect(await search(text)).toEqual([id]);
    expect(await search(q)).toEqual([]);
  });
});

describe('words of any length and with any characters', () => {
  test.each([
    ['one letter', 'Option Q here', 'q'],
    ['one digit', 'Step 7', '7'],
    ['two letters', 'VX coupon', 'vx'],
    ['two letters inside a word', 'boxwood', 'xw'],
    ['two words of one and two letters', 'leverage 5 lots of UK', 'uk 5'],
    ['Chinese, one character', '今日は税金の話', '税'],
    ['Chinese, two characters', '请问我的提款在哪里', '提款'],
    ['Chinese, inside a long run', '请问我的提款在哪里', '的提款在'],
    ['Korean', '출금 요청', '요청'],
    ['Thai', 'ถอนเงินไม่ได้', 'เงิน'],
    ['Arabic', 'سحب الأرباح', 'الأرباح'],
    ['emoji', 'done 🎉🎉', '🎉'],
    ['emoji of several characters', 'family 👨‍👩‍👧 here', '👨‍👩‍👧'],
    ['punctuation alone', 'why ?!? no', '?!?'],
    ['percent', 'drawdown of 5%', '5%'],
    ['percent alone', '100 % sure', '%'],
    ['underscore', 'file_name.pdf', 'e_n'],
    ['underscore alone', 'snake_case', '_'],
    ['backslash', 'C:\\temp\\log', '\\temp'],
    ['backslash alone', 'a \\ b', '\\'],
    ['backslash before a wildcard', 'x\\%y', '\\%'],
    ['quotes', `it's "quoted"`, `t's "quo`],
    ['hash inside a word', 'c#major', 'c#m'],
    ['braces and commas', '{a,b}', '{a,b}'],
    ['a long word', `see ${'x1'.repeat(400)}`, 'x1'.repeat(50)],
    ['an email', 'write to jo.doe+x@firm.example', 'doe+x@firm'],
  ])('%s', async (_, text, q) => {
    const id = await createWith(text);
    await createWith('nothing of the kind');
    expect(await search(q)).toEqual([id]);
  });

  test('match wildcard characters literally', async () => {
    await createWith('drawdown of 50 percent', 'filexname', 'a b');
    for (const q of ['5%', 'file_name', 'd_awdown', 'draw%', '%', '_', '\\', 'a\\b', '___']) {
      expect([q, await search(q)]).toEqual([q, []]);
    }
  });

  test('find a short word that is part of more dictionary words than the limit', async () => {
    const words = Array.from({ length: 600 }, (_, i) => `k${i.toString(36)}z`);
    const [first, second] = [await createWith(words.join(' ')), await createWith('kz')];
    expect((await search('k')).sort()).toEqual([first, second].sort());
    expect(await search('k k2fz')).toEqual([first]);
    expect(await search('k unicorn')).toEqual([]);
  });

  test('must all match, also in a query of 36 words', async () => {
    const text = 'a b c d e f g h i j k l m n o p q r s t u v w x y z 0 1 2 3 4 5 6 7 8 9';
    const id = await createWith(text);
    await createWith(text.replace(' z', ''));
    expect(await search(text)).toEqual([id]);
  });
});

describe('ids and numbers (rules 1, 3 and 4)', () => {
  test('match a whole ticket or trader id exactly; an unknown id matches nothing', async () => {
    const [one, two] = [await create(), await create()];
    const other = await createTicket(gateway.services, {
      firm,
      trader: await createUser(gateway.services, { firm, role: 'trader' }),
      messages: [{ body: `see ${one} of ${trader.id}` }],
    });
    expect(await search(one)).toEqual([one]);
    expect(await search(`  ${one} `)).toEqual([one]);
    expect((await search(trader.id)).sort()).toEqual([one, two].sort());
    expect(await search(`tkt_${'0'.repeat(26)}`)).toEqual([]);
    expect(await search(`usr_${'0'.repeat(26)}`)).toEqual([]);
    // A part of an id is an ordinary word.
    expect(await search(one.slice(0, -1).slice(4))).toEqual([other]);
    expect(await search(`${one} see`)).toEqual([other]);
  });

  test('match a word of six letters and digits as number and as text', async () => {
    const numbered = await create({ id: `tkt_${'0'.repeat(20)}4x7q2m` });
    const mentioned = await createWith('I mean 4X7Q2M');
    await createWith('4X7Q2');
    for (const q of ['4x7q2m', '4X7Q2M'])
      expect((await search(q)).sort()).toEqual([numbered, mentioned].sort());
    expect(await search('4x7q2m hello')).toHaveLength(2);
    expect(await search('4x7q2m mean')).toEqual([mentioned]);
    expect(await search('4x7q2')).toHaveLength(2);
    expect(await search('4x7q2m unicorn')).toEqual([]);
  });

  test('match a word that starts with # against the start of the number only', async () => {
    const numbered = await create({ id: `tkt_${'0'.repeat(20)}abc123`, messages: [{ body: 'first' }] });
    const similar = await create({ id: `tkt_${'0'.repeat(20)}abd999` });
    await createWith('about #abc123 and #first and # and 5');
    expect(await search('#ABC123')).toEqual([numbered]);
    expect(await search('＃abc123')).toEqual([numbered]);
    expect((await search('#ab')).sort()).toEqual([numbered, similar].sort());
    expect(await search('#abc first')).toEqual([numbered]);
    expect(await search('#abd first')).toEqual([]);
    for (const q of [
      '#',
      '# first',
      '#first',
      '#bc123',
      '#abc1234',
      '#%',
      '#_',
      '#\\',
      '##abc',
      '#abc #abd',
    ]) {
      expect([q, await search(q)]).toEqual([q, []]);
    }
  });
});
