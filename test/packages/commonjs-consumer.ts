// A CommonJS program that uses the published packages.
import { createRestClient, createRpcClient, isFirmdeskError } from '@firmdesk/client';
import { createTestGateway } from '@firmdesk/client/testing';
import { errorTable } from '@firmdesk/contract';
import { expand } from '@firmdesk/recurrence';

async function main() {
  const { url, token, fetch } = createTestGateway();
  const { data } = await createRestClient({ url, token, fetch }).GET('/v1/ping');
  console.log(data.ok);

  const rpc = createRpcClient({ url, token, fetch });
  const error: unknown = await rpc.tickets.list
    .query({ status: 'waiting' }, { signal: AbortSignal.abort() })
    .catch((thrown: unknown) => thrown);
  console.log(isFirmdeskError(error) && error.code, error instanceof Error);
  await rpc.close();

  console.log(errorTable.ticket_ended.status);
  const series = { start: '2026-03-02T09:00:00', zone: 'Europe/Berlin', rule: 'FREQ=DAILY;COUNT=3' };
  const window = { from: Date.parse('2026-03-01'), until: Date.parse('2026-04-01') };
  console.log(expand(series, window).occurrences.length);
}

void main();
