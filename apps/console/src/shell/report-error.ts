import { asFirmdeskError } from '@firmdesk/client';
import { toast } from './toast.ts';

/** Shows an error toast: what failed, the service's message, and the request id for the logs. */
export function reportError(error: unknown, title: string): void {
  const { message, requestId } = asFirmdeskError(error);
  toast.error(title, { description: requestId ? `${message} (${requestId})` : message, duration: 10_000 });
}
