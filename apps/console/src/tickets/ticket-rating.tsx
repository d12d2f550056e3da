import { useQuery } from '@tanstack/react-query';
import { trpc } from '../api.ts';
import { Timestamp } from '../ui/time/timestamp.tsx';

/** What the trader of an ended ticket said about the answers, or that they were asked. */
export function TicketRating({ ticket }: { ticket: string }) {
  const { data: rating } = useQuery(trpc.satisfaction.get.queryOptions({ ticket }));
  if (!rating) return null;
  if (rating.score === null || rating.rated_at === null)
    return (
      rating.asked_at && (
        <p className="mt-2 text-muted">
          The trader was asked how satisfied they were <Timestamp at={rating.asked_at} />.
        </p>
      )
    );
  return (
    <section aria-label="Satisfaction" className="mt-2">
      <p>
        <span className="font-medium">Satisfaction: {rating.score} of 5</span>{' '}
        <span className="text-xs text-muted">
          <Timestamp at={rating.rated_at} />
        </span>
      </p>
      {rating.comment !== '' && (
        <p dir="auto" className="whitespace-pre-wrap">
          {rating.comment}
        </p>
      )}
    </section>
  );
}
