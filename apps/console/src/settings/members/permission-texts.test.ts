import { permissions } from '@firmdesk/contract';
import { expect, test } from 'vitest';
import { describePermissions, permissionTexts, presets } from './permission-texts.ts';

test('every permission is explained, and presets have names', () => {
  expect(Object.keys(permissionTexts).sort()).toEqual([...permissions].sort());
  for (const { name, permissions: held } of presets)
    expect(describePermissions(held.toReversed())).toBe(name);
  expect(describePermissions([])).toBe('No permissions');
  expect(describePermissions(['view_audit'])).toBe('View the audit log');
  expect(describePermissions(['view_audit', 'view_risk'])).toBe('2 permissions');
});
