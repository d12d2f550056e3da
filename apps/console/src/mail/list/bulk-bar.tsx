import { Archive, MailCheck, MailOpen, OctagonAlert, Trash2, X } from 'lucide-react';
import { useMemo } from 'react';
import { type Shortcut, useShortcuts } from '../../keyboard/shortcuts.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { type BulkChange, useBulkChange } from '../changes/use-bulk-change.ts';
import type { ListedMail } from '../mail-queries.ts';
import type { MailSelection } from './use-mail-selection.ts';

/** What can be done with the selected conversations, and how far it is. */
export function BulkBar({
  listed,
  title,
  selection,
}: {
  listed: ListedMail;
  /** The name of the list. */
  title: string;
  selection: MailSelection;
}) {
  const { progress, run, stop } = useBulkChange(listed);
  const { clear, count, isAll, selectAll, threads } = selection;
  const isShown = isAll || count > 0 || progress !== null;
  const shortcuts = useMemo<Shortcut[]>(
    () => [{ keys: 'Escape', label: 'Clear the selection', group: 'Mail', run: clear }],
    [clear],
  );
  useShortcuts(shortcuts, isShown);
  if (!isShown) return null;
  if (progress) {
    return (
      <div role="status" className="flex items-center gap-2 pt-2">
        <progress
          aria-label="Changing conversations"
          className="min-w-0 flex-1"
          {...(progress.count !== null && { value: progress.done, max: progress.count })}
        />
        <span className="shrink-0 text-xs tabular-nums">
          {progress.count === null ? 'Counting…' : `${progress.done} of ${progress.count}`}
        </span>
        <Button onClick={stop}>Stop</Button>
      </div>
    );
  }
  const change = (what: BulkChange) => {
    clear();
    void run(isAll ? null : threads(), what);
  };
  const { view } = listed;
  return (
    <div role="toolbar" aria-label="Selected conversations" className="pt-2">
      <div className="flex flex-wrap items-center gap-1">
        <span role="status" className="mr-1 text-xs font-medium">
          {isAll ? `All in ${title}` : `${count} selected`}
        </span>
        <IconButton
          icon={MailCheck}
          label="Mark selected as read"
          onClick={() => change({ is_read: true })}
        />
        <IconButton
          icon={MailOpen}
          label="Mark selected as unread"
          onClick={() => change({ is_read: false })}
        />
        {view === 'spam' || view === 'archive' || view === 'trash' ? (
          <Button onClick={() => change({ to: 'inbox' })}>Move to Inbox</Button>
        ) : (
          <IconButton icon={Archive} label="Archive selected" onClick={() => change({ to: 'archive' })} />
        )}
        {view !== 'spam' && (
          <IconButton
            icon={OctagonAlert}
            label="Move selected to spam"
            onClick={() => change({ to: 'spam' })}
          />
        )}
        {view !== 'trash' && (
          <IconButton icon={Trash2} label="Move selected to trash" onClick={() => change({ to: 'trash' })} />
        )}
        <span className="flex-1" />
        <IconButton icon={X} label="Clear the selection" keys="Escape" onClick={clear} />
      </div>
      {!isAll && (
        <Button variant="quiet" onClick={selectAll}>
          Select all in {title}
        </Button>
      )}
    </div>
  );
}
