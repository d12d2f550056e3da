import type { SenderCheck } from '@firmdesk/contract';
import { CircleAlert } from 'lucide-react';

/** Says if the domain of the sender does not vouch for the message, and which other domain does. */
export function SenderCheckLine({ check: { status, via } }: { check: SenderCheck }) {
  if (status === 'verified') return null;
  if (status === 'failed')
    return (
      <p className="flex items-start gap-1.5 font-medium text-danger">
        <CircleAlert size={15} aria-hidden="true" className="mt-0.5 shrink-0" />
        <span className="min-w-0 wrap-anywhere">
          This is probably not from the sender: the domain of the address disowns it{via && ` (via ${via})`}.
        </span>
      </p>
    );
  return (
    <p className="text-muted wrap-anywhere">
      {via ? `via ${via}; the sender could not be verified` : 'The sender could not be verified'}
    </p>
  );
}
