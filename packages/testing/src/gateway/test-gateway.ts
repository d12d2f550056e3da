import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { FieldError } from '@firmdesk/contract';
import {
  type AppRouter,
  appRouter,
  closeServices,
  createServices,
  declaredProcedures,
  findFirmServers,
  type Services,
} from '@firmdesk/domain';
import {
  type AllowedOrigins,
  type App,
  createApp,
  DEFAULT_SOCKETS_PER_ADDRESS,
  NO_ORIGINS,
  NO_PROXIES,
  type TrustedProxies,
} from '@firmdesk/gateway/testing';
import superjson from 'superjson';
import { openTestServices, TestLog, type TestServices } from '../database/services.ts';
import { rpcInput } from './rpc-input.ts';

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on untyped answers
  body: any;
  text: string;
}

export interface RequestOptions {
  token?: string | null;
  workspace?: string;
  /** Null sends none. By default, each POST gets a new one. */
  key?: string | null;
  /** A string is sent unchanged, any other value as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** A response of typed RPC: `data`, or the `code` of its error. */
export interface RpcAnswer extends Answer {
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on untyped answers
  data: any;
  code: string | null;
  fields: FieldError[] | undefined;
}

/** A gateway that is called over HTTP. */
interface Reachable {
  url: string;
  app: App;
  request(target: string, options?: RequestOptions): Promise<Answer>;
  /** Calls a procedure over `/trpc`; `body` is its input. */
  rpc(name: string, options?: RequestOptions): Promise<RpcAnswer>;
}

/** A gateway with its own database. */
export interface TestGateway extends TestServices, Reachable {
  /** Opens a second gateway on the same database, optionally by another URL. It closes with the first. */
  secondNode(databaseUrl?: string): Promise<Reachable & { services: Services; log: TestLog }>;
}

type Options = NonNullable<Parameters<typeof openTestServices>[1]> & {
  /** A router with procedures of the test, instead of the real one. */
  router?: unknown;
  trustedProxies?: TrustedProxies;
  acceptWhileDrainingMs?: number;
  socketsPerAddress?: number;
  corsOrigins?: AllowedOrigins;
};

/** Opens a gateway on a new migrated database, with a clock that the test moves. */
export async function openTestGateway(postgresUrl: string, options: Options = {}): Promise<TestGateway> {
  const { router, trustedProxies, acceptWhileDrainingMs, socketsPerAddress, corsOrigins, ...serviceOptions } =
    options;
  const served = {
    router: (router ?? appRouter) as AppRouter,
    trustedProxies,
    acceptWhileDrainingMs,
    socketsPerAddress,
    corsOrigins,
  };
  const base = await openTestServices(postgresUrl, serviceOptions);
  const main = await serve(base.services, base.log, served);
  const closing: (() => Promise<void>)[] = [];
  return {
    ...base,
    ...main,
    async secondNode(databaseUrl = base.databaseUrl) {
      const log = new TestLog();
      const services = await createServices({
        limitsSignIns: false,
        ...serviceOptions,
        databaseUrl,
        clock: base.clock,
        log,
      });
      services.firmServers = await findFirmServers(services.pool);
      const second = await serve(services, log, served);
      closing.push(async () => {
        await second.app.drain();
        await closeServices(services);
      });
      return { ...second, services, log };
    },
    async [Symbol.asyncDispose]() {
      for (const close of closing) await close();
      await main.app.drain();
      await base[Symbol.asyncDispose]();
    },
  };
}

interface Served {
  router: AppRouter;
  trustedProxies: TrustedProxies | undefined;
  acceptWhileDrainingMs: number | undefined;
  socketsPerAddress: number | undefined;
  corsOrigins: AllowedOrigins | undefined;
}

async function serve(
  services: Services,
  log: TestLog,
  {
    router,
    trustedProxies = NO_PROXIES,
    acceptWhileDrainingMs = 0,
    socketsPerAddress = DEFAULT_SOCKETS_PER_ADDRESS,
    corsOrigins = NO_ORIGINS,
  }: Served,
): Promise<Reachable> {
  const app = createApp({
    services,
    log,
    metrics: true,
    router,
    acceptWhileDrainingMs,
    socketsPerAddress,
    trustedProxies,
    corsOrigins,
  });
  app.server.listen(0, '127.0.0.1');
  await once(app.server, 'listening');
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  services.publicUrl = () => url;
  const kinds = new Map(declaredProcedures(router).map(({ name, spec }) => [name, spec.kind]));
  return {
    url,
    app,
    request: (target, options) => request(url, target, options),
    rpc: (name, options) => rpc(url, name, kinds.get(name) === 'query' ? 'GET' : 'POST', options),
  };
}

/** Sends a request: `request(url, 'POST /v1/sessions', { body })`. */
export async function request(url: string, target: string, options: RequestOptions = {}): Promise<Answer> {
  const [method, path] = target.split(' ') as [string, string];
  const headers: Record<string, string> = {};
  if (options.token) headers['authorization'] = `Bearer ${options.token}`;
  if (options.workspace !== undefined) headers['service-workspace'] = options.workspace;
  const key = options.key === undefined && method === 'POST' ? randomUUID() : options.key;
  if (key) headers['idempotency-key'] = key;
  if (options.body !== undefined) headers['content-type'] = 'application/json';
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...headers, ...options.headers },
    ...(options.body !== undefined && {
      body: typeof options.body === 'string' ? options.body : JSON.stringify(options.body),
    }),
    redirect: 'manual',
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return {
    status: response.status,
    headers: response.headers,
    body: isJson && text ? JSON.parse(text) : null,
    text,
  };
}

async function rpc(
  url: string,
  name: string,
  method: 'GET' | 'POST',
  { body, ...options }: RequestOptions = {},
): Promise<RpcAnswer> {
  const input = typeof body === 'string' ? body : JSON.stringify(rpcInput(body));
  const query = method === 'GET' && body !== undefined ? `?input=${encodeURIComponent(input)}` : '';
  const answer = await request(url, `${method} /trpc/${name}${query}`, {
    ...options,
    ...(method === 'POST' && { body: body === undefined ? '' : input }),
  });
  const error = answer.body?.error && superjson.deserialize<{ data: RpcAnswer }>(answer.body.error);
  return {
    ...answer,
    data: answer.body?.result && superjson.deserialize(answer.body.result.data),
    code: error ? error.data.code : null,
    fields: error?.data.fields,
  };
}
