import type { FirmdeskRouter } from '@firmdesk/client';
import type { TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';

/** Checks the input of a procedure, once the schemas are here: `load-form-checks.ts`. */
export const formChecks: { check?: typeof import('./check-input.ts').checkInput } = {};

/**
 * Checks what a form sends by the schema of its procedure before it is sent, and answers as the service would: the errors of both stand at the fields in
 * the same way. react-hook-form would hold the values of forms a second time beside React's state, and has 9 kB of its own.
 */
export const formLink: TRPCLink<FirmdeskRouter> =
  () =>
  ({ next, op }) => {
    const error = op.type === 'mutation' && formChecks.check?.(op.path, op.input);
    return error ? observable((observer) => observer.error(error)) : next(op);
  };
