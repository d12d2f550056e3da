import type { Selection } from '../selection.ts';
import type { TicketList } from '../ticket-lists.ts';
import { BulkBar } from './bulk-bar.tsx';
import { BulkProgress } from './bulk-progress.tsx';

/** Above the list: the actions on the selected tickets, or else the progress of the latest bulk change. */
export default function BulkPane({
  list,
  selection,
  shown,
}: {
  list: TicketList;
  selection: Selection | null;
  shown: string | null;
}) {
  if (selection) return <BulkBar list={list} selection={selection} />;
  return shown === null ? null : <BulkProgress key={shown} id={shown} />;
}
