import { useAccount } from '../session/account.ts';
import { liveSlug } from '../session/firm-path.ts';
import { show } from './show-firm.ts';

/** Says on each page that the window shows test data, and leads back. */
export function TestDataBanner() {
  const { workspace } = useAccount();
  return (
    <section
      aria-label="Test data"
      className="shrink-0 bg-warning-surface px-4 py-1.5 text-center text-warning"
    >
      <strong className="font-semibold">Test data.</strong> Pushes are recorded and not sent, and a demo
      assistant replies.{' '}
      <button
        type="button"
        className="rounded underline"
        onClick={() => void show(liveSlug(workspace.slug), workspace.slug, workspace.name)}
      >
        Show live data
      </button>
    </section>
  );
}
