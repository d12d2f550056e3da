import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

const css = await readFile(new URL('styles.css', import.meta.url), 'utf8');
/** The colours in the light and the dark theme, by name. */
const colours = new Map(
  [...css.matchAll(/--color-([a-z-]+): (?:light-dark\((#\w{6}), (#\w{6})\)|(#\w{6}));/g)].map(
    ([, name, light, dark, both]) => [name!, { light: light ?? both!, dark: dark ?? both! }],
  ),
);

const plain = ['text', 'muted', 'accent', 'danger', 'warning', 'success'];
const surfaces = ['canvas', 'surface', 'raised', 'hover', 'selected'];
/** Texts, and the colours on which they stand. */
const pairs: [string, string][] = [
  ...plain.flatMap((text) => surfaces.map((surface): [string, string] => [text, surface])),
  ...['danger', 'warning', 'success'].flatMap((name): [string, string][] => [
    [name, `${name}-surface`],
    ['text', `${name}-surface`],
  ]),
  ...['note', 'ai'].flatMap((name): [string, string][] => [
    [`${name}-text`, name],
    ['text', name],
  ]),
  ['on-accent', 'accent-solid'],
];

// axe does not judge texts over images, below others or in motion.
test.each(['light', 'dark'] as const)('all text has a contrast of 4.5 in the %s theme', (theme) => {
  const low = pairs
    .map(([text, surface]) => [
      `${text} on ${surface}`,
      contrast(colours.get(text)![theme], colours.get(surface)![theme]),
    ])
    .filter(([, ratio]) => Number(ratio) < 4.5);
  expect(low).toEqual([]);
});

/** The contrast of two colours, as WCAG 2.2 defines it. */
function contrast(one: string, other: string): number {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
