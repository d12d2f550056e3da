import type { Mailbox } from '@firmdesk/contract';
import { useQuery } from '@tanstack/react-query';
import { ErrorState, LoadingRows } from '../../ui/states.tsx';
import { DraftEditor } from '../drafts/draft-editor.tsx';
import { messageQuery } from '../mail-queries.ts';
import { BackToList } from './message-bar.tsx';

/** The editor of a draft. */
export function OpenDraft({
  id,
  mailboxes,
  returnTo,
}: {
  id: string;
  mailboxes: Mailbox[];
  /** Another message of its conversation, below which it is shown; null if it is alone. */
  returnTo: string | null;
}) {
  const draft = useQuery(messageQuery(id));
  if (draft.isPending) return <LoadingRows label="Loading the draft" rows={3} />;
  if (!draft.data) {
    return (
      <>
        {returnTo === null && <BackToList />}
        <ErrorState error={draft.error} onRetry={() => void draft.refetch()} />
      </>
    );
  }
  if (draft.data.folder !== 'drafts') return null;
  return <DraftEditor draft={draft.data} mailboxes={mailboxes} returnTo={returnTo} />;
}
