import type { ProcedureSpec } from '@firmdesk/domain';
import { openSocket, type TestGateway } from '@firmdesk/testing/gateway';
import type { Input } from './examples.ts';

export interface Caller {
  token: string | null;
  /** The firm named in `Service-Workspace`. */
  workspace?: string;
}

/** A response without the parts that always differ: request id and date. */
export interface ComparableResponse {
  ok: boolean;
  text: string;
  status: number;
  headers: Record<string, string>;
}

export type Call = (caller: Caller, input: Input) => Promise<ComparableResponse>;

/** Returns a call over each transport of a procedure. A valid call has `ok`. */
export function callsByTransport(gateway: TestGateway, name: string, spec: ProcedureSpec): Call[] {
  if (spec.kind === 'subscription') return [(caller, input) => overSocket(gateway, name, caller, input)];
  const overRpc: Call = async (caller, body) => comparable(await gateway.rpc(name, { ...caller, body }));
  return spec.rest ? [overRpc, (caller, input) => overRest(gateway, spec, caller, input)] : [overRpc];
}

async function overRest(
  gateway: TestGateway,
  spec: ProcedureSpec,
  caller: Caller,
  input: Input,
): Promise<ComparableResponse> {
  const { method, path } = spec.rest!;
  const rest = { ...input };
  const filled = path.replace(/\{(\w+)\}/g, (_, field) => {
    delete rest[field];
    return encodeURIComponent(String(input[field]));
  });
  const query = new URLSearchParams(
    Object.entries(rest).flatMap(([key, value]) =>
      [value].flat().map((one): [string, string] => [key, String(one)]),
    ),
  );
  const target = spec.input === 'query' ? `${method} ${filled}?${query}` : `${method} ${filled}`;
  return comparable(
    await gateway.request(target, { ...caller, ...(spec.input === 'body' && { body: rest }) }),
  );
}

async function overSocket(
  { url }: TestGateway,
  name: string,
  { token, workspace }: Caller,
  input: Input,
): Promise<ComparableResponse> {
  const socket = await openSocket(url, { params: { token, ...(workspace && { workspace }) } });
  try {
    const answer = await socket.call('subscription', name, input);
    return comparableOverSocket(answer.type === 'started', answer);
  } finally {
    socket.ws.terminate();
  }
}

function comparableOverSocket(ok: boolean, answer: unknown): ComparableResponse {
  return { ok, text: withoutRequestIds(JSON.stringify(answer)), status: 0, headers: {} };
}

/** Headers that differ between any two responses. */
const OWN = new Set(['date', 'x-request-id', 'request-id', 'content-length']);

function comparable({
  status,
  headers,
  text,
}: {
  status: number;
  headers: Headers;
  text: string;
}): ComparableResponse {
  const shared = [...headers].filter(([name]) => !OWN.has(name));
  return { ok: status < 300, text: withoutRequestIds(text), status, headers: Object.fromEntries(shared) };
}

function withoutRequestIds(text: string): string {
  return text.replaceAll(/req_[0-9a-z]{26}/g, 'req_');
}
