import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { OWN_PREFIXES, variables } from './config.ts';

const page = readFileSync(new URL('../../../docs/operations/configuration.md', import.meta.url), 'utf8');
const [intro, ...lists] = page.split('\n## ')[0]!.split('\n\n**');
const bullets = lists.join('\n').split(/^- /m).slice(1);
/** Names of variables that other programs define. */
const FOREIGN = /^(AWS|OTEL|PG)_?/;

/** The names that a bullet is about, and what it says about their default, in order. */
const described = bullets.flatMap((bullet) => {
  const head = bullet.split(/\):|:\s/)[0]!;
  const names = [...`${head})`.replaceAll(/\([^()]*\)/g, '').matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(
    ([, name]) => name!,
  );
  const defaults = [...`${head})`.matchAll(/\(([^()]*)\)/g)].flatMap(([, text]) => text!.split(', '));
  return names.map((name, at) => ({
    name,
    default: defaults.length === names.length ? defaults[at]! : null,
  }));
});

test('the page about configuration describes each variable once, and no other', () => {
  const names = described.map(({ name }) => name);
  expect(names.toSorted()).toEqual(Object.keys(variables).toSorted());
  const mentioned = [...page.matchAll(/`([A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9])[`=]/g)].map(([, name]) => name!);
  expect(mentioned.filter((name) => !(name in variables) && !FOREIGN.test(name))).toEqual([]);
});

test('it states the default of each variable that has a value by default', () => {
  const defaults = z.object(variables).parse({});
  for (const { name, default: stated } of described) {
    const value = defaults[name as keyof typeof defaults];
    const isPlain = typeof value === 'number' || (typeof value === 'string' && !value.includes('://'));
    if (isPlain && value !== '') expect([name, stated?.replaceAll('`', '')]).toEqual([name, String(value)]);
  }
});

test('it lists the prefixes with which an unknown variable is refused', () => {
  const listed = [...intro!.matchAll(/`([A-Z]+(?:_[A-Z]+)*_)`/g)].map(([, prefix]) => prefix!);
  const prefixes = OWN_PREFIXES.source.match(/[A-Z]+(?:_[A-Z]+)*_/g)!;
  expect(listed.toSorted()).toEqual(prefixes.toSorted());
});
