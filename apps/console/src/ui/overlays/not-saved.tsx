import { CloudOff } from 'lucide-react';
import { useIsStalled } from '../../outbox/outbox.ts';
import { classNames } from '../class-names.ts';

/** Says in place that a change is being saved, or waits for the line. */
export function NotSaved({ className }: { className?: string }) {
  const isStalled = useIsStalled();
  return (
    <span
      role="status"
      className={classNames(
        'inline-flex items-center gap-1 text-xs',
        isStalled ? 'font-medium text-warning' : 'text-muted',
        className,
      )}
    >
      {isStalled && <CloudOff size={13} aria-hidden="true" />}
      {isStalled ? 'Not saved' : 'Saving…'}
    </span>
  );
}
