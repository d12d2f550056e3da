import { expect, test } from 'vitest';
import { languageName, regionName } from './display-names.ts';

test.each([
  ['pt-BR', 'Brazilian Portuguese'],
  ['qaa', 'qaa'],
  // The API takes these; browsers throw for them.
  ['eng-aa-bb', 'eng-aa-bb'],
  ['en-12345678-12345678', 'en-12345678-12345678'],
  ['', ''],
])('the language %s is called %s', (tag, name) => {
  expect(languageName(tag)).toBe(name);
});

test.each([
  ['DE', 'Germany'],
  ['QQ', 'QQ'],
  ['D1', 'D1'],
])('the country %s is called %s', (code, name) => {
  expect(regionName(code)).toBe(name);
});
