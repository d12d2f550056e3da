import type { FirmdeskRouter, Procedures } from '@firmdesk/client';
import type { AppRouter } from '@firmdesk/domain';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';

/** True if two types are assignable to each other. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** The members in which two types differ. */
type Differences<A, B> = {
  [Name in keyof A | keyof B]: Name extends keyof A & keyof B
    ? Same<A[Name], B[Name]> extends true
      ? never
      : [Name, A[Name], B[Name]]
    : [Name];
}[keyof A | keyof B];

/** Compiles only with `never`. */
type AssertNever<T extends never> = T;

/** The generated types equal those of the service's router, procedure by procedure. */
export type TypeAssertions = [
  AssertNever<Differences<inferRouterInputs<AppRouter>, inferRouterInputs<FirmdeskRouter>>>,
  AssertNever<Differences<inferRouterOutputs<AppRouter>, inferRouterOutputs<FirmdeskRouter>>>,
  // The check can fail: a difference does not compile.
  // @ts-expect-error a string is not a number
  AssertNever<Differences<{ a: { b: string } }, { a: { b: number } }>>,
  // @ts-expect-error a missing procedure
  AssertNever<Differences<Procedures, Omit<Procedures, 'ping'>>>,
];
