import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError, errorBody, newId, systemClock } from '@firmdesk/domain';
import { endConnection } from './connections.ts';

/** All methods that any path accepts. */
const ALLOW = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
const HEAD_TOO_LARGE = 431;

/** Responds to a request that Node's HTTP parser rejected, with an error code and a request id like any other error. */
export function rejectMalformedRequest(
  error: NodeJS.ErrnoException,
  socket: Socket,
  headers: Record<string, string>,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else endConnection(socket, responseTo(error, headers));
}

function responseTo(error: NodeJS.ErrnoException, headers: Record<string, string>): string {
  const requestId = newId('request', systemClock.now());
  const lines = [
    ...idHeaders(requestId),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  // For an incomplete request, the API has no error code.
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    const head = ['HTTP/1.1 408 Request Timeout', 'Connection: close', 'Content-Length: 0', ...lines];
    return `${head.join('\r\n')}\r\n\r\n`;
  }
  const api = errorFor(error.code);
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? HEAD_TOO_LARGE : api.status;
  const body = JSON.stringify(errorBody(api, requestId));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...lines,
    ...(api.apiCode === 'method_not_allowed' ? [`Allow: ${ALLOW}`] : []),
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/** Returns the headers with the id of an answer that is written to the connection itself. */
export function idHeaders(requestId: string): string[] {
  return [`X-Request-Id: ${requestId}`, `Request-Id: ${requestId}`];
}

function errorFor(code: string | undefined): ApiError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError('payload_too_large', {
        message: 'The request line and headers must be at most 16 KiB.',
      });
    case 'HPE_INVALID_METHOD':
      return new ApiError('method_not_allowed');
    default:
      return new ApiError('validation_failed', {
        status: 400,
        message: 'The request must be a valid HTTP/1.1 request.',
      });
  }
}
