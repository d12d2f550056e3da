import {
  type ErrorCode,
  type ErrorEntry,
  errorTable,
  fieldErrorCodes,
  type Permission,
  type Scope,
  type TokenKind,
} from '@firmdesk/contract';
import { z } from 'zod';
import { limitTasks } from '../platform/process/task-limit.ts';
import type { CallContext } from './call-context.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The access that a procedure requires. Each level requires more than the one before it (order of checks: contract §1). */
export type Access =
  | { level: 'public' }
  | { level: 'account'; scope: Scope | null; liveOnly?: boolean; fresh?: boolean }
  | { level: 'workspace'; scope: Scope; devicePermissions: readonly Permission[] }
  | { level: 'admin'; scope: Scope; permissions: readonly Permission[]; liveOnly?: boolean; fresh?: boolean };

/** Returns whether the caller must be a current member of the workspace: to act in a firm, or for the platform. */
export function needsMembership(access: Access): boolean {
  return (
    access.level === 'workspace' ||
    access.level === 'admin' ||
    (access.level === 'account' && access.scope === 'platform:write')
  );
}

/** Returns the permissions that a token of this kind needs. An API key for the firm has what an operator gave it: scopes. */
export function permissionsFor(access: Access, kind: TokenKind): readonly Permission[] {
  if (access.level === 'admin') return access.permissions;
  return access.level === 'workspace' && kind === 'device' ? access.devicePermissions : [];
}

/** Returns whether the procedure acts on what a sandbox does not have: the account itself, or the members of the firm. A test token acts on test data alone. */
export function isLiveOnly(access: Access): boolean {
  return 'liveOnly' in access && (access.liveOnly ?? false);
}

/** Returns whether the session must have been opened or confirmed a moment ago: the procedure changes who can sign in, takes stored data out or deletes it. */
export function needsFreshSignIn(access: Access): boolean {
  return 'fresh' in access && (access.fresh ?? false);
}

/** The declaration of a procedure. Routes, checks, the OpenAPI document, clients and tests derive from it. */
export interface Declaration {
  /** `GET /v1/ping`; absent for a procedure of typed RPC only. */
  rest?: `${Method} /v1/${string}`;
  summary: string;
  description?: string;
  tag: string;
  /** The statuses of success, the usual one first. */
  status?: readonly (200 | 201)[];
  /** The codes that its operation can throw, beyond those that follow from its access and input. */
  errors?: readonly ErrorCode[];
  /** The request headers that the operation reads beside its input. The others do not reach it. */
  requestHeaders?: readonly RequestHeader[];
  /** Takes no `Idempotency-Key` and stores no response: repeating the call is harmless, and its response may contain a secret. */
  withoutIdempotencyKey?: boolean;
  /**
   * A query that clients repeat: its response over REST has an `ETag`, and a repeated call with `If-None-Match` gets 304 without a
   * body if the response would be the same.
   */
  conditional?: boolean;
  /**
   * The response contains a secret, such as a token. It is never compressed: its length could tell a part of the secret to a
   * caller who chooses another part of the response (BREACH).
   */
  hasSecret?: boolean;
  /** The largest body in bytes, and how many bodies of more than `BODY_LIMIT` one account may send concurrently. */
  largeBody?: { limit: number; maxConcurrent: number };
  /** How many calls of this mutation a process runs concurrently, if it is so expensive that a burst would starve other calls. */
  maxConcurrent?: number;
}

/**
 * A request header that a procedure can declare as an input. `If-Match` adds `precondition_failed` and documents an `ETag`. By
 * `Service-Workspace`, a call of the account may name the firm that it acts in; calls of a firm always can.
 */
export type RequestHeader = 'If-Match' | 'Cookie' | 'Service-Workspace';

/** The answer of a procedure: its output, the status if not the usual one, and headers. A replay repeats all three. */
export interface Answer<Output = unknown> {
  output: Output;
  status?: 200 | 201;
  headers?: Record<string, string>;
}

/** How a declaration derives the answer from the operation's result. Without it, the result is the output. */
export interface Answering<Context = CallContext, Result = unknown, Output = unknown> {
  answer?: (result: Result, ctx: Context) => Answer<Output> | Promise<Answer<Output>>;
}

export interface Schemas {
  input: z.ZodType;
  output: z.ZodType;
}

/**
 * The part of a mutation that runs before its transaction: after authorization and validation, while no connection is held.
 * The operation finds its result in `ctx.prepared`; a retried transaction uses the same result.
 */
export type Prepare = (ctx: CallContext, input: unknown) => Promise<unknown>;

/** The function that does the work of a procedure. */
export type Operation = (options: {
  ctx: CallContext;
  input: unknown;
  signal: AbortSignal | undefined;
}) => unknown;

/** The metadata that tRPC stores with a procedure. */
export interface ProcedureMeta extends Schemas {
  spec: ProcedureSpec;
  access: Access;
  declaration: Declaration;
}

