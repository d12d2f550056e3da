import type { FirmdeskRouter, Procedures } from '@firmdesk/client';
import type { AppRouter } from '@firmdesk/domain';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';

/** Whether each can stand for the other. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** The names at which two trees of types differ. */
type Differences<A, B> = {
  [Name in keyof A | keyof B]: Name extends keyof A & keyof B
    ? Same<A[Name], B[Name]> extends true
      ? never
      : [Name, A[Name], B[Name]]
    : [Name];
}[keyof A | keyof B];

/** Fails to compile where anything is left. */
type Nothing<T extends never> = T;

/** The generated types take and give what the service's own router does, procedure by procedure. */
export type Proofs = [
  Nothing<Differences<inferRouterInputs<AppRouter>, inferRouterInputs<FirmdeskRouter>>>,
  Nothing<Differences<inferRouterOutputs<AppRouter>, inferRouterOutputs<FirmdeskRouter>>>,
  // The proof can fail: a difference is something.
  // @ts-expect-error a string is no number
  Nothing<Differences<{ a: { b: string } }, { a: { b: number } }>>,
  // @ts-expect-error a procedure less
  Nothing<Differences<Procedures, Omit<Procedures, 'ping'>>>,
];
