import type { TicketHistoryEntry } from '@firmdesk/contract';
import { TimeOfDay } from '../../ui/time/timestamp.tsx';
import { authorName, phraseOf } from './change-phrases.ts';

/** More changes than these are folded into one line. */
const MAX_SHOWN = 3;

/** What one author changed of a ticket: "Ada Able assigned this to Ben Best". Many changes can be unfolded. */
export function TicketChanges({ entries }: { entries: readonly TicketHistoryEntry[] }) {
  const [first] = entries;
  const count = entries.reduce((sum, { changes }) => sum + changes.length, 0);
  const author = <span className="font-medium text-text">{authorName(first!)}</span>;
  if (count <= MAX_SHOWN) {
    return (
      <p className="px-3.5 text-xs text-muted wrap-anywhere" data-changes={count}>
        {author} {phraseOf(entries)} <Time entry={entries.at(-1)!} />
      </p>
    );
  }
  return (
    <details className="px-3.5 text-xs text-muted" data-changes={count}>
      <summary className="min-h-6 cursor-pointer leading-6 pointer-coarse:min-h-11 pointer-coarse:leading-11">
        {author} made {count} changes <Time entry={entries.at(-1)!} />
      </summary>
      <ul className="space-y-0.5 pl-4">
        {entries.map((entry) => (
          <li key={entry.id} className="wrap-anywhere">
            {author} {phraseOf([entry])} <Time entry={entry} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function Time({ entry }: { entry: TicketHistoryEntry }) {
  return (
    <span className="whitespace-nowrap">
      · <TimeOfDay at={entry.created_at} />
    </span>
  );
}
