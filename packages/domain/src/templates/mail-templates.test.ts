import {
  MAX_TEMPLATE_LANGUAGES,
  MAX_TEMPLATE_TEXT,
  mailTemplateKinds,
  mailTemplateVariables,
  unknownMailVariables,
} from '@firmdesk/contract';
import { createUserWithToken, suiteGateway } from '@firmdesk/testing/gateway';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newContext } from '../platform/database/transaction.ts';
import { defaultWordings, exampleValues } from './default-wordings.ts';
import { renderTemplate } from './mail-templates.ts';
import { renderWording } from './render-wording.ts';

const gateway = await suiteGateway();

const setUp = () =>
  createUserWithToken(gateway, { scopes: ['admin:read', 'admin:write'], permissions: ['manage_assistant'] });
const reservation = {
  firm_name: 'North',
  email: 'kim@example.com',
  referral_code: 'KIM',
  referral_url: 'https://firm.example/r/KIM',
  expires_at: null,
};
const wording = { kind: 'pre_registration', language: 'de', subject: 'Ihr Code', text: 'Hallo {{email}}' };

describe('a rendered mail', () => {
  test.each(mailTemplateKinds)('of the kind %s has all its values, as HTML and as text', (kind) => {
    expect(unknownMailVariables(kind, defaultWordings[kind].subject + defaultWordings[kind].text)).toEqual(
      [],
    );
    const mail = renderWording(defaultWordings[kind], 'en', exampleValues);
    expect(Object.values(mail).join()).not.toContain('{{');
    expect(mail.text).not.toContain('<');
  });

  test('shows values as text, whatever is in them', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'<>&"\'{}[]()*_`!#|\\ab:/\n ', 'javascript:', '{{email}}') }),
        (value) => {
          const wording = { subject: 's', text: 'A {{email}} *b* [c]({{referral_url}})' };
          const { html } = renderWording(wording, 'en', { email: value || 'x', referral_url: value || 'x' });
          const body = html.slice(html.indexOf('<div'));
          const tags = [...body.matchAll(/<[^>]*>/g)].map(([tag]) => tag).filter((tag) => tag !== '<br>');
          expect(tags.map((tag) => tag.replace(/=".*"/s, ''))).toEqual([
            '<div style>',
            '<p>',
            '<em>',
            '</em>',
            '<a href>',
            '</a>',
            '</p>',
            '</div>',
            '</body>',
            '</html>',
          ]);
          expect(body).not.toMatch(/href="javascript:/);
        },
      ),
    );
  });

  test('leaves a line out of which a variable has no value', () => {
    const mail = renderWording(
      { subject: 's', text: 'one\n\nuntil {{expires_at}}\n\ntwo' },
      'en',
      reservation,
    );
    expect(mail.text).toBe('one\n\ntwo');
  });

  test('does not show HTML of a wording as HTML, and loads no pictures', () => {
    const { html } = renderWording(
      { subject: 's', text: '<script>x</script> ![p](https://x.example/p.png)' },
      'en',
      {},
    );
    expect(html).not.toMatch(/<script|<img/);
  });
});

test.each([
  ['a table', `${'a|'.repeat(100)}\n${'-|'.repeat(100)}\n${'b|\n'.repeat(3_000)}`],
  ['lists', '- a\n'.repeat(2_500)],
  ['emphasis', '**a'.repeat(3_300)],
  ['links', '[a](b)'.repeat(1_600)],
])('%s of the longest wording make a mail of few times its length', (_, text) => {
  const { html } = renderWording({ subject: 's', text: text.slice(0, MAX_TEMPLATE_TEXT) }, 'en', {});
  expect(html.length).toBeLessThan(10 * MAX_TEMPLATE_TEXT);
});

test('an address of brackets takes no more time than its length needs', () => {
  const before = process.cpuUsage();
  renderWording({ subject: 's', text: `[a](${'{'.repeat(6 * MAX_TEMPLATE_TEXT)})` }, 'en', {});
  const { user, system } = process.cpuUsage(before);
  expect(user + system).toBeLessThan(3_000_000);
});

