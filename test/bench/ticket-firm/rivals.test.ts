import { createTag, createTeam } from '@firmdesk/domain/testing';
import { createTicketFixture, suiteGateway } from '@firmdesk/gateway/testing';
import { expect, test } from 'vitest';
import { pageByHand } from './rivals.ts';

const gateway = await suiteGateway();

test('the hand-written list that the benchmarks compare with answers the same page', async () => {
  const { services } = gateway;
  const desk = await createTicketFixture(gateway);
  const team = await createTeam(services, { firm: desk.firm });
  const tag = await createTag(services, { firm: desk.firm });
  await desk.createTicket({ assignee: desk.agent, tags: [tag] });
  await desk.createTicket({ team });
  const { body } = await gateway.request('GET /v1/admin/tickets', { token: desk.token });
  const page = (await pageByHand(services.pool, desk.firm.id)) as { data: unknown };
  expect(JSON.parse(JSON.stringify(page.data))).toEqual((body as { data: unknown }).data);
});
