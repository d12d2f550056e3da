export type { Connection, ConnectionState, ConnectionStatus } from './connection.ts';
export type { TokenSource } from './credentials.ts';
export {
  type AnyFirmdeskError,
  asFirmdeskError,
  type ClientErrorCode,
  FirmdeskError,
  type FirmdeskErrorCode,
  isFirmdeskError,
} from './errors.ts';
export type { FirmdeskRouter } from './firmdesk-router.ts';
export type { Procedures } from './generated/procedures.ts';
export type { RestErrorCodes } from './generated/rest.ts';
export type { AttemptEvent, Hooks, ResponseEvent, RetryEvent } from './hooks.ts';
export { newIdempotencyKey } from './idempotency-key.ts';
export { createRpcLinks, type RpcConnection, type RpcOptions } from './links.ts';
export type { Page } from './paging.ts';
export type { Mutation, Query, Subscription, Tracked } from './procedure.ts';
export { type Answer, createRestClient, type RestClient, type RestPaths } from './rest-client.ts';
export type { RetryOptions } from './retries.ts';
export {
  type CallOptions,
  type Calls,
  createRpcClient,
  type MutationOptions,
  type RpcClient,
} from './rpc-client.ts';
export type { SessionOptions } from './session-fetch.ts';
export {
  type VerifyWebhookOptions,
  verifyWebhook,
  type WebhookHeaders,
  WebhookVerificationError,
} from './verify-webhook.ts';
export type { SocketClass } from './watched-socket.ts';
