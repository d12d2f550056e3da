import { enterFirm } from '../session/enter-firm.ts';
import { liveSlug } from '../session/firm-path.ts';
import { reportError } from './report-error.ts';

/**
 * Loads the live or the test data of a firm in this window, which shows that of `current`. A session of test data opens no other: the
 * live session of the window's firm opens it.
 */
export async function show(slug: string, current: string, name: string): Promise<void> {
  if (slug === current) return;
  try {
    await enterFirm(slug, liveSlug(current));
  } catch (error) {
    reportError(error, `Couldn’t open ${name}`);
  }
}
