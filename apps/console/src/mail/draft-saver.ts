import { type AnyFirmdeskError, asFirmdeskError } from '@firmdesk/client';

/** What of a draft is written by hand. */
export interface DraftContent {
  address_id: number;
  to: string;
  cc: string;
  bcc: string;
  subject: string;
  /** HTML. */
  body: string;
}

/** A draft as the service has it; `version` changes with each save, whoever saves. */
export interface StoredDraft {
  content: DraftContent;
  version: string;
}

/**
 * - `unsaved`: typed, and soon to be saved.
 * - `refused`: a field is not as it must be; saved again when it is changed.
 * - `failed`: it could not be saved; tried again by itself when there is a network again.
 * - `conflict`: somebody saved another content meanwhile; whoever writes chooses.
 */
export type SaveStatus = 'saved' | 'unsaved' | 'saving' | 'refused' | 'failed' | 'conflict';

export interface DraftState {
  content: DraftContent;
  status: SaveStatus;
  error: AnyFirmdeskError | null;
  /** What somebody else saved, in a conflict. */
  theirs: StoredDraft | null;
  /** Counts how often the content was exchanged for another than was typed. */
  revision: number;
}

/** Where the saver saves, and where it keeps what is not saved yet. */
export interface DraftStorage {
  /** Resolves with the new version; refuses with `precondition_failed` if the draft is no longer of `version`. */
  save(content: DraftContent, version: string): Promise<string>;
  load(): Promise<StoredDraft>;
  keepUnsaved(unsaved: StoredDraft): void;
  deleteUnsaved(): void;
}

const PAUSE_MS = 700;

/**
 * Saves a draft as it is typed, one save at a time. Every change is kept in the browser first, until the service has it:
 * a reload, a lost network or a closed tab loses nothing. A save over somebody else's is never made unasked.
 */
export class DraftSaver {
  readonly #storage: DraftStorage;
  readonly #listeners = new Set<() => void>();
  #state: DraftState;
  #version: string;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `unsaved`: what the browser still keeps from an earlier visit, with the version that it was written over. */
  constructor(stored: StoredDraft, unsaved: StoredDraft | null, storage: DraftStorage) {
    this.#storage = storage;
    this.#version = stored.version;
    this.#state = { content: stored.content, status: 'saved', error: null, theirs: null, revision: 0 };
    if (!unsaved || isSame(unsaved.content, stored.content)) return;
    const isOver = unsaved.version === stored.version;
    this.#state = {
      ...this.#state,
      content: unsaved.content,
      status: isOver ? 'unsaved' : 'conflict',
      theirs: isOver ? null : stored,
    };
    if (isOver) this.#saveSoon();
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

  /** Saves now what is not saved; also tries again what failed. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    const { status } = this.#state;
    if (status === 'unsaved' || status === 'failed') await this.#save();
  }

  /** Ends a conflict: what was written here is saved over theirs. */
  async keepMine(): Promise<void> {
    if (!this.#state.theirs) return;
    this.#version = this.#state.theirs.version;
    this.#storage.keepUnsaved({ content: this.#state.content, version: this.#version });
    this.#show({ theirs: null, status: 'unsaved' });
    await this.#save();
  }

  /** Ends a conflict: what was written here is given up. */
  takeTheirs(): void {
    const { theirs } = this.#state;
    if (!theirs) return;
    this.#version = theirs.version;
    this.#storage.deleteUnsaved();
    const revision = this.#state.revision + 1;
    this.#show({ content: theirs.content, theirs: null, status: 'saved', revision });
  }

  #saveSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#save(), PAUSE_MS);
  }

  async #save(): Promise<void> {
    const { content } = this.#state;
    this.#show({ status: 'saving', error: null });
    try {
      this.#version = await this.#storage.save(content, this.#version);
      this.#saved(content);
    } catch (thrown) {
      await this.#refused(asFirmdeskError(thrown), content);
    }
  }

  #saved(content: DraftContent): void {
    if (this.#state.content === content) {
      this.#storage.deleteUnsaved();
      this.#show({ status: 'saved', error: null });
      return;
    }
    this.#storage.keepUnsaved({ content: this.#state.content, version: this.#version });
    this.#show({ status: 'unsaved' });
    this.#saveSoon();
  }

  async #refused(error: AnyFirmdeskError, content: DraftContent): Promise<void> {
    if (error.code === 'precondition_failed') {
      const theirs = await this.#storage.load().catch(() => null);
      // A save whose answer was lost is no conflict.
      if (theirs && isSame(theirs.content, content)) {
        this.#version = theirs.version;
        return this.#saved(content);
      }
      return this.#show(theirs ? { status: 'conflict', theirs } : { status: 'failed', error });
    }
    if (this.#state.content !== content) {
      this.#show({ status: 'unsaved', error: null });
      return this.#saveSoon();
    }
    this.#show({ status: error.code === 'validation_failed' ? 'refused' : 'failed', error });
  }

  #show(change: Partial<DraftState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

function isSame(one: DraftContent, other: DraftContent): boolean {
  return (Object.keys(one) as (keyof DraftContent)[]).every((name) => one[name] === other[name]);
}
