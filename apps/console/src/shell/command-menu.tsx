import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { trpc } from '../api.ts';
import { Keys } from '../keyboard/keys.tsx';
import { usePermission } from '../session/account.ts';
import { ticketStatusLabels } from '../tickets/properties/ticket-labels.ts';
import { Picker, PickerGroup, PickerItem } from '../ui/picker.tsx';
import { rankByName } from './rank-commands.ts';
import { useCommands } from './use-commands.ts';

/** The pause in typing after which tickets are searched. */
const TYPING_MS = 200;
const TICKETS_SHOWN = 5;
const SEARCH_TICKETS = 'search tickets';

/**
 * Finds commands, pages, views, people, tags and tickets by name. It is part of the first load, so that keys typed right after
 * ⌘K are not lost.
 */
export function CommandMenu({ onClose }: { onClose(): void }) {
  const [text, setText] = useState('');
  /** The entry that was moved to; null while it is the first one, also if others are loaded before it. */
  const [moved, setMoved] = useState<string | null>(null);
  const isMoving = useRef(false);
  const commands = rankByName(useCommands(), text);
  const isSearching = text.trim() !== '';
  const choose = (run: () => void) => {
    onClose();
    run();
  };
  const groups: [heading: string, of: typeof commands][] = isSearching
    ? [['', commands]]
    : [...Map.groupBy(commands, ({ group }) => group)];
  return (
    <Picker
      title="Command menu"
      placeholder="Type a command or search tickets"
      text={text}
      onText={(next) => {
        setText(next);
        setMoved(null);
        isMoving.current = false;
      }}
      highlighted={{
        value: moved ?? groups[0]?.[1][0]?.id ?? SEARCH_TICKETS,
        onValueChange: (id) => isMoving.current && setMoved(id),
      }}
      onMove={() => {
        isMoving.current = true;
      }}
      empty="No results"
      onClose={onClose}
    >
      {groups.map(([heading, list]) => (
        <PickerGroup key={heading} heading={heading}>
          {list.map(({ id, name, group, keys, run }) => (
            <PickerItem key={id} id={id} onChoose={() => choose(run)}>
              <span className="min-w-0 truncate">{name}</span>
              {isSearching && <span className="text-xs text-muted">{group}</span>}
              <span className="flex-1" />
              {keys && <Keys keys={keys} />}
            </PickerItem>
          ))}
        </PickerGroup>
      ))}
      {isSearching && <FoundTickets text={text.trim()} choose={choose} />}
    </Picker>
  );
}

/** The tickets that match the text, and the search for all of them. Below the commands, so that none of these moves. */
function FoundTickets({ text, choose }: { text: string; choose(run: () => void): void }) {
  const navigate = useNavigate();
  const mayView = usePermission('view_tickets');
  const q = useSettled(text);
  const { data } = useQuery({
    ...trpc.tickets.list.queryOptions({ q, limit: TICKETS_SHOWN }),
    enabled: mayView && q.length > 1,
  });
  if (!mayView) return null;
  const tickets = q === text ? (data?.data ?? []) : [];
  return (
    <PickerGroup heading="Tickets">
      <PickerItem
        id={SEARCH_TICKETS}
        onChoose={() => choose(() => void navigate({ to: '/tickets', search: { q: text } }))}
      >
        <span className="min-w-0 truncate">Search tickets for “{text}”</span>
      </PickerItem>
      {tickets.map(({ id, number, subject, trader, status }) => (
        <PickerItem
          key={id}
          id={id}
          onChoose={() => choose(() => void navigate({ to: '/tickets/$ticket', params: { ticket: id } }))}
        >
          <span className="shrink-0 text-xs text-muted tabular-nums">{number}</span>
          <span className="min-w-0 truncate">{subject}</span>
          <span className="min-w-0 flex-1 truncate text-xs text-muted">{trader.name}</span>
          <span className="shrink-0 text-xs text-muted">{ticketStatusLabels[status].label}</span>
        </PickerItem>
      ))}
    </PickerGroup>
  );
}

/** Returns a value once it has stayed the same for {@link TYPING_MS}. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
