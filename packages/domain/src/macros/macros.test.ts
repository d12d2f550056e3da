import { MAX_MACROS, type Macro, type MacroFile, type MacroStreamEvent } from '@firmdesk/contract';
import { createTag, createTeam, createUser, dismiss, type TestUser, unique } from '@firmdesk/testing';
import { createUserWithToken, type Firm, follow, suiteGateway } from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';

const gateway = await suiteGateway();
const { services } = gateway;
let firm: Firm;
let user: TestUser;
let token: string;
let agent: { user: TestUser; token: string };

beforeEach(async () => {
  ({ firm, user, token } = await createUserWithToken(gateway, {
    permissions: ['view_tickets', 'manage_tickets', 'manage_assistant'],
  }));
  agent = await createUserWithToken(gateway, { firm, permissions: ['view_tickets', 'manage_tickets'] });
});

const rpc = (procedure: string, body: object = {}, as = token) =>
  gateway.rpc(`macros.${procedure}`, { token: as, body });
const call = async (procedure: string, body: object = {}, as = token) => {
  const answer = await rpc(procedure, body, as);
  expect(answer.code, answer.text).toBeNull();
  return answer.data;
};
const english = (text = 'Hello {{trader.name}}.') => [{ language: 'en', text }];
const create = (over: object = {}): Promise<Macro> =>
  call('create', { name: unique('Macro'), texts: english(), ...over });
const names = async (as = token, body: object = {}): Promise<string[]> =>
  (await call('list', body, as)).data.map(({ name }: Macro) => name);

describe('macros', () => {
  test('are created, replaced, moved, listed by page and deleted, and colleagues see each change', async () => {
    using stream = await follow<MacroStreamEvent>(gateway.url, { token: agent.token }, (trpc, handlers) =>
      trpc.macros.live.subscribe({}, handlers),
    );
    const tag = await createTag(services, { firm });
    const team = await createTeam(services, { firm, members: [user] });
    const texts = [...english(), { language: 'pt-BR', text: 'Olá {{ agent.first_name }}' }];
    const first = await create({
      name: ' First ',
      team,
      texts,
      actions: { add_tags: [tag], status: 'resolved', priority: 'high', assignee: agent.user.id },
    });
    expect(first).toMatchObject({
      object: 'macro',
      name: 'First',
      team: { id: team },
      texts,
      actions: { add_tags: [tag], status: 'resolved', priority: 'high', assignee: agent.user.id },
      used: 0,
      last_used_at: null,
    });
    const second = await create({ name: 'Second' });
    const third = await create({ name: 'Third' });
    await call('move', { id: third.id, before: first.id });
    await call('move', { id: first.id, before: null });
    expect(await names()).toEqual(['Third', 'Second', 'First']);
    const page = await call('list', { limit: 2 });
    expect(page.meta.has_more).toBe(true);
    expect(await names(token, { starting_after: page.meta.next_cursor })).toEqual(['First']);
    const changed = await call('update', { id: second.id, name: 'second', texts: english('Hi') });
    expect(changed).toMatchObject({ name: 'second', texts: english('Hi'), actions: { add_tags: [] } });
    expect(await call('delete', { id: second.id })).toEqual({ object: 'macro_deleted', id: second.id });
    expect(await names()).toEqual(['Third', 'First']);
    await expect
      .poll(() => stream.events.map(({ data }) => data.type))
      .toEqual(Array(7).fill('macros.changed'));
  });

  test('of a team are usable by its members, and listed for everybody', async () => {
    const team = await createTeam(services, { firm, members: [user] });
    await create({ name: 'Firm' });
    await create({ name: 'Team', team });
    expect(await names(token, { usable: true })).toEqual(['Firm', 'Team']);
    expect(await names(agent.token, { usable: true })).toEqual(['Firm']);
    expect(await names(agent.token)).toEqual(['Firm', 'Team']);
  });

  test('are changed and exported only with the permission of the assistant’s settings', async () => {
    const { id } = await create();
    const body = { name: 'Other', texts: english() };
    for (const [procedure, input] of [
      ['create', body],
      ['update', { id, ...body }],
      ['move', { id, before: null }],
      ['delete', { id }],
      ['export', {}],
      ['import', { format: 'firmdesk-macros', version: 1, macros: [] }],
    ] as const)
      expect((await rpc(procedure, input, agent.token)).code, procedure).toBe('forbidden');
  });

  test('leave out a tag that was deleted and an agent who has left', async () => {
    const tag = await createTag(services, { firm });
    await create({ actions: { add_tags: [tag], assignee: agent.user.id } });
    await services.pool.query('update tags set deleted_at = now() where workspace_id = $1 and id = $2', [
      firm.id,
      tag,
    ]);
    await dismiss(services, agent.user);
    const { data } = await call('list');
    expect(data[0].actions).toEqual({ add_tags: [], status: null, priority: null, assignee: null });
  });

  test('with an invalid field are refused, and the error names the field', async () => {
    await create({ name: 'Taken' });
    const elsewhere = await createUserWithToken(gateway);
    const tag = await createTag(services, { firm: elsewhere.firm });
    const team = await createTeam(services, { firm: elsewhere.firm, members: [] });
    const trader = await createUser(services, { firm, role: 'trader' });
    const path = async (over: object) => {
      const answer = await rpc('create', { name: unique('Macro'), texts: english(), ...over });
      expect([answer.code, answer.fields?.length], answer.text).toEqual(['validation_failed', 1]);
      return [answer.fields![0]!.path, answer.fields![0]!.message];
    };
    const unknown = await path({ texts: english('Hello {{trader.nam}}') });
    expect(unknown[0]).toBe('texts[0].text');
    expect(unknown[1]).toContain('unknown variable "{{trader.nam}}"');
    expect(unknown[1]).toContain('trader.first_name');
    expect(await path({ name: 'TAKEN ' })).toEqual(['name', '"name" is the name of another macro.']);
    expect((await path({ team }))[0]).toBe('team');
    expect((await path({ actions: { add_tags: [tag] } }))[0]).toBe('actions.add_tags[0]');
    expect((await path({ actions: { assignee: trader.id } }))[0]).toBe('actions.assignee');
    expect((await path({ texts: [] }))[0]).toBe('texts');
    expect((await path({ texts: [...english(), ...english()] }))[0]).toBe('texts');
    expect((await path({ texts: english('x'.repeat(5_001)) }))[0]).toBe('texts[0].text');
    const languages = ['en', 'de', 'fr', 'it', 'es'];
    const long = languages.map((language) => ({ language, text: 'x'.repeat(4_001) }));
    expect((await path({ texts: long }))[0]).toBe('texts');
    expect((await path({ name: 'x'.repeat(101) }))[0]).toBe('name');
  });
});

