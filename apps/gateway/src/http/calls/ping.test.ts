import { createToken, createUser, createWorkspace } from '@firmdesk/testing';
import { suiteGateway } from '@firmdesk/testing/gateway';
import { expect, test } from 'vitest';

const gateway = await suiteGateway();

test('returns the scopes and the workspace of the key', async () => {
  const firm = await createWorkspace(gateway.services);
  const user = await createUser(gateway.services, { firm });
  const token = await createToken(gateway.services, { user, workspace: firm.slug, scopes: ['mail:read'] });
  const answer = await gateway.request('GET /v1/ping', { token: token.text });
  expect(answer.body).toEqual({
    data: {
      ok: true,
      environment: 'live',
      api_key: token.id,
      scopes: ['mail:read'],
      tenant: { name: firm.name, slug: firm.slug },
      time: gateway.clock.now().toISOString(),
    },
    meta: { request_id: expect.stringMatching(/^req_/) },
  });
  expect(answer.status).toBe(200);
});
