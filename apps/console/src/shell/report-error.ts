import { errorTextWithId } from '../ui/error-text.ts';
import { toast } from './toast.ts';

/** Shows an error toast: what failed, why, and the id for the logs of a failure of the service. */
export function reportError(error: unknown, title: string): void {
  toast.error(title, { description: errorTextWithId(error), duration: 10_000 });
}
