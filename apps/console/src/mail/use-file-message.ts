import type { filingFolders, MailListRow } from '@firmdesk/contract';
import { mailRoute } from './mail-route.ts';
import { useFiling } from './use-filing.ts';

/** Moves, restores and marks messages. An open message that leaves the folder is closed. */
export function useFileMessage() {
  const { message: open } = mailRoute.useSearch();
  const navigate = mailRoute.useNavigate();
  const filing = useFiling();
  const close = ({ id }: MailListRow) => {
    if (id === open) void navigate({ search: ({ message: _, ...rest }) => rest });
  };
  return {
    mark: filing.mark,
    move(row: MailListRow, to: (typeof filingFolders)[number]) {
      if (row.folder === to) return;
      filing.move({ row, to });
      close(row);
    },
    restore(row: MailListRow, conversation: boolean) {
      // Without a recorded previous folder, a restore would keep the message in the archive.
      if (row.folder === 'archive' && row.previous_folder === null) filing.move({ row, to: 'inbox' });
      else filing.restore({ row, conversation });
      close(row);
    },
  };
}
