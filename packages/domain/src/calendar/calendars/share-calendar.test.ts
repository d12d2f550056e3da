import { createCalendar, createEvents, createUser, createWorkspace, type TestUser } from '@firmdesk/testing';
import {
  calendarCalls,
  createUserWithToken,
  type Firm,
  meeting,
  suiteGateway,
} from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';

const gateway = await suiteGateway();
let firm: Firm;
let me: TestUser;
let colleague: TestUser;
let token: string;
let theirs: string;
let calendar: number;

beforeEach(async () => {
  ({ firm, user: me, token } = await createUserWithToken(gateway));
  ({ user: colleague, token: theirs } = await createUserWithToken(gateway, { firm }));
  calendar = await createCalendar(gateway.services, { firm, owner: me });
});

const { call, done, refused, create } = calendarCalls(gateway, () => ({ token, calendar }));
const share = (level: 'busy' | 'read' | 'write' | null) =>
  done('share', { calendar_id: calendar, user_id: colleague.id, level });

describe('access levels', () => {
  test('busy and read allow no change, read allows own reminders, write allows changes, and only the owner shares', async () => {
    const id = await create();
    const change = () => refused('change', { id, title: 'x' }, theirs);
    const remove = () => refused('delete', { id }, theirs);
    const add = () => refused('create', { calendar_id: calendar, ...meeting }, theirs);
    const remind = () => refused('remind', { id, reminders: [] }, theirs);
    const pass = () =>
      refused('share', { calendar_id: calendar, user_id: colleague.id, level: 'write' }, theirs);
    for (const attempt of [change, remove, add, remind, pass])
      expect(await attempt()).toBe('resource_not_found');
    await share('busy');
    for (const attempt of [change, remove, add, remind, pass]) expect(await attempt()).toBe('forbidden');
    await share('read');
    for (const attempt of [change, remove, add, pass]) expect(await attempt()).toBe('forbidden');
    expect(await remind()).toBe(null);
    await share('write');
    expect(await pass()).toBe('forbidden');
    for (const attempt of [change, add, remove]) expect(await attempt()).toBe(null);
    await share(null);
    expect(await add()).toBe('resource_not_found');
  });

  test('rejects a share with the owner, an unknown account and an account of another firm', async () => {
    const userOfOtherFirm = await createUser(gateway.services, {
      firm: await createWorkspace(gateway.services),
    });
    for (const user_id of [userOfOtherFirm.id, me.id, 'usr_00000000000000000000000000'])
      expect(await refused('share', { calendar_id: calendar, user_id, level: 'read' })).toBe(
        'validation_failed user_id',
      );
  });

  test('ids of another firm look exactly like nonexistent ones', async () => {
    const other = await createWorkspace(gateway.services);
    const far = await createCalendar(gateway.services, {
      firm: other,
      owner: me,
      shares: [{ user: colleague, level: 'write' }],
    });
    const [id] = await createEvents(gateway.services, [{ calendar_id: far }]);
    for (const bearer of [token, theirs]) {
      for (const [name, body] of [
        ['change', { id, title: 'x' }],
        ['delete', { id }],
        ['answer', { id, response: 'accepted' }],
        ['remind', { id, reminders: [] }],
        ['create', { calendar_id: far, ...meeting }],
        ['share', { calendar_id: far, user_id: colleague.id, level: 'read' }],
      ] as const) {
        const missing = await call(
          name,
          { ...body, ...('id' in body ? { id: 999_999 } : { calendar_id: 999_999 }) },
          bearer,
        );
        const foreign = await call(name, body, bearer);
        expect([foreign.status, foreign.code]).toEqual([missing.status, missing.code]);
        expect(foreign.code).toBe('resource_not_found');
      }
    }
  });

  test('lists the accessible calendars with their access level', async () => {
    await share('read');
    const own = await createCalendar(gateway.services, { firm, owner: colleague });
    expect(await done('calendars', {}, theirs)).toMatchObject([
      { id: own, level: 'owner', owner: { id: colleague.id } },
      { id: calendar, level: 'read', owner: { id: me.id } },
    ]);
  });
});