describe('a file of macros', () => {
  const file = (macros: object[]) => ({ format: 'firmdesk-macros', version: 1, macros });

  test('is imported by another firm, with its teams, tags and agents of the same name', async () => {
    const tag = await createTag(services, { firm, name: 'Refund' });
    const team = await createTeam(services, { firm, name: 'Payments', members: [] });
    const actions = { add_tags: [tag], status: 'closed', priority: 'low', assignee: user.id };
    await create({ name: 'Paid', team, actions });
    await create({ name: 'Mine', actions: { assignee: 'me' } });
    const exported: MacroFile = await call('export');
    expect(exported.macros).toEqual([
      {
        name: 'Paid',
        team: 'Payments',
        texts: english(),
        actions: { add_tags: ['Refund'], status: 'closed', priority: 'low', assignee: user.email },
      },
      {
        name: 'Mine',
        team: null,
        texts: english(),
        actions: { add_tags: [], status: null, priority: null, assignee: 'me' },
      },
    ]);
    const other = await createUserWithToken(gateway, {
      permissions: ['view_tickets', 'manage_tickets', 'manage_assistant'],
    });
    const refused = await rpc('import', exported, other.token);
    expect(refused.fields?.map(({ path }) => path)).toEqual(['macros[0].team']);
    expect(await names(other.token)).toEqual([]);
    exported.macros[0]!.actions.assignee = other.user.email;
    await createTag(services, { firm: other.firm, name: 'Refund' });
    await createTeam(services, { firm: other.firm, name: 'Payments', members: [] });
    expect(await call('import', exported, other.token)).toEqual({
      object: 'macros_imported',
      created: 2,
      updated: 0,
    });
    expect(await call('export', {}, other.token)).toEqual(exported);
  });

  test('replaces macros of the same name in their place, and none if one is invalid', async () => {
    await create({ name: 'One' });
    await create({ name: 'Two' });
    const macros = [
      { name: 'ONE', texts: english('New') },
      { name: 'Three', texts: english() },
    ];
    expect(await call('import', file(macros))).toMatchObject({ created: 1, updated: 1 });
    expect(await names()).toEqual(['ONE', 'Two', 'Three']);
    const twice = await rpc(
      'import',
      file([
        { name: 'Four', texts: english() },
        { name: 'four', texts: english() },
      ]),
    );
    expect(twice.fields?.map(({ path }) => path)).toEqual(['macros[1].name']);
    const unknown = await rpc('import', file([{ name: 'Four', texts: english('{{x}}') }]));
    expect(unknown.fields?.map(({ path }) => path)).toEqual(['macros[0].texts[0].text']);
    expect((await rpc('import', { ...file([]), version: 2 })).code).toBe('validation_failed');
    expect(await names()).toEqual(['ONE', 'Two', 'Three']);
  });

  test('has at most as many macros as a firm, which has at most 500', async () => {
    const macros = Array.from({ length: MAX_MACROS }, (_, index) => ({
      name: `Macro ${index}`,
      texts: english(),
    }));
    expect((await rpc('import', file([...macros, { name: 'More', texts: english() }]))).code).toBe(
      'validation_failed',
    );
    expect(await call('import', file(macros))).toMatchObject({ created: MAX_MACROS });
    expect((await rpc('create', { name: 'More', texts: english() })).code).toBe('macro_limit_reached');
    expect((await rpc('import', file([{ name: 'More', texts: english() }]))).code).toBe(
      'macro_limit_reached',
    );
    expect(await call('import', file(macros))).toMatchObject({ created: 0, updated: MAX_MACROS });
  });
});
