import type { ReplyDraftList, StoredReplyDraft, UnsentReply } from '@firmdesk/contract';
import { client, queryClient, trpc } from '../../api.ts';
import { asDraftFile } from '../../attachments/draft-file.ts';
import { asDraftMacros } from '../../macros/draft-macros.ts';
import { type StoredValue, storedValues } from '../../stored-value.ts';
import { returnOvertaken } from '../sending/delayed-sends.ts';
import {
  contentOf,
  type DraftBase,
  type DraftContent,
  isSameContent,
  noContent,
  reconcileDraft,
} from './reconcile-draft.ts';
import {
  type ComposerMode,
  changeDraftFiles,
  draftOf,
  emptyDraft,
  joinTexts,
  putBackDraft,
} from './reply-drafts.ts';

/** A draft of an account. */
export interface DraftRef {
  userId: string;
  ticketId: string;
  mode: ComposerMode;
}

/** Which drafts of the account the service has. */
export const draftListQuery = () => trpc.tickets.drafts.queryOptions(undefined, { staleTime: 30_000 });

/** Loads the list again when another device has saved a draft, until the returned function is called. */
export function followDrafts(userId: string): () => void {
  const refresh = () => queryClient.invalidateQueries(trpc.tickets.drafts.pathFilter());
  const following = client.tickets.liveDrafts.subscribe(
    {},
    {
      // What was loaded before the stream started may be older.
      onStarted() {
        void refresh();
        void returnOvertaken();
      },
      async onData({ data }) {
        void returnOvertaken(data.type === 'reply_draft.saved' ? data.ticket_id : undefined);
        if (data.type === 'reply_draft.saved') {
          const { ticket_id: ticketId, mode, version } = data;
          // This device learns the version that it has saved from the response.
          await syncing.get(keyOf({ userId, ticketId, mode }));
          const list = queryClient.getQueryData(draftListQuery().queryKey);
          const known = list?.data.find((each) => each.ticket_id === ticketId && each.mode === mode);
          if (list && (known?.version ?? null) === version) return;
        }
        await refresh();
      },
      // Without this stream the list is still loaded when the window gets the focus.
      onError() {},
    },
  );
  return () => following.unsubscribe();
}

const syncing = new Map<string, Promise<unknown>>();

/**
 * Brings a draft of this browser and the one of the service together. Returns the newer draft of another device if the author must decide
 * between the two, otherwise null. A failed call is made again with the next change: the browser keeps the draft meanwhile.
 */
export function syncDraft(ref: DraftRef): Promise<StoredReplyDraft | null> {
  return inTurn(ref, () => sync(ref)).catch(() => null);
}

/** Runs the calls for one draft one after the other. */
function inTurn<T>(ref: DraftRef, work: () => Promise<T>): Promise<T> {
  const key = keyOf(ref);
  const run = (syncing.get(key) ?? Promise.resolve()).then(work);
  const settled = run.catch(() => null);
  syncing.set(key, settled);
  void settled.finally(() => syncing.get(key) === settled && syncing.delete(key));
  return run;
}

/**
 * Takes an unsent reply over into a draft, after what is written there. The service adds it to what this browser has saved before, so that
 * it is not lost with the response.
 */
export function takeOverReply(
  ref: DraftRef,
  { ticket_id: ticket, id, text, html }: UnsentReply,
): Promise<void> {
  return inTurn(ref, async () => {
    const isSaved = (await sync(ref)) === null;
    const { attachments } = await client.tickets.takeOverReply.mutate({ ticket, id });
    if (attachments.length > 0)
      changeDraftFiles({ ...ref, ticket }, (files) => [...files, ...attachments.map(asDraftFile)]);
    const { reply: stored } = await client.tickets.draftsOf.query({ ticket });
    const isChanged = !isSameContent(localOf(ref), baseOf(ref).get() ?? noContent);
    // What was typed meanwhile stays between the two.
    if (isSaved && isChanged && stored) addNewerDraft(ref, { ...stored, text, html });
    else await settle(ref, stored);
  });
}

async function sync(ref: DraftRef): Promise<StoredReplyDraft | null> {
  const { drafts } = await listed();
  const known = drafts.find(({ ticket_id, mode }) => ticket_id === ref.ticketId && mode === ref.mode) ?? null;
  const base = baseOf(ref).get();
  if ((known?.version ?? null) === (base?.version ?? null)) {
    return isSameContent(localOf(ref), base ?? noContent) ? null : save(ref);
  }
  const { [ref.mode]: stored } = await client.tickets.draftsOf.query({ ticket: ref.ticketId });
  return settle(ref, stored);
}

