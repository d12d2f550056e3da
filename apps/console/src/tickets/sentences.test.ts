import { expect, test } from 'vitest';
import { completeSentences } from './sentences.ts';

test('a sentence is whole once another follows it, or the text is final', () => {
  expect(completeSentences('Hello there. I look in', false)).toEqual({
    sentences: ['Hello there.'],
    units: 13,
  });
  expect(completeSentences('Hello there.', false).sentences).toEqual([]);
  expect(completeSentences('Hello there.', true).sentences).toEqual(['Hello there.']);
});
