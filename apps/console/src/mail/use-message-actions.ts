import type { filingFolders, MailListRow } from '@firmdesk/contract';
import { mailRoute } from './mail-route.ts';
import { useMessageChanges } from './use-message-changes.ts';

/** Moves, restores and marks messages as {@link useMessageChanges} does, and closes an open message that leaves its folder. */
export function useMessageActions() {
  const { message: open } = mailRoute.useSearch();
  const navigate = mailRoute.useNavigate();
  const changes = useMessageChanges();
  const close = ({ id }: MailListRow) => {
    if (id === open) void navigate({ search: ({ message: _, ...rest }) => rest });
  };
  return {
    mark: changes.mark,
    move(row: MailListRow, to: (typeof filingFolders)[number]) {
      if (row.folder === to) return;
      changes.move({ row, to });
      close(row);
    },
    restore(row: MailListRow, conversation: boolean) {
      // Without a recorded previous folder, a restore would keep the message in the archive.
      if (row.folder === 'archive' && row.previous_folder === null) changes.move({ row, to: 'inbox' });
      else changes.restore({ row, conversation });
      close(row);
    },
  };
}
