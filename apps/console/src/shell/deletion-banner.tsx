import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { trpc } from '../api.ts';
import { useAccount } from '../session/account.ts';
import { isTestData } from '../session/firm-path.ts';
import { Timestamp } from '../ui/time/timestamp.tsx';

/** How often the banner asks again while the window is open. */
const REFRESH_MS = 600_000;

/** Says on each page when the firm is deleted, to those who can cancel it. */
export function DeletionBanner() {
  const { workspace } = useAccount();
  const { data } = useQuery(
    trpc.firm.data.deletion.queryOptions(undefined, {
      enabled: !isTestData(workspace.slug),
      refetchInterval: REFRESH_MS,
    }),
  );
  if (!data?.due_at) return null;
  return (
    <section
      aria-label="Deletion of the firm"
      className="shrink-0 bg-danger-surface px-4 py-1.5 text-center text-danger"
    >
      <strong className="font-semibold">
        This firm will be deleted on <Timestamp at={data.due_at} />.
      </strong>{' '}
      <Link to="/settings/data" className="rounded underline">
        Show or cancel
      </Link>
    </section>
  );
}
