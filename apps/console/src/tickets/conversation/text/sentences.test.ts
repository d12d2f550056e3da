import { expect, test } from 'vitest';
import { completeSentences } from './sentences.ts';

test('returns a sentence once another one follows or the text is final', () => {
  expect(completeSentences('Hello there. I look in', false)).toEqual({
    sentences: ['Hello there.'],
    units: 13,
  });
  expect(completeSentences('Hello there.', false).sentences).toEqual([]);
  expect(completeSentences('Hello there.', true).sentences).toEqual(['Hello there.']);
});
