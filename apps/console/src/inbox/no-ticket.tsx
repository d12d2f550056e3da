import { Inbox } from 'lucide-react';
import { Keys } from '../keyboard/keys.tsx';
import { usePageTitle } from '../ui/page.tsx';
import { useView } from './use-view.ts';

/** Shown beside the list while no ticket is open. */
export function NoTicket() {
  usePageTitle(useView().name);
  return (
    <div className="flex h-full flex-col items-center justify-center gap-3 p-8 text-center text-muted">
      <Inbox size={28} aria-hidden="true" strokeWidth={1.5} />
      <p>Select a ticket from the list.</p>
      <p className="flex items-center gap-1.5 text-xs">
        <Keys keys="j k" /> to move, <Keys keys="/" /> to search, <Keys keys="?" /> for all shortcuts
      </p>
    </div>
  );
}
