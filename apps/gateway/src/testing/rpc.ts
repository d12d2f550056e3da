import { randomUUID } from 'node:crypto';
import type { ErrorCode } from '@firmdesk/contract';
import type { AppRouter } from '@firmdesk/domain';
import { createTRPCClient, httpLink, TRPCClientError } from '@trpc/client';
import superjson from 'superjson';

/** A typed client of one token; each call has a fresh idempotency key. `workspace` names the firm that the staff act in. */
export function rpcClient(url: string, token: string, workspace?: string) {
  return createTRPCClient<AppRouter>({
    links: [
      httpLink({
        url: `${url}/trpc`,
        transformer: superjson,
        headers: () => ({
          authorization: `Bearer ${token}`,
          'idempotency-key': randomUUID(),
          ...(workspace !== undefined && { 'service-workspace': workspace }),
        }),
      }),
    ],
  });
}

/** The code that a call was refused with; a call that succeeds fails the test. */
export async function refusal(call: Promise<unknown>): Promise<ErrorCode> {
  const answer: unknown = await call.then(
    () => new Error('The call succeeded.'),
    (error: unknown) => error,
  );
  if (answer instanceof TRPCClientError) return (answer.data as { code: ErrorCode }).code;
  throw answer;
}
