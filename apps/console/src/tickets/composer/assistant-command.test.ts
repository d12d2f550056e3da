import { expect, test } from 'vitest';
import { instructionOf, lengthOf } from './assistant-command.ts';

test('returns an instruction only for texts that begin with /ai', () => {
  expect(instructionOf('/ai be brief')).toBe('be brief');
  expect(instructionOf('  /ai\nbe brief\n')).toBe('be brief');
  expect(instructionOf('/ai')).toBe('');
  expect(instructionOf('/air is free')).toBeNull();
  expect(instructionOf('see /ai be brief')).toBeNull();
});

test('counts an instruction in code points and a message in UTF-16 units', () => {
  expect(lengthOf('/ai 👋👋')).toEqual({ length: 2, limit: 2_000 });
  expect(lengthOf('👋👋')).toEqual({ length: 4, limit: 20_000 });
});
