import { asFirmdeskError } from '@firmdesk/client';
import { useSyncExternalStore } from 'react';
import type { DraftFile } from './draft-file.ts';
import { type AnnounceFile, sendFile, UploadRefused } from './send-file.ts';

/** A file that is uploaded. It is kept in memory, also when another message is opened, but not after the page is left. */
export interface Upload {
  key: string;
  /** `waiting`: for the line; `failed`: the service has refused the file. */
  state: 'sending' | 'waiting' | 'failed';
  /** The sent part, from 0 to 1. */
  part: number;
  /** Why the service has refused it. */
  problem: string | null;
}

/** The draft that a file is uploaded for. */
export interface UploadTarget {
  announce: AnnounceFile;
  change(change: (files: readonly DraftFile[]) => readonly DraftFile[]): void;
}

interface Running extends Upload {
  file: File;
  draft: UploadTarget;
  stop: AbortController;
}

/** An upload that waits for the line is tried again after this long, and when the browser is back online. */
const RETRY_MS = 5_000;

const running = new Map<string, Running>();
const listeners = new Set<() => void>();
let shown: ReadonlyMap<string, Upload> = new Map();

/** Uploads a file of a draft, and stores its id in the draft. */
export function startUpload(key: string, file: File, draft: UploadTarget): void {
  const upload: Running = {
    key,
    file,
    draft,
    state: 'sending',
    part: 0,
    problem: null,
    stop: new AbortController(),
  };
  running.set(key, upload);
  void send(upload);
}

/** Tries again to upload a file that the service has refused or that waits for the line. */
export function retryUpload(key: string): void {
  const upload = running.get(key);
  if (upload && upload.state !== 'sending') void send(upload);
}

/** Ends an upload, if it has not ended. */
export function cancelUpload(key: string): void {
  running.get(key)?.stop.abort();
  running.delete(key);
  publish();
}

/** Returns whether a file is being uploaded, or can be tried again. */
export function isUploading(key: string): boolean {
  return running.has(key);
}

/** Returns the uploads that have not ended, by key. */
export function useUploads(): ReadonlyMap<string, Upload> {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
  );
}

async function send(upload: Running): Promise<void> {
  const { key, file, draft, stop } = upload;
  change(upload, { state: 'sending', part: 0, problem: null });
  try {
    const onProgress = (part: number) => change(upload, { part });
    const id = await sendFile(file, { announce: draft.announce, key, onProgress, signal: stop.signal });
    running.delete(key);
    publish();
    draft.change((files) => files.map((each) => (each.key === key ? { ...each, id } : each)));
  } catch (error) {
    if (stop.signal.aborted) return;
    const status = error instanceof UploadRefused ? error.status : asFirmdeskError(error).status;
    if (status !== null && status !== 429) {
      change(upload, { state: 'failed', problem: (error as Error).message });
      return;
    }
    change(upload, { state: 'waiting' });
    setTimeout(() => running.has(key) && retryUpload(key), RETRY_MS);
  }
}

function change(upload: Running, fields: Partial<Upload>): void {
  Object.assign(upload, fields);
  publish();
}

function publish(): void {
  shown = new Map(
    [...running].map(([key, { state, part, problem }]) => [key, { key, state, part, problem }]),
  );
  for (const listener of listeners) listener();
}

addEventListener('online', () => {
  for (const { key, state } of running.values()) if (state === 'waiting') retryUpload(key);
});
