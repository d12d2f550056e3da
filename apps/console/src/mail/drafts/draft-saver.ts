import { type AnyFirmdeskError, asFirmdeskError } from '@firmdesk/client';
import { type DraftFile, fileIds } from '../../attachments/draft-file.ts';
import { parseAddresses } from './recipients.ts';

/** The fields of a draft that the user edits. */
export interface DraftContent {
  address_id: number;
  to: string;
  cc: string;
  bcc: string;
  subject: string;
  /** HTML. */
  body: string;
  /** Its files. Those that are being uploaded are saved once they are stored. */
  files: readonly DraftFile[];
  /** The id of the message that it answers. */
  in_reply_to: string | null;
}

/** A draft as stored by the service. `version` changes with each save by anyone. */
export interface StoredDraft {
  content: DraftContent;
  version: string;
}

/** Changes that the browser keeps, with the version they were based on. `isPartlySaved`: the service has all but what it refused. */
export interface UnsavedDraft extends StoredDraft {
  isPartlySaved?: true;
}

/** The result of a save. `refused`: why some addresses are not part of the draft, which is saved without them. */
export interface DraftSave {
  version: string;
  refused: AnyFirmdeskError | null;
}

/**
 * - `unsaved`: changed; a save is scheduled.
 * - `partly`: saved without some addresses, which are invalid or not typed whole. Saved again after the next change.
 * - `rejected`: a field is invalid. Saved again after the next change.
 * - `failed`: the save failed. Retried automatically when the browser is online again.
 * - `conflict`: the draft was saved elsewhere meanwhile. The user chooses a version.
 */
export type SaveStatus = 'saved' | 'unsaved' | 'saving' | 'partly' | 'rejected' | 'failed' | 'conflict';

export interface DraftState {
  content: DraftContent;
  status: SaveStatus;
  error: AnyFirmdeskError | null;
  /** The other version, in a conflict. */
  theirs: StoredDraft | null;
  /** Increases when the content is replaced by another version. */
  revision: number;
}

/** The service that stores drafts, and the browser storage for unsaved changes. */
export interface DraftStorage {
  /** Rejects with `precondition_failed` if the draft no longer has `version`. */
  save(content: DraftContent, version: string): Promise<DraftSave>;
  load(): Promise<StoredDraft>;
  keepUnsaved(unsaved: UnsavedDraft): void;
  deleteUnsaved(): void;
}

const SAVE_DELAY_MS = 700;

/**
 * Saves a draft automatically, one save at a time. Every change is stored in the browser first, until the service has it, so
 * that a reload, a lost network or a closed tab loses nothing. Another version is never overwritten without asking.
 */
export class DraftSaver {
  readonly #storage: DraftStorage;
  readonly #listeners = new Set<() => void>();
  #state: DraftState;
  #version: string;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #saving: Promise<void> | null = null;

