import type { ArticleRef, DraftStreamEvent } from '@firmdesk/contract';
import { useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { client, queryClient, trpc } from '../api.ts';
import { announce } from '../shell/announcer.tsx';
import { reportError } from '../shell/report-error.ts';
import { toast } from '../shell/toast.ts';
import { offerUndo } from '../shell/undo.ts';
import type { StoredValue } from '../stored-value.ts';
import { emptyDraft, type ReplyDraft } from '../tickets/composer/reply-drafts.ts';

/*
 * Drafts that the assistant is writing, by ticket. They outlast the page of their ticket: a draft goes on while the user reads
 * another one.
 */

/** Where the assistant writes, and what it is asked. */
export interface DraftRequest {
  ticket: string;
  draft: StoredValue<ReplyDraft | null>;
  instruction: string;
  /** Whether the draft takes the place of the text; otherwise it is added below. */
  replaces: boolean;
  /** `created_at` of the newest message that the user has seen. */
  seenThrough: string | null;
}

const running = new Map<string, () => void>();
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns whether the assistant is writing a draft for a ticket. */
export function useIsDrafting(ticket: string): boolean {
  return useSyncExternalStore(subscribe, () => running.has(ticket));
}

/** Stops the draft of a ticket. What was written stays. Returns whether there was one. */
export function stopDrafting(ticket: string): boolean {
  const unsubscribe = running.get(ticket);
  if (!unsubscribe) return false;
  unsubscribe();
  setRunning(ticket, null);
  announce('The assistant stopped writing.');
  return true;
}

/** Lets the assistant write into a draft. Text that it replaces comes back if nothing was written, and by undo. */
export function startDrafting({ ticket, draft, instruction, replaces, seenThrough }: DraftRequest): void {
  if (running.has(ticket)) return;
  if (!navigator.onLine) {
    toast.error('You’re offline', { description: 'The assistant can draft once you’re back online.' });
    return;
  }
  const before = draft.get();
  let isEmpty = true;
  let articles: readonly ArticleRef[] = [];
  /** What the assistant has written, with the gap before it. */
  let written = '';
  const write = (text: string) => {
    const current = draft.get() ?? { ...emptyDraft, seenThrough };
    // What the assistant writes has no formatting, and the text above it loses its own.
    draft.set({ ...current, text, html: null, key: null, changedAt: Date.now() });
  };
  const end = (problem?: () => void) => {
    setRunning(ticket, null);
    if (isEmpty && replaces && !draft.get()?.text) draft.set(before);
    problem?.();
  };
  const onEvent = (event: DraftStreamEvent) => {
    if (event.type === 'started') {
      articles = event.articles;
      void queryClient.invalidateQueries(trpc.tickets.assistantSettings.pathFilter());
    } else if (event.type === 'text_delta') {
      const text = draft.get()?.text ?? '';
      // Below other text it begins a new paragraph.
      const gap = isEmpty && text.trim() !== '' ? (text.endsWith('\n\n') ? '' : '\n\n') : '';
      isEmpty = false;
      written += `${gap}${event.text}`;
      keepCaret(text, () => write(`${text}${gap}${event.text}`));
    } else if (event.type === 'done') end(() => tellReady(articles));
    else {
      const text = draft.get()?.text ?? '';
      // Where the user has written below it, the text is theirs.
      const isDiscarded = event.discard_text === true && text.endsWith(written);
      if (isDiscarded) {
        write(text.slice(0, text.length - written.length));
        isEmpty = true;
      }
      end(() =>
        toast.error('The assistant did not finish the draft', {
          description: `It stopped because ${event.reason}.${isDiscarded ? '' : ' What it wrote is kept.'}`,
          duration: 10_000,
        }),
      );
    }
  };
  if (replaces && before?.text.trim()) {
    // Files and an image stay.
    draft.set({ ...before, text: '', html: null, macros: null });
    offerUndo('Your text is replaced by a draft', () => {
      stopDrafting(ticket);
      draft.set(before);
      return 'undone';
    });
  }
  announce('The assistant is writing a draft.');
  const following = client.tickets.draftReply.subscribe(
    { ticket, instruction },
    {
      onData: ({ data }) => onEvent(data),
      onError: (error) => end(() => reportError(error, 'Couldn’t draft a reply')),
      onComplete: () => running.has(ticket) && end(),
    },
  );
  setRunning(ticket, () => following.unsubscribe());
}

/** Says that a draft is ready, and on which articles it is based. */
function tellReady(articles: readonly ArticleRef[]): void {
  if (articles.length === 0) announce('The draft is ready.');
  else
    toast.success('The draft is ready', {
      description: `Based on: ${articles.map(({ title }) => title).join(', ')}`,
    });
}

function setRunning(ticket: string, unsubscribe: (() => void) | null): void {
  if (unsubscribe) running.set(ticket, unsubscribe);
  else running.delete(ticket);
  for (const listener of listeners) listener();
}

/** Changes the text of the focused text box that shows `text`, if there is one, without moving a caret that is inside of the text. */
function keepCaret(text: string, change: () => void): void {
  const field = document.activeElement;
  if (!(field instanceof HTMLTextAreaElement) || field.value !== text) {
    change();
    return;
  }
  const { selectionStart, selectionEnd } = field;
  flushSync(change);
  const isAtEnd = selectionStart === text.length;
  if (!isAtEnd) field.setSelectionRange(selectionStart, selectionEnd);
}