describe('a firm’s wording', () => {
  test('is in at most twenty languages, each of which can be changed and deleted', async () => {
    const { token } = await setUp();
    const save = (language: string) =>
      gateway.rpc('mailTemplates.save', { token, body: { ...wording, language } });
    for (let n = 0; n < MAX_TEMPLATE_LANGUAGES; n++)
      expect((await save(`de-x${String(n).padStart(2, '0')}`)).status).toBe(200);
    expect((await save('pt')).code).toBe('validation_failed');
    expect((await save('de-x00')).status).toBe(200);
    await gateway.rpc('mailTemplates.reset', { token, body: { kind: wording.kind, language: 'de-x01' } });
    expect((await save('pt')).status).toBe(200);
  });

  test('is used for its language, and the built-in one in English otherwise', async () => {
    const { firm, token } = await setUp();
    const subject = async (language: string) =>
      (await renderTemplate(newContext(gateway.services), 'pre_registration', firm, language, reservation))
        .subject;
    expect(await subject('de-AT')).toBe('North has reserved a referral code for you');
    const saved = await gateway.rpc('mailTemplates.save', { token, body: wording });
    expect(saved.data).toMatchObject({ ...wording, is_custom: true });
    expect(await subject('de-AT')).toBe('Ihr Code');
    const { data } = await gateway.rpc('mailTemplates.list', { token, body: {} });
    expect(
      data.templates.map(({ kind, language, is_custom }: Record<string, unknown>) => [
        kind,
        language,
        is_custom,
      ]),
    ).toEqual([
      ['pre_registration', 'en', false],
      ['pre_registration', 'de', true],
      ['ticket_reply', 'en', false],
      ['reminder', 'en', false],
      ['password_reset', 'en', false],
      ['member_invite', 'en', false],
      ['invitation', 'en', false],
      ['satisfaction', 'en', false],
      ['weekly_report', 'en', false],
    ]);
    const ref = { kind: 'pre_registration', language: 'de' };
    await gateway.rpc('mailTemplates.reset', { token, body: ref });
    expect(await subject('de')).toBe('North has reserved a referral code for you');
  });

  test('with an unknown variable is refused, with its place', async () => {
    const { token } = await setUp();
    const answer = await gateway.rpc('mailTemplates.save', {
      token,
      body: { ...wording, text: 'Hallo\n{{emial}}' },
    });
    expect(answer.code).toBe('validation_failed');
    expect(JSON.stringify(answer)).toContain('has the unknown variable \\"{{emial}}\\" in line 2');
    expect(JSON.stringify(answer)).toContain(mailTemplateVariables.pre_registration.join(', '));
  });

  test.each([
    ['https://evil.test/?to={{reset_url}}', false],
    ['[Reset](https://evil.test/?to={{reset_url}})', false],
    ['[Reset]({{reset_url}}.evil.test)', false],
    ['({{reset_url}})', false],
    ['{{reset_url}}@evil.test', false],
    ['https://evil.test/?to=[{{reset_url}}](https://evil.test)', false],
    ['https://evil.test/?to=\u{feff}{{reset_url}}', false],
    ['[{{ reset_url }}]({{reset_url}}) or {{reset_url}}.', true],
  ])('sends a person’s link nowhere else: %s', async (text, isAccepted) => {
    const { token } = await setUp();
    const body = { ...wording, kind: 'password_reset', subject: 'Hallo', text };
    const { code } = await gateway.rpc('mailTemplates.save', { token, body });
    expect(code).toBe(isAccepted ? null : 'validation_failed');
  });

  test.each([
    '[Reset](https://evil.test/?to=%7B%7Breset_url%7D%7D)',
    '[Reset](https://evil.test/?to=%7B%7B%20reset_url%20%7D%7D)',
    '[Reset](https://evil.test/?to=&#123;&#123;reset_url&#125;&#125;)',
    String.raw`[Reset](https://evil.test/?to=\{\{reset_url\}\})`,
    '[Reset](<https://evil.test/?to= {{reset_url}} >)',
    '[Reset][1]\n\n[1]: <https://evil.test/?to= {{reset_url}} >',
    'https://evil.test/?to=&#123;&#123;reset_url&#125;&#125;',
    String.raw`https://evil.test/?to=\{\{reset_url\}\}`,
    'https://evil.test/?to=[{{reset_url}}](https://evil.test)',
  ])('leads nowhere else with a person’s link, however Markdown writes it: %s', async (text) => {
    const { token, firm } = await setUp();
    const body = { ...wording, kind: 'password_reset', text };
    await gateway.rpc('mailTemplates.save', { token, body });
    const mail = await renderTemplate(newContext(gateway.services), 'password_reset', firm, 'de', {
      firm_name: 'North',
      name: 'Kim',
      reset_url: 'https://desk.test/reset-password#secret',
      expires_at: null,
    });
    for (const part of [mail.html, mail.text]) expect(part).not.toMatch(/evil\.test[^\s"<>[\]]*secret/);
  });

  test('can be shown before it is saved', async () => {
    const { token } = await setUp();
    const { data } = await gateway.rpc('mailTemplates.preview', { token, body: wording });
    expect(data).toMatchObject({ subject: 'Ihr Code', text: 'Hallo kim@example.com' });
  });
});
