import type { OpenMailMessage } from '@firmdesk/contract';
import { client } from '../api.ts';
import { type DraftContent, DraftSaver, isSame, type StoredDraft } from './draft-saver.ts';
import { parseAddresses, recipientAddresses } from './recipients.ts';
import { deleteUnsaved, keepUnsaved, markFailed, readUnsaved, unsavedDrafts } from './unsaved-drafts.ts';

/** The drafts whose editor is open. It saves them itself. */
const opened = new Set<string>();
/** The last save of each draft without its editor, which may have been opened meanwhile. */
const keptSaves = new Map<string, Promise<{ from: string; to: string } | null>>();

/** Returns what saves a draft while it is edited, beginning with changes that the browser has kept. */
export function saverOf(draft: OpenMailMessage): DraftSaver {
  const { id } = draft;
  return new DraftSaver(toStoredDraft(draft), readUnsaved(id), {
    async save(content, version) {
      try {
        // A version that this page has saved meanwhile is no other version.
        const kept = await keptSaves.get(id);
        return await save(id, content, kept?.from === version ? kept.to : version);
      } catch (error) {
        markFailed(id);
        throw error;
      }
    },
    load: async () => toStoredDraft(await client.mail.get.query({ id })),
    keepUnsaved: (unsaved) => keepUnsaved(id, unsaved),
    deleteUnsaved: () => deleteUnsaved(id),
  });
}

/** Marks a draft as open in an editor. Returns a function that ends this. */
export function openDraft(id: string): () => void {
  opened.add(id);
  return () => opened.delete(id);
}

/**
 * Saves the changes of drafts that the browser has kept, without their editors. Changes that the service rejects, or that meet another
 * version, stay until the draft is opened.
 */
export async function saveKeptDrafts(): Promise<void> {
  for (const id of unsavedDrafts()) {
    const unsaved = readUnsaved(id);
    if (!unsaved || opened.has(id)) continue;
    const saving = saveKept(id, unsaved);
    keptSaves.set(id, saving);
    await saving;
  }
}

async function saveKept(id: string, { content, version: from }: StoredDraft) {
  try {
    const to = await save(id, content, from);
    const newer = readUnsaved(id);
    if (newer && newer.version === from && !isSame(newer.content, content))
      keepUnsaved(id, { ...newer, version: to });
    else deleteUnsaved(id);
    return { from, to };
  } catch {
    // The draft's editor shows the reason.
    return null;
  }
}

/** Saves a version of a draft, and resolves with its new version. Another version that came in between is not overwritten. */
async function save(
  draft_id: string,
  { to, cc, bcc, ...content }: DraftContent,
  version: string,
): Promise<string> {
  const recipients = { to: parseAddresses(to), cc: parseAddresses(cc), bcc: parseAddresses(bcc) };
  const saved = await client.mail.saveDraft.mutate(
    { ...content, ...recipients, draft_id },
    { context: { ifMatch: `"${version}"` } },
  );
  return saved.message_at;
}

function toStoredDraft({ address_id, subject, body, message_at, ...draft }: OpenMailMessage): StoredDraft {
  return {
    content: {
      address_id,
      to: recipientAddresses(draft.to_recipients),
      cc: recipientAddresses(draft.cc_recipients),
      bcc: recipientAddresses(draft.bcc_recipients),
      subject,
      body,
    },
    version: message_at,
  };
}
