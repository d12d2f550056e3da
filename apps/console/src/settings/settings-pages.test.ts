import { permissions } from '@firmdesk/contract';
import { expect, test } from 'vitest';
import { findSettings, settingsFor } from './settings-pages.ts';

const labels = (shown: readonly { label: string }[]) => shown.map(({ label }) => label);

test('without permissions, the settings are those of the account', () => {
  const shown = settingsFor([], { isTest: false });
  expect(new Set(shown.map(({ group }) => group))).toEqual(new Set(['Your account']));
  expect(labels(settingsFor([], { isTest: true }))).not.toContain('Password');
});

test('settings are found by every word of a text, also by words that their names do not contain', () => {
  const shown = settingsFor(permissions, { isTest: false });
  expect(labels(findSettings(shown, ' RESPONSE business '))).toEqual(['SLA']);
  expect(labels(findSettings(shown, 'dark'))).toEqual(['This browser']);
  expect(findSettings(shown, 'dark sla')).toEqual([]);
  expect(findSettings(shown, '')).toEqual(shown);
});

test('every setting has a link of its own', () => {
  const links = settingsFor(permissions, { isTest: false }).map(({ to, hash }) => `${to}#${hash ?? ''}`);
  expect(new Set(links).size).toBe(links.length);
});
