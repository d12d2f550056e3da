import { type Macro, macroTextIn, macroValues } from '@firmdesk/contract';
import { describe, expect, test } from 'vitest';
import { asDraftMacros, replyFields, withMacro } from './draft-macros.ts';
import { fillText, variableIn } from './fill-macro.ts';
import { findMacros } from './find-macros.ts';

const macro = (over: Partial<Macro> = {}): Macro => ({
  object: 'macro',
  id: 'mac_000001',
  name: 'Payout sent',
  team: null,
  texts: [{ language: 'en', text: 'Hello.' }],
  actions: { add_tags: [], status: null, priority: null, assignee: null },
  used: 0,
  last_used_at: null,
  ...over,
});
const trader = { id: 'usr_1', name: 'Tess Trader', email: 't@example.com', avatar_url: null, deleted: false };
const ticket = { number: '#4X7Q2M', subject: 'Payout', trader };

describe('the text of a macro', () => {
  test('is in the trader’s language, else in the same one of another region, else the first', () => {
    const texts = ['en', 'pt-BR', 'de'].map((language) => ({ language, text: language }));
    const languages = ['de', 'pt-br', 'pt-PT', 'de-AT', 'fr', ''];
    expect(languages.map((language) => macroTextIn({ texts }, language).text)).toEqual([
      ...['de', 'pt-BR', 'pt-BR', 'de', 'en', 'en'],
    ]);
  });

  test('has its variables filled, and keeps those without a value as they are written', () => {
    const text =
      '{{ trader.first_name }}, {{trader.name}}: {{ticket.id}} {{ticket.subject}} {{firm.name}} {{agent.first_name}}';
    expect(fillText(text, macroValues(ticket, 'Ada Able', 'Northgate'))).toBe(
      'Tess, Tess Trader: #4X7Q2M Payout Northgate Ada',
    );
    const gone = macroValues({ ...ticket, trader: { ...trader, deleted: true } }, 'Ada', 'Northgate');
    expect(fillText(text, gone)).toContain('{{ trader.first_name }}, {{trader.name}}: #4X7Q2M');
    expect(variableIn(fillText(text, gone))).toBe('{{ trader.first_name }}');
    expect(variableIn('{{other}} text')).toBeNull();
  });

  test('is not filled a second time by a value', () => {
    const values = macroValues({ ...ticket, subject: '{{agent.name}}' }, 'Ada', 'Northgate');
    expect(fillText('{{ticket.subject}}', values)).toBe('{{agent.name}}');
  });
});

test('macros are found by their name first, then by their text', () => {
  const macros = [
    macro({ id: 'mac_1', name: 'Delay', texts: [{ language: 'de', text: 'Ihre Auszahlung kommt spät' }] }),
    macro({ id: 'mac_2', name: 'Auszahlung erledigt' }),
    macro({ id: 'mac_3', name: 'Other' }),
  ];
  const found = (search: string) => findMacros(macros, search).map(({ id }) => id);
  expect(found('ausz')).toEqual(['mac_2', 'mac_1']);
  expect(found('spat ausz')).toEqual(['mac_1']);
  expect(found('')).toEqual(['mac_1', 'mac_2', 'mac_3']);
});

describe('the changes of a draft', () => {
  test('are joined when a second macro is inserted', () => {
    const first = macro({ actions: { add_tags: [1], status: 'resolved', priority: 'low', assignee: 'me' } });
    const second = macro({
      id: 'mac_000002',
      actions: { add_tags: [1, 2], status: 'closed', priority: null, assignee: null },
    });
    const joined = withMacro(withMacro(null, first, 'usr_me'), second, 'usr_me');
    const expected = {
      macros: ['mac_000001', 'mac_000002'],
      actions: { add_tags: [1, 2], status: 'closed', priority: 'low', assignee: 'usr_me' },
    };
    expect(replyFields(joined)).toEqual(expected);
    expect(replyFields(asDraftMacros(JSON.parse(JSON.stringify(joined))))).toEqual(expected);
    expect(replyFields(withMacro(null, macro(), 'usr_me'))).toEqual({ macros: ['mac_000001'] });
  });

  test('that are malformed in the browser’s storage are dropped', () => {
    for (const stored of [undefined, null, 'x', {}, { ids: 1 }, { ids: [], actions: null }])
      expect(asDraftMacros(stored)).toBeNull();
  });
});
