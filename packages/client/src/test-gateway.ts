import { operations, sharedErrors } from './generated/operations.ts';
import type { paths, RestErrorCodes } from './generated/rest.ts';
import type { RecordedOperation } from './recorded-operation.ts';
import type { Success } from './rest-client.ts';

/** An operation of `/v1`: `GET /v1/ping`. */
export type RestOperation = keyof RestErrorCodes;

/** The `data` of the operation's successful response. */
type DataOf<Operation extends RestOperation> = Operation extends `${infer Method} ${infer Path}`
  ? Path extends keyof paths
    ? Success<paths[Path][Lowercase<Method> & keyof paths[Path]]> extends { data: infer Data }
      ? Data
      : never
    : never
  : never;

/** A call that the gateway received. */
export interface ReceivedCall {
  operation: RestOperation;
  path: string;
  query: URLSearchParams;
  headers: Headers;
  /** The parsed body; undefined without one. */
  body: unknown;
}

/** A gateway of `/v1` in memory, for the tests of applications. */
export interface TestGateway {
  /** Options of {@link createRestClient}. */
  url: string;
  token: string;
  fetch: typeof globalThis.fetch;
  /** The calls that were received, except those to unknown paths. */
  readonly calls: readonly ReceivedCall[];
  /** Sets the `data` of an operation's next responses. Without it, they are the recorded example of the documentation. */
  answer<Operation extends RestOperation>(operation: Operation, data: DataOf<Operation>): void;
  /** Lets the next call of an operation fail, or the next few, with the error's recorded example. */
  fail<Operation extends RestOperation>(
    operation: Operation,
    code: RestErrorCodes[Operation],
    times?: number,
  ): void;
}

interface RecordedResponse {
  status: number;
  body: object;
}

/** Of the form of the service's tokens. */
const TOKEN = 'fd_test_000000000000000000000000';
const UUID = /^"?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"?$/i;

/**
 * Creates a gateway in memory. It answers with the recorded examples of the documentation, checks tokens and idempotency keys, and replays
 * repeated keys. It does not validate other input, stores nothing, and serves no typed RPC. A call with `starting_after` gets the last page,
 * which is empty. Errors that ask to wait have `Retry-After: 0`.
 */
export function createTestGateway(): TestGateway {
  const calls: ReceivedCall[] = [];
  const answers = new Map<string, unknown>();
  const failures = new Map<string, string[]>();
  const replays = new Map<string, RecordedResponse>();
  let count = 0;

  function respond({ status, body }: RecordedResponse, headers: Record<string, string> = {}): Response {
    const id = `req_${String(++count).padStart(26, '0')}`;
    const { meta, ...rest } = body as { meta: object };
    return new Response(JSON.stringify({ ...rest, meta: { ...meta, request_id: id } }), {
      status,
      headers: { 'content-type': 'application/json', 'x-request-id': id, ...headers },
    });
  }

  async function handle(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const atPath = operations.filter(({ path }) => patternOf(path).test(pathname));
    const operation = atPath.find(({ method }) => method === request.method);
    if (!operation) {
      if (atPath.length === 0) return respond({ status: 404, body: sharedErrors['resource_not_found']! });
      const allow = atPath.map(({ method }) => method).join(', ');
      return respond({ status: 405, body: sharedErrors['method_not_allowed']! }, { allow });
    }
    const name = `${operation.method} ${operation.path}` as RestOperation;
    const text = await request.text();
    const { headers } = request;
    calls.push({
      operation: name,
      path: pathname,
      query: searchParams,
      headers,
      body: text === '' ? undefined : JSON.parse(text),
    });

    const error = (code: string) => errorOf(operation, code);
    if (!operation.isPublic && headers.get('authorization') !== `Bearer ${TOKEN}`) {
      return respond(error('invalid_token'), { 'www-authenticate': 'Bearer' });
    }
    const key = headers.get('idempotency-key');
    if (request.method === 'POST' && !UUID.test(key ?? '')) return respond(error('missing_idempotency_key'));
    const failure = failures.get(name)?.shift();
    if (failure !== undefined) return respond(error(failure), { 'retry-after': '0' });
    const scope = `${key} ${pathname}`;
    const replay = key === null ? undefined : replays.get(scope);
    if (replay) return respond(replay, { 'idempotent-replayed': 'true' });
    const response = { ...operation.success, body: bodyOf(operation, searchParams) };
    if (key !== null) replays.set(scope, response);
    return respond(response);
  }

  function bodyOf({ method, path, success }: RecordedOperation, query: URLSearchParams): object {
    const body = success.body as { data: unknown; meta: object };
    if (query.has('starting_after')) return { data: [], meta: { has_more: false, next_cursor: null } };
    const data = answers.get(`${method} ${path}`);
    return data === undefined ? body : { ...body, data };
  }

  return {
    url: 'https://firmdesk.test',
    token: TOKEN,
    fetch: (input, init) => handle(new Request(input, init)),
    calls,
    answer: (operation, data) => void answers.set(operation, data),
    fail(operation, code, times = 1) {
      errorOf(operations.find(({ method, path }) => `${method} ${path}` === operation)!, code);
      const codes = Array<string>(times).fill(code);
      failures.set(operation, [...(failures.get(operation) ?? []), ...codes]);
    },
  };
}

/** Returns the pattern of the paths of a template such as `/v1/admin/tickets/{ticket}/ai`. */
function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{[^{}]+\}/g, '[^/]+')}$`);
}

function errorOf({ method, path, errors }: RecordedOperation, code: string): RecordedResponse {
  const recorded = errors[code];
  if (!recorded) throw new Error(`${method} ${path} has no error ${code}.`);
  const { error, ...shared } = sharedErrors[code]!;
  return { status: recorded.status, body: { ...shared, error: { ...error, ...recorded.error } } };
}
