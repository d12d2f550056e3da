import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { trpc } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { Skeleton } from '../ui/states.tsx';
import { Timestamp } from '../ui/time/timestamp.tsx';

const SHOWN = 5;

/** The newest mail from a trader's address in the mailboxes that the user may read. */
export function TraderMail({ address }: { address: string }) {
  const { data, error, refetch } = useQuery(
    trpc.mail.from.queryOptions({ address, limit: SHOWN }, { staleTime: 60_000 }),
  );
  if (error) return <Button onClick={() => void refetch()}>Couldn’t load the mail. Try again</Button>;
  if (!data) return <Skeleton className="h-8" />;
  if (data.length === 0) return <p className="text-muted">No mail from this address</p>;
  return (
    <ul className="-mx-2 space-y-0.5">
      {data.map(({ id, address_id, folder, subject, message_at }) => (
        <li key={id}>
          <Link
            to="/mail"
            search={{ mailbox: address_id, folder, message: id }}
            className="block rounded-md px-2 py-1.5 hover:bg-hover"
          >
            <span className="line-clamp-2 wrap-anywhere">{subject || 'No subject'}</span>
            <span className="mt-0.5 block text-xs text-muted">
              <Timestamp at={message_at} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
