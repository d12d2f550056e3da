import type { FirmdeskError } from './errors.ts';

/** An attempt of a call, as hooks receive it. It contains neither the token nor the body. */
export interface AttemptEvent {
  method: string;
  url: string;
  /** 1 for the first attempt. */
  attempt: number;
}

export interface ResponseEvent extends AttemptEvent {
  status: number;
  milliseconds: number;
  /** The id of the call in the service's logs. */
  requestId: string | null;
  /** The parameters that the service ignored: unknown names and values (`Ignored-Parameters`). */
  ignoredParameters: readonly string[];
}

export interface RetryEvent extends AttemptEvent {
  /** Why the attempt failed. */
  error: FirmdeskError;
  delayMs: number;
}

/** Functions that observe the calls of a client, for logs and metrics. Errors that they throw are ignored. */
export interface Hooks {
  /** Called before each attempt. */
  onRequest?: (event: AttemptEvent) => void;
  /** Called after each response, also one with an error. */
  onResponse?: (event: ResponseEvent) => void;
  /** Called before the delay of each retry. */
  onRetry?: (event: RetryEvent) => void;
}

/** Calls a hook, if there is one. */
export function callHook<Event>(hook: ((event: Event) => void) | undefined, event: Event): void {
  try {
    hook?.(event);
  } catch {
    // A fault of the application's logging must not fail its calls.
  }
}
