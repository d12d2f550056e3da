import type { StoredReplyDraft } from '@firmdesk/contract';
import { expect, test } from 'vitest';
import { contentOf, noContent, reconcileDraft } from './reconcile-draft.ts';

const stored = (text: string, version: string): StoredReplyDraft => ({
  object: 'reply_draft',
  ticket_id: 'tkt_example',
  mode: 'reply',
  text,
  html: null,
  image_url: '',
  image_name: '',
  macros: null,
  version,
  updated_at: '2026-11-22T10:00:00.000Z',
});
const local = (text: string) => ({ ...noContent, text });
const base = (text: string, version: string | null) => ({ ...noContent, text, version, changedAt: 0 });

const actions = { add_tags: [], status: null, priority: null, assignee: null };
const macros = { ids: ['mac_example'], actions };

test.each([
  ['nothing anywhere', local(''), null, null, 'same'],
  ['a first text here', local('A'), null, null, 'save'],
  ['a first text elsewhere', local(''), null, stored('A', '1'), 'adopt'],
  ['the same text on both', local('A'), null, stored('A', '1'), 'same'],
  ['a change here', local('AB'), base('A', '1'), stored('A', '1'), 'save'],
  ['a change elsewhere', local('A'), base('A', '1'), stored('AB', '2'), 'adopt'],
  ['changes on both', local('AX'), base('A', '1'), stored('AY', '2'), 'conflict'],
  ['first texts on both', local('X'), null, stored('Y', '1'), 'conflict'],
  ['deleted here', local(''), base('A', '1'), stored('A', '1'), 'save'],
  ['deleted or sent elsewhere', local('A'), base('A', '1'), null, 'adopt'],
  ['deleted elsewhere, changed here', local('AX'), base('A', '1'), null, 'save'],
  ['deleted here, changed elsewhere', local(''), base('A', '1'), stored('AY', '2'), 'adopt'],
  ['a macro inserted here', { ...local('A'), macros }, base('A', '1'), stored('A', '1'), 'save'],
] as const)('%s', (_name, here, common, elsewhere, step) => {
  expect(reconcileDraft(here, common, elsewhere)).toBe(step);
});

test('the content of no draft is empty', () => {
  expect(contentOf(null)).toEqual(noContent);
});
