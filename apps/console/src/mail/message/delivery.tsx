import type { DeliveryState, OpenMailMessage, SentDelivery } from '@firmdesk/contract';
import { Check, CircleAlert, Clock, type LucideIcon, Undo2 } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Timestamp } from '../../ui/time/timestamp.tsx';
import { useTakeBackMail } from '../drafts/send-draft.ts';

const states: Record<DeliveryState, { label: string; icon: LucideIcon; isBad?: true }> = {
  queued: { label: 'Waiting to be sent to', icon: Clock },
  sent: { label: 'Sent to', icon: Check },
  delivered_locally: { label: 'Delivered to', icon: Check },
  failed: { label: 'Not delivered to', icon: CircleAlert, isBad: true },
  not_sent: { label: 'Not sent to', icon: CircleAlert, isBad: true },
};

/** What became of a message that was sent here, for each recipient. While it is delayed, it can be taken back. */
export function Delivery({ id, delivery }: { id: OpenMailMessage['id']; delivery: SentDelivery }) {
  const takeBack = useTakeBackMail();
  const { send_at, recipients } = delivery;
  return (
    <section
      aria-label="Delivery"
      className="max-h-40 shrink-0 overflow-y-auto border-b border-line px-5 py-2.5"
    >
      {send_at && (
        <p className="mb-1 flex flex-wrap items-center gap-2">
          <span className="flex-1">
            Leaves <Timestamp at={send_at} />. Until then you can change it.
          </span>
          <Button onClick={() => void takeBack(id)}>
            <Undo2 size={15} aria-hidden="true" />
            Undo sending
          </Button>
        </p>
      )}
      <ul>
        {recipients.map(({ email, state, detail }) => {
          const { label, icon: Icon, isBad } = states[state];
          // The words of a server that has taken the message say nothing to its author.
          const reason = isBad || state === 'queued' ? detail : null;
          return (
            <li key={email} className="flex items-start gap-2">
              <Icon
                size={15}
                aria-hidden="true"
                className={classNames('mt-0.5 shrink-0', isBad ? 'text-danger' : 'text-muted')}
              />
              <span className="min-w-0 wrap-anywhere">
                <span className={isBad ? 'font-medium text-danger' : 'text-muted'}>{label}</span> {email}
                {reason && <span className="text-muted">: {reason}</span>}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
