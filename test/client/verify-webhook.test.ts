/** `verifyWebhook` accepts what is signed as Standard Webhooks says, and nothing else. */
import { verifyWebhook } from '@firmdesk/client';
import { expect, test } from 'vitest';

// The example of the specification's own libraries.
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const body = '{"test": 2432232314}';
const headers = {
  'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  'webhook-timestamp': '1614265330',
  'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};
const any = { secret, toleranceSeconds: Number.POSITIVE_INFINITY };

test('accepts a signature among others, from the headers of Node and of the web', async () => {
  const several = {
    ...headers,
    'webhook-signature': `v2,x v1,${'A'.repeat(43)}= ${headers['webhook-signature']}`,
  };
  for (const one of [headers, new Headers(headers), several])
    expect(await verifyWebhook(body, one, any)).toEqual({ test: 2432232314 });
});

test.each([
  ['another body', `${body} `, headers, any, 'no signature'],
  ['another id', body, { ...headers, 'webhook-id': 'msg_1' }, any, 'no signature'],
  ['another time', body, { ...headers, 'webhook-timestamp': '1614265331' }, any, 'no signature'],
  [
    'another secret',
    body,
    headers,
    { ...any, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSx' },
    'no signature',
  ],
  ['no secret', body, headers, { ...any, secret: '' }, 'must begin with'],
  ['an old one', body, headers, { secret }, 'too old'],
  ['no time', body, { ...headers, 'webhook-timestamp': 'NaN' }, any, 'too old'],
  ['no signature', body, { ...headers, 'webhook-signature': undefined }, any, 'is missing'],
])('refuses %s', async (_, text, given, options, reason) => {
  await expect(verifyWebhook(text, given, options)).rejects.toThrow(reason);
});
