/**
 * The gateway's test harness, for tests of domain rules that call `/v1` and `/trpc`. Only tests import it. The path is
 * relative because the gateway's package depends on this one.
 */
export * from '../../../testing/src/gateway/index.ts';