/** Adopts, saves or keeps what the service has now. */
async function settle(ref: DraftRef, stored: StoredReplyDraft | null): Promise<StoredReplyDraft | null> {
  switch (reconcileDraft(localOf(ref), baseOf(ref).get(), stored)) {
    case 'same':
      confirmDraft(ref, stored);
      return null;
    case 'adopt': {
      const local = draftOf(ref.userId, ref.ticketId, ref.mode);
      confirmDraft(ref, stored);
      const draft = local.get() ?? emptyDraft;
      // Files stay in the browser to which they were added.
      const isEmpty = stored === null && draft.files.length === 0;
      local.set(isEmpty ? null : { ...draft, ...contentOf(stored), key: null, changedAt: Date.now() });
      return null;
    }
    case 'save':
      return save(ref, stored?.version ?? null);
    case 'conflict':
      return stored;
  }
}

async function save(
  ref: DraftRef,
  base = baseOf(ref).get()?.version ?? null,
): Promise<StoredReplyDraft | null> {
  const { text, html, imageUrl, imageName, macros } = localOf(ref);
  const { saved, draft } = await client.tickets.saveDraft.mutate({
    ticket: ref.ticketId,
    mode: ref.mode,
    text,
    html,
    image_url: imageUrl,
    image_name: imageName,
    macros,
    base,
  });
  if (!saved) return settle(ref, draft);
  confirmDraft(ref, draft);
  return null;
}

/** Records what the service has. A local draft that differs from it is saved over it next. */
export function confirmDraft(ref: DraftRef, stored: StoredReplyDraft | null): void {
  baseOf(ref).set(
    stored && { ...contentOf(stored), version: stored.version, changedAt: Date.parse(stored.updated_at) },
  );
  queryClient.setQueryData(draftListQuery().queryKey, (list) => list && withDraft(list, ref, stored));
}

function withDraft(
  { data }: ReplyDraftList,
  { ticketId, mode }: DraftRef,
  stored: StoredReplyDraft | null,
): ReplyDraftList {
  const others = data.filter((each) => each.ticket_id !== ticketId || each.mode !== mode);
  return { data: stored ? [stored, ...others] : others };
}

/** Keeps the local draft, and adds the text of another device below it. Its macros are added if the local draft has none. */
export function addNewerDraft(ref: DraftRef, newer: StoredReplyDraft): void {
  const local = draftOf(ref.userId, ref.ticketId, ref.mode);
  const draft = local.get() ?? emptyDraft;
  const joined = joinTexts(draft, newer);
  confirmDraft(ref, newer);
  local.set({ ...draft, ...joined, macros: draft.macros ?? newer.macros, key: null, changedAt: Date.now() });
}

/**
 * Moves the drafts of a ticket to the one that it was merged into. The service has moved those that it had: to a draft of the other ticket,
 * only what it did not have is added.
 */
export function moveDrafts(userId: string, from: string, into: string): void {
  for (const mode of ['reply', 'note'] as const) {
    const [source, target] = [
      { userId, ticketId: from, mode },
      { userId, ticketId: into, mode },
    ];
    const draft = draftOf(userId, from, mode).get();
    const base = baseOf(source).get();
    draftOf(userId, from, mode).set(null);
    baseOf(source).set(null);
    const isFirst = draftOf(userId, into, mode).get() === null && baseOf(target).get() === null;
    if (isFirst) baseOf(target).set(base);
    if (!draft) continue;
    const isMovedByService = !isFirst && base !== null && isSameContent(draft, base);
    if (isMovedByService && draft.files.length === 0) continue;
    putBackDraft(userId, into, mode, { ...draft, ...(isMovedByService && noContent), key: null });
  }
}

async function listed() {
  const list = await queryClient.ensureQueryData(draftListQuery());
  return { drafts: list.data };
}

/** Returns what a draft of this browser says. Without text and image that is nothing, as for the service: files stay in the browser. */
function localOf({ userId, ticketId, mode }: DraftRef): DraftContent {
  const draft = draftOf(userId, ticketId, mode).get();
  return draft && (draft.text !== '' || draft.imageUrl !== '') ? draft : noContent;
}

/** At most this many stay in memory. */
const MAX_OPENED = 20;

const openBase = storedValues(MAX_OPENED, asBase);

function baseOf(ref: DraftRef): StoredValue<DraftBase | null> {
  return openBase(`draft-base.${keyOf(ref)}`);
}

function keyOf({ userId, ticketId, mode }: DraftRef): string {
  return `${userId}.${ticketId}.${mode}`;
}

function asBase(stored: unknown): DraftBase | null {
  if (typeof stored !== 'object' || stored === null || !('version' in stored)) return null;
  const { version, text, html, imageUrl, imageName, macros, changedAt } = stored as Record<string, unknown>;
  const isBase =
    [text, imageUrl, imageName].every((each) => typeof each === 'string') && typeof changedAt === 'number';
  if (!isBase || typeof version !== 'string') return null;
  return {
    ...(stored as DraftBase),
    html: typeof html === 'string' ? html : null,
    macros: asDraftMacros(macros),
  };
}
