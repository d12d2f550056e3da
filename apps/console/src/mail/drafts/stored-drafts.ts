import { type AnyFirmdeskError, asFirmdeskError } from '@firmdesk/client';
import type { MailMessage, MailThreadRow, OpenMailMessage } from '@firmdesk/contract';
import type { InfiniteData } from '@tanstack/react-query';
import { client, queryClient, trpc } from '../../api.ts';
import { asDraftFile, fileIds } from '../../attachments/draft-file.ts';
import { isUploading } from '../../attachments/uploads.ts';
import type { ListPage } from '../../paged-query.ts';
import { toast } from '../../shell/toast.ts';
import { isUnreachable } from '../../unreachable.ts';
import { plainText } from './body-text.ts';
import { type DraftContent, type DraftSave, DraftSaver, isSame, type StoredDraft } from './draft-saver.ts';
import { parseAddresses, recipientAddresses, withoutRefused } from './recipients.ts';
import { deleteUnsaved, keepUnsaved, markFailed, readUnsaved, unsavedDrafts } from './unsaved-drafts.ts';

/** The length of the text that a list shows of a message. */
const SNIPPET_LENGTH = 200;

/** What saves the drafts whose editor is open, or was closed while it saved. */
const savers = new Map<string, DraftSaver>();
const opened = new Set<string>();
/** The last save of each draft without its editor, which may have been opened meanwhile. */
const keptSaves = new Map<string, Promise<{ from: string; to: string } | null>>();

/** Returns what saves a draft while it is edited, beginning with changes that the browser has kept. */
export function saverOf(draft: OpenMailMessage): DraftSaver {
  const { id } = draft;
  // Two savers of one draft would treat each other's saves as those of somebody else.
  const known = savers.get(id);
  if (known) return known;
  return new DraftSaver(toStoredDraft(draft), readUnsaved(id), {
    async save(content, version) {
      try {
        // A version that this page has saved meanwhile is no other version.
        const kept = await keptSaves.get(id);
        return await save(id, content, kept?.from === version ? kept.to : version);
      } catch (error) {
        if (isUnreachable(error)) markFailed(id);
        throw error;
      }
    },
    load: async () => toStoredDraft(await client.mail.get.query({ id })),
    keepUnsaved: (unsaved) => keepUnsaved(id, unsaved),
    deleteUnsaved: () => deleteUnsaved(id),
  });
}

/** Marks a draft as open in an editor. Returns a function that ends this, and resolves when the draft is saved. */
export function openDraft(id: string, saver: DraftSaver): () => Promise<void> {
  savers.set(id, saver);
  opened.add(id);
  return async () => {
    opened.delete(id);
    await saver.flush();
    // Uploads that go on are saved by the same saver.
    const isUsed = saver.state.content.files.some((file) => file.id === null && isUploading(file.key));
    if (!opened.has(id) && !isUsed) savers.delete(id);
  };
}

/** Resolves when the drafts that are open have been saved, or could not be. */
export async function savedDrafts(): Promise<void> {
  await Promise.all([...savers.values()].map((saver) => saver.flush()));
}

/**
 * Saves the changes of drafts that the browser has kept, without their editors. Changes that the service rejects, or that meet another
 * version, stay until the draft is opened.
 */
export async function saveKeptDrafts(): Promise<void> {
  for (const id of unsavedDrafts()) {
    if (savers.has(id)) continue;
    const saving = inOneTab(id, () => saveKept(id));
    keptSaves.set(id, saving);
    await saving;
  }
}

/** Runs a function while no other tab runs it for the same draft. Locks need HTTPS. */
function inOneTab<Result>(id: string, run: () => Promise<Result>): Promise<Result> {
  return 'locks' in navigator ? navigator.locks.request(`firmdesk.mail-draft.${id}`, run) : run();
}

async function saveKept(id: string) {
  const unsaved = readUnsaved(id);
  if (!unsaved || unsaved.isPartlySaved) return null;
  const { content, version: from } = unsaved;
  try {
    const { version: to, refused } = await save(id, content, from);
    const newer = readUnsaved(id);
    if (newer && newer.version === from && !isSame(newer.content, content))
      keepUnsaved(id, { ...newer, version: to });
    else if (refused) keepUnsaved(id, { content, version: to, isPartlySaved: true });
    else deleteUnsaved(id);
    return { from, to };
  } catch (error) {
    // The draft's editor shows the reason, if there is still a draft.
    if (asFirmdeskError(error).code === 'resource_not_found') await keepAsNew(id, content);
    return null;
  }
}

async function keepAsNew(id: string, content: DraftContent): Promise<void> {
  try {
    await saveAsNewDraft(content);
    deleteUnsaved(id);
    toast.message(
      `Your changes of a deleted draft were saved as a new draft: “${content.subject || 'No subject'}”`,
    );
  } catch {
    // Its mailbox may be accessible again later.
  }
}

/** Saves the content of a draft that was deleted elsewhere as a new one, and resolves with its id. */
export async function saveAsNewDraft(content: DraftContent): Promise<string> {
  // Its files were deleted with it, as the message that it answers may have been.
  return (await client.mail.saveDraft.mutate(inputOf({ ...content, files: [], in_reply_to: null }))).id;
}

/**
 * Saves a version of a draft. Another version that came in between is not overwritten. Addresses that the service refuses, such as one that
 * is still being typed, are left out: the rest of the draft does not wait for them.
 */
async function save(draft_id: string, content: DraftContent, version: string): Promise<DraftSave> {
  const send = async (input: ReturnType<typeof inputOf>, refused: AnyFirmdeskError | null) => {
    const ifMatch = `"${version}"`;
    const saved = await client.mail.saveDraft.mutate({ ...input, draft_id }, { context: { ifMatch } });
    showInLists(saved, content);
    return { version: saved.message_at, refused };
  };
  const input = inputOf(content);
  try {
    return await send(input, null);
  } catch (thrown) {
    const error = asFirmdeskError(thrown);
    const rest = withoutRefused(input, error);
    if (rest === null) throw error;
    return send(rest, error);
  }
}

/** Shows a saved draft in the lists that are loaded. */
function showInLists({ id, subject, to_recipients, message_at }: MailMessage, { body }: DraftContent): void {
  const snippet = plainText(body).slice(0, SNIPPET_LENGTH);
  const saved = { subject, to_recipients, message_at, snippet };
  queryClient.setQueriesData<InfiniteData<ListPage<MailThreadRow>, string | null>>(
    trpc.mail.threads.list.pathFilter(),
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) => ({
          ...page,
          data: page.data.map((row) =>
            row.message.id === id ? { ...row, message: { ...row.message, ...saved } } : row,
          ),
        })),
      },
  );
}

/** Returns a draft as the service takes it. */
export function inputOf({ to, cc, bcc, files, ...content }: DraftContent) {
  return {
    ...content,
    to: parseAddresses(to),
    cc: parseAddresses(cc),
    bcc: parseAddresses(bcc),
    attachments: fileIds(files),
  };
}

export function toStoredDraft({
  address_id,
  subject,
  body,
  message_at,
  in_reply_to,
  attachments,
  ...draft
}: OpenMailMessage): StoredDraft {
  return {
    content: {
      address_id,
      to: recipientAddresses(draft.to_recipients),
      cc: recipientAddresses(draft.cc_recipients),
      bcc: recipientAddresses(draft.bcc_recipients),
      subject,
      body,
      files: attachments.map(asDraftFile),
      in_reply_to,
    },
    version: message_at,
  };
}