  /** @param unsaved changes that the browser kept from an earlier visit, with the version they were based on */
  constructor(stored: StoredDraft, unsaved: StoredDraft | null, storage: DraftStorage) {
    this.#storage = storage;
    this.#version = stored.version;
    this.#state = { content: stored.content, status: 'saved', error: null, theirs: null, revision: 0 };
    if (!unsaved || isSame(unsaved.content, stored.content)) return;
    const isCurrent = unsaved.version === stored.version;
    this.#state = {
      ...this.#state,
      content: unsaved.content,
      status: isCurrent ? 'unsaved' : 'conflict',
      theirs: isCurrent ? null : stored,
    };
    if (isCurrent) this.#saveSoon();
  }

  get state(): DraftState {
    return this.#state;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  change(change: Partial<DraftContent>): void {
    const content = { ...this.#state.content, ...change };
    this.#storage.keepUnsaved({ content, version: this.#version });
    const isFree = this.#state.status !== 'conflict' && this.#state.status !== 'saving';
    this.#show({ content, ...(isFree && { status: 'unsaved', error: null }) });
    if (isFree) this.#saveSoon();
  }

  /** Saves unsaved changes now, after a save that is under way. Also retries a failed save. */
  async flush(): Promise<void> {
    if (this.#saving) await this.#saving;
    clearTimeout(this.#timer);
    const { status } = this.#state;
    if (status === 'unsaved' || status === 'failed') await this.#save();
  }

  /** Shows a version that was saved elsewhere. With unsaved changes, their save reports a conflict instead. */
  follow(stored: StoredDraft): void {
    // Versions are times: what was loaded before the last save is older.
    if (this.#state.status !== 'saved' || stored.version <= this.#version) return;
    this.#version = stored.version;
    if (isSame(stored.content, this.#state.content)) return;
    // Files that are being uploaded are in no stored version.
    const uploading = this.#state.content.files.filter(({ id }) => id === null);
    const content = { ...stored.content, files: [...stored.content.files, ...uploading] };
    this.#show({ content, revision: this.#state.revision + 1 });
  }

  /** Resolves a conflict by overwriting the other version. */
  async keepMine(): Promise<void> {
    if (!this.#state.theirs) return;
    this.#version = this.#state.theirs.version;
    this.#storage.keepUnsaved({ content: this.#state.content, version: this.#version });
    this.#show({ theirs: null, status: 'unsaved' });
    await this.#save();
  }

  /** Resolves a conflict by discarding the local changes. */
  takeTheirs(): void {
    const { theirs } = this.#state;
    if (!theirs) return;
    this.#version = theirs.version;
    this.#storage.deleteUnsaved();
    const revision = this.#state.revision + 1;
    this.#show({ content: theirs.content, theirs: null, status: 'saved', revision });
  }

  /** Drops the local changes, of a draft that was deleted or saved as another one. */
  discard(): void {
    clearTimeout(this.#timer);
    this.#storage.deleteUnsaved();
    this.#show({ theirs: null, status: 'saved', error: null });
  }

  #saveSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#save(), SAVE_DELAY_MS);
  }

  #save(): Promise<void> {
    const saving = this.#saveNow().finally(() => {
      if (this.#saving === saving) this.#saving = null;
    });
    this.#saving = saving;
    return saving;
  }

  async #saveNow(): Promise<void> {
    const { content } = this.#state;
    this.#show({ status: 'saving', error: null });
    try {
      const { version, refused } = await this.#storage.save(content, this.#version);
      this.#version = version;
      this.#saved(content, refused);
    } catch (thrown) {
      await this.#handleSaveError(asFirmdeskError(thrown), content);
    }
  }

  #saved(content: DraftContent, refused: AnyFirmdeskError | null = null): void {
    if (this.#state.content === content && refused) {
      this.#storage.keepUnsaved({ content, version: this.#version, isPartlySaved: true });
      this.#show({ status: 'partly', error: refused });
      return;
    }
    if (this.#state.content === content) {
      this.#storage.deleteUnsaved();
      this.#show({ status: 'saved', error: null });
      return;
    }
    this.#storage.keepUnsaved({ content: this.#state.content, version: this.#version });
    this.#show({ status: 'unsaved' });
    this.#saveSoon();
  }

  async #handleSaveError(error: AnyFirmdeskError, content: DraftContent): Promise<void> {
    if (error.code === 'precondition_failed') {
      const theirs = await this.#storage.load().catch(() => null);
      // Not a conflict: our own save arrived and its response was lost.
      if (theirs && isSame(theirs.content, content)) {
        this.#version = theirs.version;
        return this.#saved(content);
      }
      // Another tab, which saved the draft, has deleted what the browser kept of it.
      this.#storage.keepUnsaved({ content: this.#state.content, version: this.#version });
      return this.#show(theirs ? { status: 'conflict', theirs } : { status: 'failed', error });
    }
    if (this.#state.content !== content) {
      this.#show({ status: 'unsaved', error: null });
      return this.#saveSoon();
    }
    this.#show({ status: error.code === 'validation_failed' ? 'rejected' : 'failed', error });
  }

  #show(change: Partial<DraftState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

/** Returns whether two contents are stored as the same draft. Recipients are typed in other forms than they are stored in. */
export function isSame(one: DraftContent, other: DraftContent): boolean {
  const stored = ({ address_id, subject, body, in_reply_to, files, to, cc, bcc }: DraftContent) =>
    JSON.stringify([
      address_id,
      subject,
      body,
      in_reply_to,
      fileIds(files),
      ...[to, cc, bcc].map(parseAddresses),
    ]);
  return stored(one) === stored(other);
}
