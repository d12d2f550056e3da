import { asFirmdeskError } from '@firmdesk/client';
import { toast } from 'sonner';

/** Tells that something could not be done: the service's own words, and the id by which it is found in the logs. */
export function reportError(error: unknown, what: string): void {
  const { message, requestId } = asFirmdeskError(error);
  toast.error(what, { description: requestId ? `${message} (${requestId})` : message, duration: 10_000 });
}
