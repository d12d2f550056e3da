/**
 * The gateway's test harness, for tests of a domain rule that speak `/v1` and `/trpc`. Only tests import it: the domain
 * itself does not know its gateway. The path is relative because the gateway's package depends on this one.
 */
export * from '../../../../apps/gateway/src/testing/index.ts';
