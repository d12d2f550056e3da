import { expect, test } from 'vitest';
import { instructionOf, lengthOf } from './assistant-command.ts';

test('only what begins with /ai is for the assistant', () => {
  expect(instructionOf('/ai be brief')).toBe('be brief');
  expect(instructionOf('  /ai\nbe brief\n')).toBe('be brief');
  expect(instructionOf('/ai')).toBe('');
  expect(instructionOf('/air is free')).toBeNull();
  expect(instructionOf('see /ai be brief')).toBeNull();
});

test('an instruction is counted in characters, a message as the service counts it', () => {
  expect(lengthOf('/ai 👋👋')).toEqual({ length: 2, limit: 2_000 });
  expect(lengthOf('👋👋')).toEqual({ length: 4, limit: 20_000 });
});
