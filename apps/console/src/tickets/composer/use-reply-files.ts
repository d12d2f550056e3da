import { MAX_MESSAGE_ATTACHMENTS } from '@firmdesk/contract';
import { client } from '../../api.ts';
import type { DraftFile } from '../../attachments/draft-file.ts';
import { type DraftFiles, useDraftFiles } from '../../attachments/use-draft-files.ts';
import { useAccount } from '../../session/account.ts';
import { type ComposerMode, changeDraftFiles } from './reply-drafts.ts';

/** @param files those of the draft of the ticket and mode */
export function useReplyFiles(ticket: string, mode: ComposerMode, files: readonly DraftFile[]): DraftFiles {
  const { user } = useAccount();
  return useDraftFiles({
    files,
    maxFiles: MAX_MESSAGE_ATTACHMENTS,
    announce: (file, options) => client.attachments.create.mutate({ ...file, ticket }, options),
    change: (change) => changeDraftFiles({ userId: user.id, ticket, mode }, change),
    // If this call fails, a job removes the file after some days.
    discard: (id) => void client.attachments.remove.mutate({ id }).catch(() => {}),
  });
}
