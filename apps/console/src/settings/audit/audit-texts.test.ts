import type { AuditEntry } from '@firmdesk/contract';
import { expect, test } from 'vitest';
import { describeAction, describeActor, toCsv, toJsonLines } from './audit-texts.ts';

const entry: AuditEntry = {
  object: 'audit_event',
  id: 1,
  created_at: '2026-11-21T09:30:00.000Z',
  actor: { kind: 'account', id: 'usr_1', name: '=cmd("x"), Ann' },
  network: '192.0.2.0/24',
  action: 'user.permissions_changed',
  target: { type: 'user', id: 'usr_2', name: 'Ben' },
  before: null,
  after: { permissions: ['view_tickets'] },
};

test('entries are described in words', () => {
  expect(describeAction(entry.action)).toBe('User: permissions changed');
  expect(describeActor({ ...entry, actor: { kind: 'system', id: null, name: null } })).toBe('Firmdesk');
});

test('an export quotes values, and a spreadsheet runs none as a formula', () => {
  expect(toCsv([entry]).split('\r\n')[1]).toBe(
    `2026-11-21T09:30:00.000Z,account,usr_1,"'=cmd(""x""), Ann",192.0.2.0/24,user.permissions_changed,user,usr_2,,"{""permissions"":[""view_tickets""]}"`,
  );
  expect(JSON.parse(toJsonLines([entry]).trim())).toEqual(entry);
});
