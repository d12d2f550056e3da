import type { filingFolders, MailListRow } from '@firmdesk/contract';
import { mailRoute } from './mail-route.ts';
import { useFiling } from './use-filing.ts';

/** Files a message; one that is open is closed by that, for it has left the folder. */
export function useFileMessage() {
  const { message: open } = mailRoute.useSearch();
  const navigate = mailRoute.useNavigate();
  const filing = useFiling();
  const leave = ({ id }: MailListRow) => {
    if (id === open) void navigate({ search: ({ message: _, ...rest }) => rest });
  };
  return {
    mark: filing.mark,
    move(row: MailListRow, to: (typeof filingFolders)[number]) {
      if (row.folder === to) return;
      filing.move({ row, to });
      leave(row);
    },
    restore(row: MailListRow, conversation: boolean) {
      // A restore leaves a message in the archive where no folder is recorded that it came from.
      if (row.folder === 'archive' && row.previous_folder === null) filing.move({ row, to: 'inbox' });
      else filing.restore({ row, conversation });
      leave(row);
    },
  };
}
