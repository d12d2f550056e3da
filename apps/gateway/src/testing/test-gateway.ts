import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { openTestServices, type TestServices } from '@firmdesk/domain/testing';
import { createApp } from '../app.ts';

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came and asserts on it
  body: any;
  text: string;
}

export interface RequestOptions {
  token?: string | null;
  workspace?: string;
  /** Null sends none; left out, every POST gets a fresh one. */
  key?: string | null;
  body?: unknown;
  headers?: Record<string, string>;
}

/** A gateway on a database of its own, spoken to over HTTP. */
export interface TestGateway extends TestServices {
  url: string;
  request(target: string, options?: RequestOptions): Promise<Answer>;
}

export async function openTestGateway(
  postgresUrl: string,
  options: Parameters<typeof openTestServices>[1] = {},
): Promise<TestGateway> {
  const base = await openTestServices(postgresUrl, options);
  const app = createApp({ services: base.services, log: base.log, metrics: true, publicUrl: () => url });
  app.server.listen(0, '127.0.0.1');
  await once(app.server, 'listening');
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  return {
    ...base,
    url,
    request: (target, options) => request(url, target, options),
    async [Symbol.asyncDispose]() {
      await app.drain();
      await base[Symbol.asyncDispose]();
    },
  };
}

/** `request(url, 'POST /v1/sessions', { body })`. */
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
