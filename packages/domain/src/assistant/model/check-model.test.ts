import { type Behaviour, type FakeOpenAiServer, startFakeOpenAiServer } from '@firmdesk/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkModel } from './check-model.ts';

const KEY = 'sk-secret-0123456789';
const VERSION = 'query-secret';
let model: FakeOpenAiServer;
beforeAll(async () => {
  model = await startFakeOpenAiServer();
});
afterAll(() => model[Symbol.asyncDispose]());

const check = (baseUrl = `${model.baseUrl}?key=${VERSION}`, timeoutMs?: number) =>
  checkModel({ baseUrl, apiKey: KEY, model: 'm' }, timeoutMs);
const json = (value: unknown) => [{ raw: JSON.stringify(value) }];
const TOO_FEW = 'Could not finish the message because max_tokens or model output limit was reached.';

test.each<[Behaviour, string]>([
  [{ kind: 'reply', words: ['Yes', '.'] }, 'answered “Yes.”'],
  [{ kind: 'reply', words: ['Yes'], finish: 'length' }, 'answered “Yes”'],
  [
    { kind: 'script', steps: [{ delta: { reasoning: 'x' } }, { finish: 'length' }], close: 'open' },
    'answered',
  ],
  [{ kind: 'script', steps: [{ text: 'Yes' }, { done: true }], close: 'open' }, 'answered “Yes”'],
  [{ kind: 'script', steps: [{ text: 'x'.repeat(1_000) }], close: 'open' }, `answered “${'x'.repeat(200)}…”`],
  [
    { kind: 'script', status: 400, steps: json({ error: { message: TOO_FEW } }) },
    'answered that it needs more than one token',
  ],
])('says what a model answered: %j', async (behaviour, detail) => {
  model.behave(behaviour);
  expect(await check()).toEqual({ ok: true, detail: `m at ${model.baseUrl} ${detail}` });
  const { max_tokens, max_completion_tokens = max_tokens, stream } = model.requests.at(-1)!.body;
  expect([max_completion_tokens, stream]).toEqual([1, true]);
});

test.each<[Behaviour, string]>([
  [
    { kind: 'script', status: 404, steps: json({ error: 'no model m' }) },
    'answered with status 404: “{"error":"no model m"}”',
  ],
  [{ kind: 'script', status: 404, steps: [] }, 'answered with status 404'],
  [{ kind: 'script', status: 503, steps: [{ raw: 'a\n\u202e\tb' }] }, 'answered with status 503: “a b”'],
  [
    { kind: 'script', status: 401, steps: json(`wrong key ${KEY.slice(0, 9)}`) },
    'answered with status 401: ASSISTANT_API_KEY is rejected by ASSISTANT_BASE_URL',
  ],
  [
    { kind: 'script', status: 400, steps: json(`${KEY} and ${VERSION}`) },
    'answered with status 400: “"*** and ***"”',
  ],
  [
    { kind: 'script', steps: [{ event: { detail: `no ${KEY}` } }] },
    'answered with an error: “{"detail":"no ***"}”',
  ],
  [
    { kind: 'script', steps: json({ message: 'out of memory' }) },
    'answered with an error: “{"message":"out of memory"}”',
  ],
  [
    { kind: 'script', steps: [{ raw: '<!doctype html>' }] },
    'answered, but not as `/chat/completions` of an OpenAI-compatible API does',
  ],
  [
    { kind: 'script', steps: [{ raw: 'data: {oops\n\n' }] },
    'answered, but not as `/chat/completions` of an OpenAI-compatible API does',
  ],
])('says what is wrong with a model, without secrets: %j', async (behaviour, detail) => {
  const before = model.requests.length;
  model.behave(behaviour);
  expect(await check()).toEqual({ ok: false, detail: `m at ${model.baseUrl} ${detail}` });
  expect(model.requests.length - before).toBe(1);
});

test('does not wait for an endpoint that is silent or away', async () => {
  for (const steps of [[], [{ raw: ': alive\n\n' }]]) {
    model.behave({ kind: 'script', steps, close: 'open' });
    expect(await check(undefined, 300)).toEqual({
      ok: false,
      detail: `m at ${model.baseUrl} did not answer in time`,
    });
  }
  const away = await startFakeOpenAiServer();
  await away[Symbol.asyncDispose]();
  expect(await check(away.baseUrl)).toEqual({
    ok: false,
    detail: `m at ${away.baseUrl} cannot be reached: ECONNREFUSED`,
  });
});

test('tries a parameter that the endpoint refuses the other way', async () => {
  const refuses = { parameter: 'max_tokens', status: 400, body: { error: { param: 'max_tokens' } } };
  model.behave({ kind: 'script', steps: [{ text: 'Yes' }, { finish: 'length' }], refuses });
  expect((await check()).ok).toBe(true);
  expect(model.requests.at(-1)!.body).toMatchObject({ max_completion_tokens: 1 });
});
