import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { Dialog } from 'radix-ui';
import { type ReactNode, useEffect, useState } from 'react';
import { trpc } from '../api.ts';
import { Keys } from '../keyboard/keys.tsx';
import { usePermission } from '../session/account.ts';
import { ticketStatusLabels } from '../tickets/ticket-labels.ts';
import { useOverlayFocus } from '../ui/overlay-focus.ts';
import { rankByName } from './rank-commands.ts';
import { useCommands } from './use-commands.ts';

/** The pause in typing after which tickets are searched. */
const TYPING_MS = 200;
const TICKETS_SHOWN = 5;

/**
 * Finds commands, pages, views, people, tags and tickets by name. It is part of the first load, so that keys typed right after
 * ⌘K are not lost.
 */
export function CommandMenu({ onClose }: { onClose(): void }) {
  const [text, setText] = useState('');
  const focus = useOverlayFocus();
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
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Dialog.Content
          {...focus}
          aria-describedby={undefined}
          className="fixed top-[12vh] left-1/2 z-50 w-[min(36rem,calc(100vw-2rem))] -translate-x-1/2 overflow-hidden rounded-xl border border-line bg-raised shadow-2xl"
        >
          <Dialog.Title className="sr-only">Command menu</Dialog.Title>
          <Command shouldFilter={false} label="Command menu">
            <Command.Input
              value={text}
              onValueChange={setText}
              placeholder="Type a command or search tickets"
              className="w-full border-b border-line bg-transparent px-4 py-3 text-base outline-none placeholder:text-muted"
            />
            <Command.List className="max-h-[min(24rem,60dvh)] overflow-y-auto p-2">
              <Command.Empty className="px-3 py-6 text-center text-muted">No results</Command.Empty>
              {groups.map(([heading, list]) => (
                <Group key={heading} heading={heading}>
                  {list.map(({ id, name, group, keys, run }) => (
                    <Item key={id} id={id} onChoose={() => choose(run)}>
                      <span className="min-w-0 truncate">{name}</span>
                      {isSearching && <span className="text-xs text-muted">{group}</span>}
                      <span className="flex-1" />
                      {keys && <Keys keys={keys} />}
                    </Item>
                  ))}
                </Group>
              ))}
              {isSearching && <FoundTickets text={text.trim()} choose={choose} />}
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
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
    <Group heading="Tickets">
      <Item
        id="search tickets"
        onChoose={() => choose(() => void navigate({ to: '/tickets', search: { q: text } }))}
      >
        <span className="min-w-0 truncate">Search tickets for “{text}”</span>
      </Item>
      {tickets.map(({ id, number, subject, trader, status }) => (
        <Item
          key={id}
          id={id}
          onChoose={() => choose(() => void navigate({ to: '/tickets/$ticket', params: { ticket: id } }))}
        >
          <span className="shrink-0 text-xs text-muted tabular-nums">{number}</span>
          <span className="min-w-0 truncate">{subject}</span>
          <span className="min-w-0 flex-1 truncate text-xs text-muted">{trader.name}</span>
          <span className="shrink-0 text-xs text-muted">{ticketStatusLabels[status].label}</span>
        </Item>
      ))}
    </Group>
  );
}

function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      {...(heading && { heading })}
      className="text-xs text-muted [&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-item]]:text-sm [&_[cmdk-item]]:text-text"
    >
      {children}
    </Command.Group>
  );
}

function Item({ id, onChoose, children }: { id: string; onChoose(): void; children: ReactNode }) {
  return (
    <Command.Item
      value={id}
      onSelect={onChoose}
      className="flex min-h-9 cursor-pointer items-center gap-3 rounded-md px-3 py-1.5 data-[selected=true]:bg-selected"
    >
      {children}
    </Command.Item>
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
