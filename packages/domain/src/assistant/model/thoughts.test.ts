import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ThoughtFilter } from './thoughts.ts';

interface Filtered {
  /** What a viewer has in the end; null if the model did not end its thoughts. */
  text: string | null;
  /** All text that was shown at some time. */
  shown: string;
  resets: number;
  beganThinking: boolean;
}

function filter(pieces: readonly string[], beginsThinking = false): Filtered {
  const thoughts = new ThoughtFilter({ beginsThinking });
  let text = '';
  let shown = '';
  let resets = 0;
  for (const piece of pieces) {
    const found = thoughts.push(piece);
    if (found.isReset) {
      text = '';
      resets++;
    }
    text += found.text;
    shown += found.text;
  }
  const outcome = { shown, resets, beganThinking: thoughts.beganThinking };
  try {
    const last = thoughts.end();
    return { ...outcome, text: text + last, shown: shown + last };
  } catch {
    return { ...outcome, text: null };
  }
}

/** Marks of thoughts, and what models write around their replies. */
const pairs = [
  ['<think>', '</think>'],
  ['<THINK>', '</Think>'],
  ['< think >', '</ think >'],
  ['<think type="deep" id=1>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['<thoughts>', '</thoughts>'],
  ['<reasoning>', '</reasoning>'],
  ['<inner_thoughts>', '</inner_thoughts>'],
  ['<antThinking>', '</antThinking>'],
  ['<seed:think>', '</seed:think>'],
  ['<reason>', '</reason>'],
  ['<rationale>', '</rationale>'],
  ['<scratchpad>', '</scratchpad>'],
  ['<reflection>', '</reflection>'],
  ['<analysis>', '</analysis>'],
  ['[THINK]', '[/THINK]'],
  ['[reasoning]', '[/reasoning]'],
  ['[begin_thinking]', '[end_thinking]'],
  ['◁think▷', '◁/think▷'],
  ['<|think|>', '<|/think|>'],
  ['<|START_THINKING|>', '<|END_THINKING|>'],
  ['<|begin_of_thought|>', '<|end_of_thought|>'],
  ['<|thinking_start|>', '<|thinking_end|>'],
  ['<｜begin▁of▁thinking｜>', '<｜end▁of▁thinking｜>'],
  ['<unused94>', '<unused95>'],
  ['<|channel>thought\n', '<channel|>'],
  ['<|channel|>analysis<|message|>', '<|end|><|start|>assistant<|channel|>final<|message|>'],
] as const;

describe.each(pairs)('a thought between %s and %s', (open, close) => {
  test('is not in the reply, and was never shown', () => {
    for (const pieces of [
      [`${open}A secret.${close}Hello.`],
      [...`${open}A secret.${close}Hello.`],
      [`${open}`, 'A se', 'cret.', `${close}Hello.`],
    ]) {
      const { text, shown } = filter(pieces);
      expect([text, shown]).toEqual(['Hello.', 'Hello.']);
    }
    expect(filter([`Hello.${open}A secret.`]).text).toBe(null);
  });
});

test.each(pairs.slice(0, -1))('what is before a closing mark alone is a thought: %s%s', (_, close) => {
  const learned = filter(['A secret.', `${close}Hello.`]);
  expect(learned).toEqual({ text: 'Hello.', shown: 'A secret.Hello.', resets: 1, beganThinking: true });
  // Once it is known that the model does so, nothing of it is shown.
  expect(filter([...`A secret.${close}Hello.`], true)).toMatchObject({ text: 'Hello.', shown: 'Hello.' });
  expect(filter([...'Hello.'], true)).toMatchObject({ text: 'Hello.', beganThinking: false });
});

test('a mark that a thought mentions or nests does not end it', () => {
  const nested = '<think>a<think>b</think>secret</think>Hello.';
  expect(filter([...nested])).toMatchObject({ text: 'Hello.', shown: 'Hello.' });
  expect(filter(['<think>What is <think>?</think>Hello.']).text).toBe('Hello.');
  expect(filter(['<think>I must not write `</think>` here.</think>Hello.']).text).toBe('Hello.');
});

test('a thought that never ends is not held without a bound', () => {
  expect(filter(Array(1_000).fill('thinking '.repeat(100)), true).text).toBe(null);
});

test.each([
  'See [the terms](https://a.test), [1] and [think about it].',
  'Write to <thinking@desk.test> or <https://think.test/a>.',
  'Replace <name> and [reason], if 1 < 2 and 3 > 2.',
  '<Think Capital> is the name, a<b>c</b>, <3, [ ], <>, < think',
  'The mark `<think>` and its end `</think>` are shown.',
  'An unfinished <thi',
  '<'.repeat(500),
  `<think ${'x'.repeat(100)}>`,
])('is no mark: %j', (text) => {
  expect(filter([text])).toEqual({ text, shown: text, resets: 0, beganThinking: false });
  expect(filter([...text]).text).toBe(text);
});

test.each([
  ['Hello.<|im_end|>\n<|im_start|>user\nMore', 'Hello.'],
  ['Hello.<|eot_id|>', 'Hello.'],
  ['<|start_header_id|>assistant<|end_header_id|>Hello.<|eot_id|>', 'Hello.'],
  ['<|start_of_role|>assistant<|end_of_role|>Hello.', 'Hello.'],
  ['Hello.<｜end▁of▁sentence｜>More', 'Hello.'],
  ['<|START_RESPONSE|>Hello.<|END_RESPONSE|>', 'Hello.'],
  ['<|start|>assistant<|message|>Hello.<|return|>', 'Hello.'],
  ['<think/>Hello.', 'Hello.'],
])('other marks of a model’s format are not in the reply: %j', (text, reply) => {
  expect(filter([text]).text).toBe(reply);
  expect(filter([...text]).text).toBe(reply);
});

test('gives the same reply for any division of the text into pieces', () => {
  const part = fc.oneof(
    fc.constantFrom(...pairs.flat(), '`', '<', '[', '|>', '</', '\n', '<|im_end|>', '<|message|>', 'Hello. '),
    fc.string({ maxLength: 5 }),
  );
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 12 }).map((parts) => parts.join('')),
      fc.uniqueArray(fc.nat(200), { maxLength: 20 }),
      fc.boolean(),
      (text, cuts, beginsThinking) => {
        const edges = [0, ...cuts.sort((a, b) => a - b), Number.POSITIVE_INFINITY];
        const pieces = edges.slice(1).map((end, n) => text.slice(edges[n], end));
        const whole = filter([text], beginsThinking);
        const divided = filter(pieces, beginsThinking);
        expect([divided.text, divided.beganThinking]).toEqual([whole.text, whole.beganThinking]);
      },
    ),
    { numRuns: 1_000 },
  );
});
