import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useRef, useState } from 'react';
import { Keys } from '../keyboard/keys.tsx';
import { useAccount, usePermission } from '../session/account.ts';
import { useStoredValue } from '../stored-value.ts';
import { Picker, PickerGroup, PickerItem } from '../ui/overlays/picker.tsx';
import { whenIdle } from '../when-idle.ts';
import { rankByName } from './rank-commands.ts';
import { recentOf, rememberRecent } from './recent.ts';
import { type Command, useCommands } from './use-commands.ts';

const SEARCH_TICKETS = 'search tickets';

const loadFound = () => import('./found-records.tsx');
/** Below the commands, so that none of these moves. Loaded before the menu is opened. */
const FoundRecords = lazy(async () => ({ default: (await loadFound()).FoundRecords }));
whenIdle(() => void loadFound().catch(() => {}));

/**
 * Finds commands, pages, views, people, tags, calendars, tickets, mails and events. Before typing it offers what was opened and used last, and
 * then the actions of the page. It is part of the first load, so that keys typed right after
 * ⌘K are not lost.
 */
export function CommandMenu({ onClose }: { onClose(): void }) {
  const [text, setText] = useState('');
  /** The entry that was moved to; null while it is the first one, also if others are loaded before it. */
  const [moved, setMoved] = useState<string | null>(null);
  const isMoving = useRef(false);
  const navigate = useNavigate();
  const mayViewTickets = usePermission('view_tickets');
  const all = useCommands();
  const { id: userId } = useAccount().user;
  const latest = useStoredValue(recentOf(userId));
  const recent = latest.flatMap((entry): Command[] => {
    if (!('to' in entry)) return all.filter(({ id }) => id === entry.id);
    const { to, search } = entry;
    return [{ ...entry, run: () => void navigate({ to, ...(search && { search }) }) }];
  });
  const recentIds = new Set(recent.map(({ id }) => id));
  const commands = rankByName(all, text);
  const isSearching = text.trim() !== '';
  const choose = (run: () => void) => {
    onClose();
    run();
  };
  const groups: [heading: string, of: typeof commands][] = isSearching
    ? [['', commands]]
    : [
        ...(recent.length > 0 ? [['Recent', recent] as [string, typeof commands]] : []),
        ...Map.groupBy(
          commands.filter(({ id }) => !recentIds.has(id)),
          ({ group }) => group,
        ),
      ];
  return (
    <Picker
      title="Command menu"
      placeholder="Type a command, or search tickets, people, mail and events"
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
            <PickerItem
              key={id}
              id={id}
              onChoose={() => {
                if (!latest.some((entry) => entry.id === id && 'to' in entry)) rememberRecent(userId, { id });
                choose(run);
              }}
            >
              <span className="min-w-0 truncate">{name}</span>
              {(isSearching || heading === 'Recent') && (
                <span className="shrink-0 text-xs text-muted">{group}</span>
              )}
              <span className="flex-1" />
              {keys && <Keys keys={keys} />}
            </PickerItem>
          ))}
        </PickerGroup>
      ))}
      {isSearching && mayViewTickets && (
        <PickerItem
          id={SEARCH_TICKETS}
          onChoose={() => choose(() => void navigate({ to: '/tickets', search: { q: text.trim() } }))}
        >
          <span className="min-w-0 truncate">Search tickets for “{text.trim()}”</span>
        </PickerItem>
      )}
      {isSearching && (
        <Suspense>
          <FoundRecords text={text.trim()} choose={choose} />
        </Suspense>
      )}
    </Picker>
  );
}
