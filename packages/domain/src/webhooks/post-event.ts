import type { IncomingMessage } from 'node:http';
import { storableText } from '../platform/database/storable-text.ts';
import { guardedRequest, OutboundError } from '../platform/outbound/guarded-request.ts';
import type { Services } from '../platform/services.ts';
import { signatureHeaders } from './signature.ts';
import { webhookNetwork } from './webhook-url.ts';

/** The first bytes of an answer are kept, for people; no more are read, and not for longer. */
const KEPT_BYTES = 1_000;
const READ_MS = 2_000;

export interface Signed {
  id: string;
  body: string;
  secrets: readonly Buffer[];
}

export interface AttemptOutcome {
  isAccepted: boolean;
  /** The status of the answer; null without one. */
  status: number | null;
  detail: string;
}

/** Sends an event once. The endpoint accepts it with a status from 200 to 299. */
export async function postEvent(
  services: Pick<Services, 'clock' | 'webhooks'>,
  url: string,
  { id, body, secrets }: Signed,
  signal: AbortSignal | undefined,
): Promise<AttemptOutcome> {
  const timeout = AbortSignal.timeout(services.webhooks.attemptMs);
  const headers = {
    'Content-Type': 'application/json',
    Accept: '*/*',
    ...signatureHeaders(id, services.clock.now(), body, secrets),
  };
  const request = {
    method: 'POST' as const,
    headers,
    body,
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  };
  try {
    const answer = await guardedRequest(new URL(url), request, webhookNetwork(services));
    const status = answer.statusCode ?? 0;
    if (status >= 300 && status < 400) {
      answer.destroy();
      return { isAccepted: false, status, detail: 'Redirects are not followed: enter the new URL.' };
    }
    return { isAccepted: status >= 200 && status < 300, status, detail: await beginningOf(answer) };
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof OutboundError) return { isAccepted: false, status: null, detail: reasonOf(error) };
    throw error;
  }
}

function reasonOf({ message }: OutboundError): string {
  return `No answer: ${storableText(message).slice(0, KEPT_BYTES)}`;
}

/** Reads the beginning of an answer, whatever its headers say about it, and drops the rest. */
async function beginningOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const end = setTimeout(() => answer.destroy(), READ_MS);
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= KEPT_BYTES) break;
    }
  } catch {
    // The status has arrived, which is what counts.
  } finally {
    clearTimeout(end);
    answer.destroy();
  }
  return storableText(Buffer.concat(chunks).subarray(0, KEPT_BYTES).toString()).trim();
}
