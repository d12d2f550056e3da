import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeServices, createServices } from '@firmdesk/domain';
import {
  cloneDatabase,
  createToken,
  createUser,
  createWorkspace,
  startFakeOpenAiServer,
} from '@firmdesk/testing';
import { apnsVariables, openApnsServer, request } from '@firmdesk/testing/gateway';
import superjson from 'superjson';
import { expect, inject, test } from 'vitest';
import { startGateway, stop } from './started-gateway.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

interface Span {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
}

/** Starts a server that receives OTLP/HTTP with JSON, as a collector does. */
async function openCollector() {
  const spans: (Span & { service: string })[] = [];
  const lines: { body: string; traceId: string | undefined; service: string }[] = [];
  const server = createServer(async (req, res) => {
    const body = JSON.parse((await req.toArray()).join(''));
    const serviceOf = ({
      resource,
    }: {
      resource: { attributes: { key: string; value: { stringValue: string } }[] };
    }) => resource.attributes.find(({ key }) => key === 'service.name')!.value.stringValue;
    for (const part of body.resourceSpans ?? [])
      for (const scope of part.scopeSpans)
        spans.push(...scope.spans.map((span: Span) => ({ ...span, service: serviceOf(part) })));
    for (const part of body.resourceLogs ?? [])
      for (const scope of part.scopeLogs)
        for (const { body: text, traceId } of scope.logRecords)
          lines.push({ body: text.stringValue, traceId, service: serviceOf(part) });
    res.setHeader('content-type', 'application/json').end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    lines,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

test('one trace leads from a call through its jobs to the model and the phone, and its id is in the logs of all processes', async () => {
  await using database = await cloneDatabase(inject('postgresUrl'));
  await using apns = await openApnsServer();
  await using model = await startFakeOpenAiServer();
  // The team is notified of a reply that fails, so that the trace has a push.
  model.behave({ kind: 'error', status: 400 });
  await using collector = await openCollector();
  const services = await createServices({ databaseUrl: database.url });
  const firm = await createWorkspace(services);
  const agent = await createUser(services, { firm, permissions: ['view_tickets', 'manage_tickets'] });
  const trader = await createUser(services, { firm, role: 'trader' });
  const { text: phone } = await createToken(services, { user: agent, workspace: firm.slug, kind: 'device' });
  const { text: platform } = await createToken(services, {
    user: agent,
    workspace: firm.slug,
    scopes: ['platform:write'],
  });
  await closeServices(services);
  const env = {
    DATABASE_URL: database.url,
    DEMO: '0',
    LOG_LEVEL: 'info',
    ASSISTANT_BASE_URL: model.baseUrl,
    ASSISTANT_MODEL: 'stand-in',
    ...apnsVariables(apns),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '100',
    OTEL_BLRP_SCHEDULE_DELAY: '100',
  };
  const gateways = [startGateway(env, ['--role', 'gateway']), startGateway(env, ['--role', 'gateway'])];
  const worker = startGateway(env, ['--role', 'worker']);
  const urls = await Promise.all(gateways.map(({ listening }) => listening));
  await worker.listening;
  const headers = { traceparent: `00-${TRACE}-${PARENT}-01`, 'x-request-id': 'order-17' };
  const registered = await request(urls[0]!, 'POST /v1/me/devices', {
    token: phone,
    body: { app: 'admin', environment: 'production', token: 'ab'.repeat(32) },
  });
  expect(registered.status).toBe(201);

  const opened = await request(urls[0]!, 'POST /trpc/tickets.platform.open', {
    token: platform,
    headers,
    body: superjson.serialize({
      from: trader.email,
      subject: 'Withdrawal',
      body: 'Where is my payout?',
    }),
  });
  expect(opened.text).toContain('"result"');
  await request(urls[1]!, 'GET /v1/ping', { token: phone, headers });

  const spans = () => collector.spans.filter(({ traceId }) => traceId === TRACE);
  const names = () => spans().map(({ name, service }) => `${service}: ${name}`);
  await expect
    .poll(names)
    .toEqual(
      expect.arrayContaining([
        'firmdesk-gateway: tickets.platform.open',
        'firmdesk-gateway: ping',
        'firmdesk-worker: job assistant.reply',
        'firmdesk-worker: write reply',
        'firmdesk-worker: job push.notifications',
        'firmdesk-worker: push',
      ]),
    );
  const find = (name: string) => spans().find((span) => span.name === name)!;
  const parents = (name: string) => {
    const chain = [name];
    for (let span = find(name); span.parentSpanId !== PARENT; ) {
      span = spans().find(({ spanId }) => spanId === span.parentSpanId)!;
      chain.push(span.name);
    }
    return chain;
  };
  expect(parents('write reply')).toEqual(['write reply', 'job assistant.reply', 'tickets.platform.open']);
  expect(parents('push')).toEqual([
    'push',
    'job push.notifications',
    'job assistant.reply',
    'tickets.platform.open',
  ]);
  // The model's side can continue the trace.
  expect(model.requests[0]!.traceparent).toMatch(`00-${TRACE}-${find('write reply').spanId}-01`);

  for (const node of [...gateways, worker]) await expect.poll(node.stderr).toContain(TRACE);
  expect(gateways[0]!.stderr()).toContain('"client_request_id":"order-17"');
  const logged = () =>
    collector.lines
      .filter(({ traceId }) => traceId === TRACE)
      .map(({ service, body }) => `${service}: ${body}`);
  await expect
    .poll(logged)
    .toEqual(expect.arrayContaining(['firmdesk-gateway: request', 'firmdesk-worker: job']));
  for (const node of [...gateways, worker]) expect(await stop(node)).toBe(0);
});

test('ignores invalid ids, and starts without a collector', async () => {
  await using database = await cloneDatabase(inject('postgresUrl'));
  const gateway = startGateway(
    {
      DATABASE_URL: database.url,
      DEMO: '0',
      LOG_LEVEL: 'info',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    },
    ['--role', 'gateway'],
  );
  const url = await gateway.listening;
  const invalid = [
    { traceparent: `00-${'0'.repeat(32)}-${PARENT}-01` },
    { traceparent: `ff-${TRACE}-${PARENT}-01` },
    { traceparent: `00-${TRACE}-${PARENT}-01-${randomUUID()}` },
    { 'x-request-id': 'x'.repeat(129) },
    { 'x-request-id': 'two words' },
  ];
  for (const headers of invalid) {
    const answer = await request(url, 'GET /v1/ping', { headers: headers as Record<string, string> });
    expect([answer.status, answer.body.meta.request_id]).toEqual([
      401,
      expect.stringMatching(/^req_\w{26}$/),
    ]);
  }
  expect(await stop(gateway)).toBe(0);
  const lines = gateway
    .stderr()
    .split('\n')
    .filter((line) => line.includes('"msg":"request"'));
  expect(lines).toHaveLength(invalid.length);
  for (const line of lines) {
    expect(line).not.toContain(TRACE);
    expect(line).not.toContain('client_request_id');
    expect(JSON.parse(line).trace_id).toMatch(/^[0-9a-f]{32}$/);
  }
});
