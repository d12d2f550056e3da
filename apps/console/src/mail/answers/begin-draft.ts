import type { Mailbox, OpenMailMessage } from '@firmdesk/contract';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useRef } from 'react';
import { client, trpc } from '../../api.ts';
import { giveUpFocus } from '../../keyboard/held-keys.ts';
import { type Shortcut, useShortcuts } from '../../keyboard/shortcuts.ts';
import { useAccount } from '../../session/account.ts';
import { reportError } from '../../shell/report-error.ts';
import { formatInFull } from '../../ui/time/time.ts';
import { plainText, textToHtml } from '../drafts/body-text.ts';
import { threadQuery } from '../mail-queries.ts';
import { mailRoute } from '../mail-route.ts';
import { copyFiles } from './copy-files.ts';
import { type AnswerKind, answerRecipients, answerSubject, answerText } from './reply.ts';

type Draft = Parameters<typeof client.mail.saveDraft.mutate>[0];

/** A draft to create, or one that exists. */
type Begun = Draft | { existing: string };

/** The draft that was begun last: its editor takes the focus. */
let begun: string | null = null;

export function isBegun(id: string): boolean {
  return id === begun;
}

/** The editor that is shown, and what moves the focus into its text. */
let shown: { id: string; focus(): void } | null = null;

/** Lets a second answer to a message return to the editor of the first. Returns what ends this. */
export function showsEditor(id: string, focus: () => void): () => void {
  const editor = { id, focus };
  shown = editor;
  return () => {
    if (shown === editor) shown = null;
  };
}

/** Returns a function that creates a draft, if there is one to create, and opens it. A key that is held down or pressed twice creates one. */
function useBeginDraft() {
  const navigate = mailRoute.useNavigate();
  const queries = useQueryClient();
  const isCreating = useRef(false);
  return useCallback(
    async (prepare: () => Begun | Promise<Begun | null>, failure: string, folder?: string) => {
      if (isCreating.current) return;
      isCreating.current = true;
      try {
        const draft = await prepare();
        if (!draft) return giveUpFocus();
        const { id, address_id } =
          'existing' in draft
            ? { id: draft.existing, address_id: undefined }
            : await client.mail.saveDraft.mutate(draft);
        begun = id;
        if (shown?.id === id) return shown.focus();
        void queries.invalidateQueries(trpc.mail.threads.pathFilter());
        // The conversation stays on the page while its draft is opened.
        await queries.prefetchQuery(threadQuery(id));
        await navigate({
          search: (before) =>
            folder && address_id !== undefined
              ? { mailbox: address_id, folder, message: id }
              : { ...before, message: id },
        });
      } catch (error) {
        giveUpFocus();
        reportError(error, failure);
      } finally {
        isCreating.current = false;
      }
    },
    [navigate, queries],
  );
}

/** Returns a function that creates and opens an empty draft, and binds it to `c`. */
export function useNewDraft(mailbox: Mailbox): () => void {
  const begin = useBeginDraft();
  const queries = useQueryClient();
  const create = useCallback(
    () =>
      void begin(
        async () => {
          const signature = signatureLines(await signatureOf(queries, mailbox.id));
          return { address_id: mailbox.id, ...(signature && { body: textToHtml(signature) }) };
        },
        'Couldn’t create a draft',
        'drafts',
      ),
    [begin, queries, mailbox.id],
  );
  const shortcuts = useMemo<Shortcut[]>(
    () => [{ keys: 'c', label: 'New draft', group: 'Mail', movesFocus: true, run: create }],
    [create],
  );
  useShortcuts(shortcuts, mailbox.can_write);
  return create;
}

/** Returns a function that begins an answer to a message, or forwards it; null if the caller can write from no mailbox. */
export function useAnswer(mailboxes: readonly Mailbox[]) {
  const begin = useBeginDraft();
  const queries = useQueryClient();
  const { timezone } = useAccount().user;
  const writable = mailboxes.filter(({ can_write }) => can_write);
  if (writable.length === 0) return null;
  return (id: string, kind: AnswerKind) =>
    void begin(
      async () => {
        const message = await queries.fetchQuery({
          ...trpc.mail.get.queryOptions({ id }),
          staleTime: 60_000,
        });
        // A draft is sent, not answered.
        if (message.folder === 'drafts' || message.previous_folder === 'drafts') return null;
        const existing = kind === 'forward' ? null : await existingAnswer(queries, id);
        if (existing) return { existing };
        const from = writable.find((mailbox) => mailbox.id === message.address_id) ?? writable[0]!;
        const signature = await signatureOf(queries, from.id);
        return answerOf(message, kind, from, { timezone, signature });
      },
      kind === 'forward' ? 'Couldn’t forward the message' : 'Couldn’t begin a reply',
    );
}

/** Returns the signature of a mailbox. Without the service, a draft begins without one. */
async function signatureOf(queries: QueryClient, address_id: number): Promise<string> {
  const settings = trpc.mail.settings.get.queryOptions({ address_id }, { staleTime: 60_000 });
  return (await queries.fetchQuery(settings).catch(() => null))?.signature.trimEnd() ?? '';
}

/** Returns the lines of a signature, below an empty one to write on. */
function signatureLines(signature: string): string {
  return signature === '' ? '' : `\n\n-- \n${signature}`;
}

/** Returns the draft of an answer to a message that its conversation has; null for none. */
async function existingAnswer(queries: QueryClient, id: string): Promise<string | null> {
  const { messages } = await queries.fetchQuery({ ...threadQuery(id), staleTime: 0 });
  return (
    messages.findLast(({ folder, in_reply_to }) => folder === 'drafts' && in_reply_to === id)?.id ?? null
  );
}

async function answerOf(
  message: OpenMailMessage,
  kind: AnswerKind,
  from: Mailbox,
  { timezone, signature }: { timezone: string; signature: string },
): Promise<Draft> {
  const at = formatInFull(new Date(message.message_at), timezone);
  const text = signatureLines(signature) + answerText(message, kind, { text: plainText(message.body), at });
  return {
    address_id: from.id,
    ...answerRecipients(message, kind, from.email),
    subject: answerSubject(message.subject, kind),
    body: textToHtml(text),
    in_reply_to: kind === 'forward' ? null : message.id,
    attachments: kind === 'forward' ? await copyFiles(message, from.id) : [],
  };
}
