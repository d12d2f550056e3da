// A program that uses the published packages, with its own zod and tRPC, and nothing else of this repository.
import {
  createRestClient,
  createRpcClient,
  createRpcLinks,
  type FirmdeskRouter,
  isFirmdeskError,
} from '@firmdesk/client';
import { errorTable, Ticket } from '@firmdesk/contract';
import { expand } from '@firmdesk/recurrence';
import { createTRPCClient, getUntypedClient, type TRPCLink } from '@trpc/client';
import { z } from 'zod';

declare const process: { argv: string[] };

const [, , url, token, ticket] = process.argv as [string, string, string, string, string];
const rpc = createRpcClient({ url, token });
const rest = createRestClient({ url, token });
const lines: string[] = [];

const { tenant } = await rpc.ping.query();
const { data: ping, meta } = await rest.GET('/v1/ping');
lines.push(`${tenant.slug === ping.tenant.slug} ${meta.request_id.startsWith('req_')}`);

const { data: tickets } = await rpc.tickets.list.query({ status: 'waiting', limit: 10 });
for await (const page of rest.pages('/v1/admin/tickets', { params: { query: { status: 'waiting' } } })) {
  lines.push(
    page.data.map(({ id }) => Ticket.shape.id.parse(id)).join() === tickets.map(({ id }) => id).join()
      ? 'same'
      : 'other',
  );
}

// The application's own tRPC client and schemas accept our links, router and schemas.
const session = createRpcLinks<FirmdeskRouter>({ url, token });
const links: TRPCLink<FirmdeskRouter>[] = session.links;
const own = createTRPCClient<FirmdeskRouter>({ links });
const Marked = z.object({ ticket: Ticket.extend({ note: z.string() }), marked: z.boolean() });
const row: unknown = {
  ticket: { ...(await own.tickets.list.query({ limit: 1 })).data[0], note: '' },
  marked: true,
};
const { data: parsed, error: invalid } = Marked.safeParse(row);
const refusal: z.ZodError | undefined = invalid;
lines.push(
  refusal ? z.prettifyError(refusal) : `own client ${parsed?.ticket.id === ticket && parsed.marked}`,
);
await session.close();

const stop = new AbortController();
const stream = (async () => {
  for await (const { data } of rpc.tickets.stream({ ticket }, { signal: stop.signal })) {
    if (data.type !== 'message.created') continue;
    lines.push(`received ${data.message.body}`);
    stop.abort();
  }
})();
await new Promise<void>((resolve) => {
  rpc.connection.subscribe(() => rpc.connection.state.status === 'open' && resolve());
});
const note = await rpc.tickets.addNote.mutate({ ticket, body: 'a note' });
await stream;
lines.push(`${note.object} ${note.internal}`);

try {
  await rpc.tickets.get.query({ ticket: 'tkt_00000000000000000000000000' });
} catch (error) {
  if (isFirmdeskError(error, 'resource_not_found'))
    lines.push(`${error.code} ${errorTable[error.code].status}`);
}

const { occurrences } = expand(
  {
    start: '2026-03-02T09:00:00',
    end: '2026-03-02T10:00:00',
    zone: 'Europe/Berlin',
    rule: 'FREQ=DAILY;COUNT=3',
  },
  { from: Date.parse('2026-03-01'), until: Date.parse('2026-04-01') },
);
lines.push(`${occurrences.length} occurrences`);

await rpc.close();
console.log(lines.join('\n'));

/** Code that the compiler must reject. */
export async function refusedByTheCompiler() {
  getUntypedClient(own);
  // @ts-expect-error no such status
  await own.tickets.list.query({ status: 'lost' });
  // @ts-expect-error a ticket has no such field
  parsed?.ticket.color;
  // @ts-expect-error no such procedure
  await rpc.tickets.burn.mutate({ ticket });
  // @ts-expect-error no such status
  await rpc.tickets.list.query({ status: 'lost' });
  // @ts-expect-error a ticket is needed
  await rpc.tickets.get.query();
  // @ts-expect-error no such path
  await rest.GET('/v1/tickets');
  // @ts-expect-error the path has a parameter
  await rest.POST('/v1/admin/tickets/{ticket}/ai', { body: { instruction: 'Say hello.' } });
  // @ts-expect-error not a list
  rest.pages('/v1/ping');
}
