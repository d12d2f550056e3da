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
export { createRpcLinks, type RpcConnection, type RpcOptions } from './links.ts';
export type { SessionOptions } from './session-fetch.ts';
export type { SocketClass } from './watched-socket.ts';
