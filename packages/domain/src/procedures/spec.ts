import {
  type ErrorCode,
  type ErrorEntry,
  errorTable,
  fieldErrorCodes,
  type Permission,
  type Scope,
} from '@firmdesk/contract';
import { z } from 'zod';
import type { CallContext } from './call-context.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Who may call. Each level asks what the one before it asks, and more (order of checks: contract §1). */
export type Access =
  | { level: 'public' }
  | { level: 'account'; scope: Scope | null }
  | { level: 'workspace'; scope: Scope }
  | { level: 'admin'; scope: Scope; permissions: readonly Permission[] };

/** Whether the caller must still belong to the workspace: to act for a firm, or for the platform. */
export function needsMembership(access: Access): boolean {
  return (
    access.level === 'workspace' ||
    access.level === 'admin' ||
    (access.level === 'account' && access.scope === 'platform:write')
  );
}

/** What a procedure declares about itself, once. Guards, routes, the document, clients and tests derive from it. */
export interface Declaration {
  /** `GET /v1/ping`; none for a procedure of typed RPC alone. */
  rest?: `${Method} /v1/${string}`;
  summary: string;
  description?: string;
  tag: string;
  /** The statuses of success, the usual one first. */
  status?: readonly (200 | 201)[];
  /** The codes that its operation can raise, beyond those that its access and input imply. */
  errors?: readonly ErrorCode[];
  /** Takes no `Idempotency-Key` and keeps no answer: doing it again changes nothing, and its answer may show a secret. */
  withoutIdempotencyKey?: boolean;
  /** The largest body, in bytes, and how many bodies of more than `BODY_LIMIT` one account may send at once. */
  largeBody?: { limit: number; atOnce: number };
  /** How many calls of a mutation a process runs at once, where one is so dear that a rush of them would starve the rest. */
  atOnce?: number;
}

/** A declaration with its schemas and who may call. */
export interface ProcedureMeta {
  access: Access;
  declaration: Declaration;
  input: z.ZodType;
  output: z.ZodType;
  prepare: Prepare | null;
}

/**
 * Work of a mutation before its transaction: after the guards and the validation of the input, and while no connection is
 * held. What it returns is the operation's `ctx.prepared`; a transaction that is tried again uses it again.
 */
export type Prepare = (ctx: CallContext, input: unknown) => Promise<unknown>;

/** A declaration with all that follows from it. */
export interface ProcedureSpec {
  access: Access;
  kind: 'query' | 'mutation' | 'subscription';
  rest: { method: Method; path: string } | null;
  summary: string;
  description: string | undefined;
  tag: string;
  status: readonly number[];
  /** Whether an `Idempotency-Key` must come: with every POST, and with every mutation of typed RPC alone, unless `withoutIdempotencyKey`. */
  idempotent: boolean;
  /** Where the input comes from, which decides between 400 and 422. */
  input: 'none' | 'query' | 'body';
  /** The code that a field fails with, where it has one of its own. */
  fieldCodes: Record<string, ErrorCode>;
  /** Whether the answer brings a `meta` of its own: its schema is `{ data, meta }`. */
  hasMeta: boolean;
  errors: readonly ErrorCode[];
  bodyLimit: number;
  /** How many bodies of more than `BODY_LIMIT` one account may send at once. */
  largeBodiesAtOnce: number;
  /** How many calls a process runs at once; null: as many as come. */
  atOnce: number | null;
}

/** The largest body of a procedure that declares no `largeBody`, in bytes. */
export const BODY_LIMIT = 65_536;

const specs = new WeakMap<ProcedureMeta, ProcedureSpec>();

export function specOf(meta: ProcedureMeta, kind: ProcedureSpec['kind']): ProcedureSpec {
  const known = specs.get(meta);
  if (known) return known;
  const spec = deriveSpec(meta, kind);
  specs.set(meta, spec);
  return spec;
}

function deriveSpec(
  { access, declaration, input, output }: ProcedureMeta,
  kind: ProcedureSpec['kind'],
): ProcedureSpec {
  const shape: Record<string, z.core.$ZodType> = input instanceof z.ZodObject ? input.shape : {};
  const [method, path] = (declaration.rest?.split(' ') ?? []) as [Method?, string?];
  const rest = method && path ? { method, path } : null;
  const idempotent =
    kind === 'mutation' && (rest === null || rest.method === 'POST') && !declaration.withoutIdempotencyKey;
  const pathFields = new Set(path?.match(/(?<=\{)\w+(?=\})/g));
  const fields = Object.entries(shape).filter(([name]) => !pathFields.has(name));
  const source = fields.length === 0 ? 'none' : kind === 'mutation' && method !== 'DELETE' ? 'body' : 'query';
  // An id in the path that has not even the shape of one names nothing.
  const fieldCodes: Record<string, ErrorCode> = {};
  for (const name of pathFields) fieldCodes[name] = 'resource_not_found';
  for (const [name, schema] of Object.entries(shape)) {
    const code = fieldErrorCodes.get(schema as z.ZodType)?.code;
    if (code) fieldCodes[name] = code;
  }
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
    errors: codesOf(
      access,
      declaration,
      idempotent,
      source,
      fieldCodes,
      fields.some(([name]) => !fieldCodes[name]),
    ),
    bodyLimit: declaration.largeBody?.limit ?? BODY_LIMIT,
    largeBodiesAtOnce: declaration.largeBody?.atOnce ?? 0,
    atOnce: declaration.atOnce ?? null,
  };
}

/** Every code that the procedure can answer, in the table's order. */
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
  if (access.level !== 'public') add('invalid_token', 'revoked_token', 'expired_token');
  if (access.level !== 'public' && access.scope) add('insufficient_scope');
  if (access.level === 'workspace' || access.level === 'admin')
    add('workspace_required', 'workspace_not_permitted');
  if (needsMembership(access)) add('admin_access_required');
  if (access.level === 'admin' && access.permissions.length > 0) add('forbidden');
  if (idempotent) add('missing_idempotency_key', 'idempotency_key_in_use');
  if (hasPlainFields) add('validation_failed');
  if (source === 'body') add('validation_failed', 'payload_too_large', 'unsupported_media_type');
  add(...Object.values(fieldCodes), ...(declaration.errors ?? []));
  return (Object.keys(errorTable) as ErrorCode[]).filter((code) => codes.has(code));
}

/** The statuses that a procedure's errors take: `validation_failed` is 400 for a query. */
export function statusOf(spec: ProcedureSpec, code: ErrorCode): ErrorEntry['status'] {
  return code === 'validation_failed' && spec.input === 'query' ? 400 : errorTable[code].status;
}
