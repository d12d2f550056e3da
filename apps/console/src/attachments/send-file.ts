import { attachmentPath, oneLine } from '@firmdesk/contract';
import { firm } from '../session/firm.ts';

/** Announces a file to the service. */
export type AnnounceFile = (
  file: { name: string; size: number },
  options: { context: { idempotencyKey: string }; signal: AbortSignal },
) => Promise<{ id: string }>;

export interface SendFileOptions {
  announce: AnnounceFile;
  /** The idempotency key: sent again, the file is announced once. */
  key: string;
  /** Called with the sent part, from 0 to 1. */
  onProgress(part: number): void;
  signal: AbortSignal;
}

/** Announces a file and uploads its content. Returns its id. */
export async function sendFile(
  file: File,
  { announce, key, onProgress, signal }: SendFileOptions,
): Promise<string> {
  const { id } = await announce(
    { name: oneLine(file.name) || 'file', size: file.size },
    { context: { idempotencyKey: key }, signal },
  );
  await put(attachmentPath(firm!, id), file, onProgress, signal);
  return id;
}

/** The service has refused a content. */
export class UploadRefused extends Error {
  override name = 'UploadRefused';
  readonly status: number;
  constructor({ status, responseText }: XMLHttpRequest) {
    super(messageIn(responseText));
    this.status = status;
  }
}

function messageIn(body: string): string {
  try {
    return (JSON.parse(body) as { error: { message: string } }).error.message;
  } catch {
    return 'The service did not store the file.';
  }
}

/** Sends a content. `fetch` does not report its progress. */
function put(
  path: string,
  file: File,
  onProgress: (part: number) => void,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', path);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
    request.onload = () => (request.status === 204 ? resolve() : reject(new UploadRefused(request)));
    request.onerror = () => reject(new TypeError('The connection was interrupted.'));
    request.onabort = () => reject(new DOMException('The upload was cancelled.', 'AbortError'));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(file);
  });
}