/** The specification of a procedure: its declaration, and the properties derived from it. */
export interface ProcedureSpec {
  access: Access;
  kind: 'query' | 'mutation' | 'subscription';
  rest: { method: Method; path: string } | null;
  summary: string;
  description: string | undefined;
  tag: string;
  status: readonly number[];
  /** Whether an `Idempotency-Key` is required. True for POST and for mutations of typed RPC, unless `withoutIdempotencyKey`. */
  idempotent: boolean;
  /** The source of the input, which decides between 400 and 422. */
  input: 'none' | 'query' | 'body';
  /** The error codes of the fields that have their own, by field name. */
  fieldCodes: Record<string, ErrorCode>;
  /** Whether the output has its own `meta`: its schema is `{ data, meta }`. */
  hasMeta: boolean;
  errors: readonly ErrorCode[];
  /** Whether `If-None-Match` is answered with 304. */
  conditional: boolean;
  /** Whether the response contains a secret, and is not compressed. */
  hasSecret: boolean;
  bodyLimit: number;
  /** How many bodies of more than `BODY_LIMIT` one account may send concurrently. */
  maxConcurrentLargeBodies: number;
  /** Runs at most as many calls concurrently as declared; null for no limit. */
  limit: ReturnType<typeof limitTasks> | null;
  inputSchema: z.ZodType;
  outputSchema: z.ZodType;
  /** The schema of a row, where the output is `{ data: [row], … }`; otherwise null. */
  rowSchema: z.ZodType | null;
  requestHeaders: readonly RequestHeader[];
  prepare: Prepare | null;
  answer: NonNullable<Answering['answer']>;
  operation: Operation;
}

/** The largest body of a procedure that declares no `largeBody`, in bytes. */
export const BODY_LIMIT = 65_536;

export interface DeclaredProcedure {
  access: Access;
  kind: ProcedureSpec['kind'];
  declaration: Declaration & Schemas & Answering & { prepare?: Prepare | undefined };
  operation: Operation;
}

/** Derives the specification of a procedure from its declaration. */
export function createSpec({ access, kind, declaration, operation }: DeclaredProcedure): ProcedureSpec {
  const { input, output } = declaration;
  const shape: Record<string, z.core.$ZodType> = input instanceof z.ZodObject ? input.shape : {};
  const [method, path] = (declaration.rest?.split(' ') ?? []) as [Method?, string?];
  const rest = method && path ? { method, path } : null;
  const idempotent =
    kind === 'mutation' && (rest === null || rest.method === 'POST') && !declaration.withoutIdempotencyKey;
  const pathFields = new Set(path?.match(/(?<=\{)\w+(?=\})/g));
  const fields = Object.entries(shape).filter(([name]) => !pathFields.has(name));
  const source = fields.length === 0 ? 'none' : kind === 'mutation' && method !== 'DELETE' ? 'body' : 'query';
  // Malformed ids in a path get the same 404 as unknown ones.
  const fieldCodes: Record<string, ErrorCode> = {};
  for (const name of pathFields) fieldCodes[name] = 'resource_not_found';
  for (const [name, schema] of Object.entries(shape)) {
    const code = fieldErrorCodes.get(schema as z.ZodType)?.code;
    if (code) fieldCodes[name] = code;
  }
  const hasPlainFields = fields.some(([name]) => !fieldCodes[name]);
  return {
    access,
    kind,
    rest,
    summary: declaration.summary,
    description: declaration.description,
    tag: declaration.tag,
    status: declaration.status ?? [200],
    idempotent,
    input: source,
    fieldCodes,
    hasMeta: output instanceof z.ZodObject && 'data' in output.shape && 'meta' in output.shape,
    errors: codesOf(access, declaration, idempotent, source, fieldCodes, hasPlainFields),
    conditional: declaration.conditional ?? false,
    hasSecret: declaration.hasSecret ?? false,
    bodyLimit: declaration.largeBody?.limit ?? BODY_LIMIT,
    maxConcurrentLargeBodies: declaration.largeBody?.maxConcurrent ?? 0,
    limit: declaration.maxConcurrent === undefined ? null : limitTasks(declaration.maxConcurrent),
    inputSchema: input,
    outputSchema: output,
    rowSchema: rowSchemaOf(output),
    requestHeaders: declaration.requestHeaders ?? [],
    prepare: declaration.prepare ?? null,
    answer: declaration.answer ?? ((output) => ({ output })),
    operation,
  };
}

function rowSchemaOf(output: z.ZodType): z.ZodType | null {
  const data = output instanceof z.ZodObject ? output.shape['data'] : null;
  // A check of the whole list, such as its length, could not be made row by row.
  return data instanceof z.ZodArray && !data.def.checks?.length ? (data.element as z.ZodType) : null;
}

/** Returns every error code of the procedure, in the table's order. */
function codesOf(
  access: Access,
  declaration: Declaration,
  idempotent: boolean,
  source: ProcedureSpec['input'],
  fieldCodes: Record<string, ErrorCode>,
  hasPlainFields: boolean,
): ErrorCode[] {
  const codes = new Set<ErrorCode>(['rate_limited', 'internal_error', 'unavailable']);
  const add = (...more: ErrorCode[]) => {
    for (const code of more) codes.add(code);
  };
  if (access.level !== 'public')
    add('invalid_token', 'revoked_token', 'expired_token', 'workspace_not_permitted');
  if (access.level !== 'public' && access.scope) add('insufficient_scope');
  if (access.level === 'workspace' || access.level === 'admin') add('workspace_required');
  if (needsMembership(access)) add('admin_access_required');
  if (permissionsFor(access, 'device').length > 0 || isLiveOnly(access)) add('forbidden');
  if (needsFreshSignIn(access)) add('fresh_sign_in_required');
  if (idempotent) add('missing_idempotency_key', 'idempotency_key_in_use');
  if (hasPlainFields) add('validation_failed');
  if (source === 'body') add('validation_failed', 'payload_too_large', 'unsupported_media_type');
  if (declaration.requestHeaders?.includes('If-Match')) add('precondition_failed');
  add(...Object.values(fieldCodes), ...(declaration.errors ?? []));
  return (Object.keys(errorTable) as ErrorCode[]).filter((code) => codes.has(code));
}

/** Returns the status of a code, which may depend on the source of the input: a query string or a body. */
export function statusOf(spec: ProcedureSpec, code: ErrorCode): ErrorEntry['status'] {
  const { status, queryStatus } = errorTable[code];
  return spec.input === 'query' ? (queryStatus ?? status) : status;
}
