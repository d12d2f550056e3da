import type { Mailbox } from '@firmdesk/contract';
import { useQuery } from '@tanstack/react-query';
import { ErrorState, LoadingRows } from '../../ui/states.tsx';
import { threadQuery } from '../mail-queries.ts';
import { Conversation } from './conversation.tsx';
import { BackToList } from './message-bar.tsx';
import { OpenDraft } from './open-draft.tsx';

/** The conversation of the open message, or the editor if it is a draft without others. */
export function OpenMessage({ id, mailboxes }: { id: string; mailboxes: Mailbox[] }) {
  const thread = useQuery({ ...threadQuery(id), placeholderData: (before) => before });
  // Until another conversation is loaded, the one before is its placeholder.
  const isOther = thread.isPlaceholderData && !thread.data?.messages.some((message) => message.id === id);
  if (thread.isPending || isOther) return <LoadingRows label="Loading the message" rows={4} />;
  const opened = thread.data?.messages.find((message) => message.id === id);
  if (!thread.data || !opened) {
    return (
      <>
        <BackToList />
        <ErrorState error={thread.error} onRetry={() => void thread.refetch()} />
      </>
    );
  }
  const canWrite = mailboxes.some(({ id, can_write }) => id === thread.data.address_id && can_write);
  const isAlone = thread.data.messages.length === 1 && opened.folder === 'drafts';
  if (isAlone && canWrite) return <OpenDraft key={id} id={id} mailboxes={mailboxes} returnTo={null} />;
  return (
    <Conversation
      key={thread.data.id}
      thread={thread.data}
      opened={opened}
      mailboxes={mailboxes}
      canWrite={canWrite}
    />
  );
}
