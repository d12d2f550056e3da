import type { FirmdeskRouter } from '@firmdesk/client';
import type { TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';

let check: typeof import('./check-input.ts').checkInput | null = null;

/** Loads the schemas of the forms. A form that is sent before they are here, or that has no schema, is checked by the service alone. */
export function loadFormChecks(): void {
  if (check === null)
    import('./check-input.ts').then(
      ({ checkInput }) => {
        check = checkInput;
      },
      // Without a network; the next form tries again.
      () => {},
    );
}

/**
 * Checks what a form sends by the schema of its procedure before it is sent, and answers as the service would: the errors of both stand at the fields in
 * the same way. react-hook-form would hold the values of forms a second time beside React's state, and has 9 kB of its own.
 */
export const formLink: TRPCLink<FirmdeskRouter> =
  () =>
  ({ next, op }) => {
    const error = op.type === 'mutation' && check?.(op.path, op.input);
    return error ? observable((observer) => observer.error(error)) : next(op);
  };
