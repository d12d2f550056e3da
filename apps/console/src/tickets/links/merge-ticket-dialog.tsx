import type { TicketWithCan } from '@firmdesk/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { trpc } from '../../api.ts';
import { reportError } from '../../shell/report-error.ts';
import { toast } from '../../shell/toast.ts';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { refetchTicket } from '../ticket-query.ts';
import { type ShownTicket, TicketPicker } from './ticket-picker.tsx';

const SHOWN = 50;

/** Merges a ticket into another one of its trader, after a confirmation. */
export function MergeTicketDialog({ ticket, onClose }: { ticket: TicketWithCan; onClose(): void }) {
  const { id, number, trader } = ticket;
  const [text, setText] = useState('');
  const [into, setInto] = useState<ShownTicket | null>(null);
  const { data, error } = useQuery(
    trpc.tickets.list.queryOptions({ q: trader.id, status: 'open', sort: '-last_message_at', limit: SHOWN }),
  );
  const merge = useMutation(
    trpc.tickets.merge.mutationOptions({
      async onSuccess(target) {
        await refetchTicket(id);
        toast.success(`${number} merged into ${target.number}`);
      },
      onError: (failure) => reportError(failure, `Couldn’t merge ${number}`),
    }),
  );
  if (into) {
    return (
      <ConfirmDialog
        title={`Merge ${number} into ${into.number}?`}
        confirmLabel="Merge tickets"
        onClose={onClose}
        onConfirm={() => merge.mutate({ ticket: id, into: into.id })}
      >
        The messages of {number} move to {into.number} “{into.subject}”, and {number} is closed. This can’t be
        undone.
      </ConfirmDialog>
    );
  }
  const wanted = text.trim().toLowerCase();
  const others = (data?.data ?? []).filter(
    (other) => other.id !== id && `${other.number} ${other.subject}`.toLowerCase().includes(wanted),
  );
  return (
    <TicketPicker
      title={`Merge ${number} into…`}
      placeholder={`Filter the open tickets of ${trader.name}`}
      text={text}
      onText={setText}
      tickets={others}
      empty={
        error
          ? 'Couldn’t load the tickets'
          : data
            ? `No other open tickets of ${trader.name} match`
            : 'Loading…'
      }
      onChoose={setInto}
      onClose={onClose}
    />
  );
}
