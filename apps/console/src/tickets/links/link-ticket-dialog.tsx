import type { TicketWithCan } from '@firmdesk/contract';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { trpc } from '../../api.ts';
import { changeLink } from './ticket-links.ts';
import { TicketPicker } from './ticket-picker.tsx';

const SHOWN = 20;

/** Links a ticket with one that is searched for, at first with another one of the trader. */
export function LinkTicketDialog({ ticket, onClose }: { ticket: TicketWithCan; onClose(): void }) {
  const [text, setText] = useState('');
  const q = useDeferredValue(text.trim()).slice(0, 100) || ticket.trader.id;
  const { data, error } = useQuery({
    ...trpc.tickets.list.queryOptions({ q, sort: '-last_message_at', limit: SHOWN }),
    placeholderData: (shown) => shown,
  });
  const linked = new Set([ticket.id, ...ticket.links.map(({ id }) => id)]);
  return (
    <TicketPicker
      title={`Link ${ticket.number} with another ticket`}
      placeholder="Search by number, subject or trader"
      text={text}
      onText={setText}
      tickets={(data?.data ?? []).filter(({ id }) => !linked.has(id))}
      empty={error ? 'Couldn’t load the tickets' : data ? 'No tickets found' : 'Loading…'}
      onChoose={(other) => {
        onClose();
        void changeLink('link', ticket, other);
      }}
      onClose={onClose}
    />
  );
}
