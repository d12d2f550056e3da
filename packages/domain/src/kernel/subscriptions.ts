import type { Call } from './call.ts';
import type { RequestContext } from './context.ts';
import { ApiError } from './errors.ts';
import { admit } from './guard.ts';
import type { Access } from './rule.ts';
import { toApiError } from './to-api-error.ts';

export const MAX_SUBSCRIPTIONS = 50;

/**
 * Counts a subscription to its socket, with who may hold it, until the signal or until the returned function is called.
 * Raises `rate_limited` beyond {@link MAX_SUBSCRIPTIONS}.
 */
export function holdOpen(call: Call, access: Access, signal: AbortSignal | undefined): () => void {
  call.subscriptions ??= new Set();
  if (call.subscriptions.size >= MAX_SUBSCRIPTIONS) {
    throw new ApiError('rate_limited', {
      message: `A socket holds at most ${MAX_SUBSCRIPTIONS} subscriptions.`,
      retryAfterSeconds: 1,
    });
  }
  const held = { access };
  const release = () => void call.subscriptions?.delete(held);
  call.subscriptions.add(held);
  signal?.addEventListener('abort', release, { once: true });
  return release;
}

/**
 * Why a socket may no longer be what it is: its token has ended, or a subscription that it holds would now be refused. Null
 * while all is well, and when that cannot be told just now.
 */
export async function refusalOf({ services, call }: RequestContext): Promise<ApiError | null> {
  const held = [...(call.subscriptions ?? [])].map(({ access }) => access);
  const own: Access = { level: 'account', scope: null };
  for (const access of new Set([own, ...held])) {
    try {
      await admit(access, { services, call: { ...call, reply: { status: null, headers: {}, body: null } } });
    } catch (error) {
      const refusal = toApiError(error);
      if ([400, 401, 403].includes(refusal.status)) return refusal;
    }
  }
  return null;
}
