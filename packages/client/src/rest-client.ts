import createClient, { type FetchOptions } from 'openapi-fetch';
import { Credentials } from './credentials.ts';
import { errorsIn, unexpectedResponse } from './errors.ts';
import type { paths } from './generated/rest.ts';
import { newIdempotencyKey } from './idempotency-key.ts';
import { type Page, pagesFrom, rowsOf } from './paging.ts';
import { IDEMPOTENCY_KEY, type SessionOptions, sessionFetch } from './session-fetch.ts';

/** The operations of `/v1`, by path and method. */
export type RestPaths = paths;

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The paths that support the method. */
type PathOf<M extends Method> = {
  [Path in keyof paths]: M extends keyof paths[Path] ? Path : never;
}[keyof paths];

type OperationOf<Path extends keyof paths, M extends Method> = paths[Path][M & keyof paths[Path]];

/** The options of a call: `params.path`, `params.query`, `params.header`, `body` and a signal. */
type Init<Operation> = Pick<FetchOptions<Operation>, 'params' | 'body' | 'signal'>;

/** The options are optional unless a member is required. */
type InitArguments<Operation> = Operation extends
  | { requestBody: object }
  | { parameters: { path: object } | { query: object } | { header: object } }
  ? [init: Init<Operation>]
  : [init?: Init<Operation>];

/** The body of a successful response. */
export type Success<Operation> = Operation extends { responses: infer Responses }
  ? {
      [Status in keyof Responses]: Responses[Status] extends { content: { 'application/json': infer Body } }
        ? Body
        : never;
    }[keyof Responses]
  : never;

/** The body of the response, and the response itself for its headers. */
export type Answer<Operation> = Success<Operation> & { response: Response };

type Call<M extends Method> = <Path extends PathOf<M>>(
  path: Path,
  ...init: InitArguments<OperationOf<Path, M>>
) => Promise<Answer<OperationOf<Path, M>>>;

/** The paths that return pages. */
type PagedPath = {
  [Path in PathOf<'get'>]: Success<OperationOf<Path, 'get'>> extends Page ? Path : never;
}[PathOf<'get'>];

/** A client of `/v1`. Failed calls reject with a `FirmdeskError`. A POST without an `Idempotency-Key` gets one. */
export interface RestClient {
  GET: Call<'get'>;
  POST: Call<'post'>;
  PUT: Call<'put'>;
  DELETE: Call<'delete'>;
  /** Yields the pages of a list, from `starting_after` on. Each page is fetched when it is needed. */
  pages<Path extends PagedPath>(
    path: Path,
    ...init: InitArguments<OperationOf<Path, 'get'>>
  ): AsyncGenerator<Answer<OperationOf<Path, 'get'>>, void, undefined>;
  /** Yields the rows of a list, from `starting_after` on. Fetches the next page when all rows of the last one are read. */
  rows<Path extends PagedPath>(
    path: Path,
    ...init: InitArguments<OperationOf<Path, 'get'>>
  ): AsyncGenerator<Success<OperationOf<Path, 'get'>>['data'][number], void, undefined>;
}

/** Creates a client of `/v1`: `client.GET('/v1/admin/tickets', { params: { query: { status: 'waiting' } } })`. */
export function createRestClient(options: SessionOptions): RestClient {
  const client = createClient<paths>({
    baseUrl: options.url,
    fetch: sessionFetch(options, new Credentials(options.token)),
  });
  client.use({
    onRequest({ request }) {
      if (request.method === 'POST' && !request.headers.has(IDEMPOTENCY_KEY)) {
        request.headers.set(IDEMPOTENCY_KEY, newIdempotencyKey());
      }
    },
    async onResponse({ response }) {
      if (response.ok) return;
      const [error] = await errorsIn(response);
      throw error ?? unexpectedResponse(response);
    },
  });
  const send = (method: Method) => async (path: string, init?: object) => {
    // The types of the methods are derived above; here path and init are untyped.
    const { data, response } = await client.request(method, path as never, init as never);
    return { ...(data as object | undefined), response };
  };
  const get = send('get');
  const pages = (path: string, init: PageInit = {}) =>
    pagesFrom(init.params?.query?.['starting_after'], async (cursor) => {
      const query = { ...init.params?.query, ...(cursor !== undefined && { starting_after: cursor }) };
      return (await get(path, { ...init, params: { ...init.params, query } })) as unknown as Page;
    });
  const rows = (path: string, init?: PageInit) => rowsOf(pages(path, init));
  const methods = { GET: get, POST: send('post'), PUT: send('put'), DELETE: send('delete'), pages, rows };
  return methods as unknown as RestClient;
}

interface PageInit {
  params?: { query?: Record<string, string> };
}
