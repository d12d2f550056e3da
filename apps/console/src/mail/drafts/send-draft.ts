import { type AnyFirmdeskError, asFirmdeskError, newIdempotencyKey } from '@firmdesk/client';
import type { OpenMailMessage } from '@firmdesk/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { client, trpc } from '../../api.ts';
import { reportError } from '../../shell/report-error.ts';
import { offerUndo, type UndoResult, withdrawUndo } from '../../shell/undo.ts';
import { mailRoute } from '../mail-route.ts';
import type { DraftContent, DraftSaver } from './draft-saver.ts';
import { parseAddresses } from './recipients.ts';
import { inputOf } from './stored-drafts.ts';

/** The undo of the sending of a message. */
const undoOf = (id: string) => `mail sending ${id}`;

/** Returns a function that takes a message back while it is delayed, and opens it as a draft. */
export function useTakeBackMail() {
  const navigate = mailRoute.useNavigate();
  const queries = useQueryClient();
  return async (id: string): Promise<UndoResult> => {
    withdrawUndo(undoOf(id));
    try {
      const { address_id } = await client.mail.cancelSending.mutate({ id });
      await queries.invalidateQueries(trpc.mail.pathFilter());
      await navigate({ to: '/mail', search: { mailbox: address_id, folder: 'drafts', message: id } });
      return 'undone';
    } catch (error) {
      void queries.invalidateQueries(trpc.mail.pathFilter());
      if (asFirmdeskError(error).code === 'already_sent') return 'late';
      reportError(error, 'Couldn’t take the message back');
      return 'failed';
    }
  };
}

/** Why a draft was not sent. Each attempt has another object, so that the focus moves again. */
export interface Refusal {
  /** What the draft lacks: a recipient, or the end of the upload of a file. */
  missing: 'recipient' | 'file' | null;
  /** What the service has refused. */
  error: AnyFirmdeskError | null;
}

/** Sends a draft once it is saved. What keeps it from being sent is in `refusal`; the draft stays as it is. */
export function useSendDraft({ id }: OpenMailMessage, saver: DraftSaver) {
  const navigate = mailRoute.useNavigate();
  const queries = useQueryClient();
  const takeBack = useTakeBackMail();
  const [{ isSending, refusal }, show] = useState<{ isSending: boolean; refusal: Refusal | null }>({
    isSending: false,
    refusal: null,
  });
  const isBusy = useRef(false);
  /** The last attempt, which may have arrived: sent again unchanged, it is sent once. */
  const last = useRef<{ content: DraftContent; key: string } | null>(null);

  const attempt = async (): Promise<Refusal | null> => {
    const missing = missingIn(saver.state.content);
    if (missing) return { missing, error: null };
    await saver.flush();
    const { status, content, error } = saver.state;
    if (status !== 'saved') return { missing: null, error };
    if (last.current?.content !== content) last.current = { content, key: newIdempotencyKey() };
    try {
      const { key } = last.current;
      await client.mail.send.mutate(
        { ...inputOf(content), draft_id: id },
        { context: { idempotencyKey: key } },
      );
    } catch (thrown) {
      reportError(thrown, 'Message not sent. It is kept as a draft');
      return { missing: null, error: asFirmdeskError(thrown) };
    }
    saver.discard();
    offerUndo('Sending your message', () => takeBack(id), { of: undoOf(id) });
    const answered = content.in_reply_to;
    await navigate({
      search: ({ message: _, ...rest }) => (answered ? { ...rest, message: answered } : rest),
    });
    void queries.invalidateQueries(trpc.mail.pathFilter());
    return null;
  };

  return {
    isSending,
    refusal,
    /** Forgets the refusal, once the draft is changed. */
    forget: () => refusal && show({ isSending: false, refusal: null }),
    async send() {
      if (isBusy.current) return;
      isBusy.current = true;
      show({ isSending: true, refusal: null });
      const refused = await attempt();
      isBusy.current = false;
      show({ isSending: false, refusal: refused });
    },
  };
}

function missingIn({ to, cc, bcc, files }: DraftContent): Refusal['missing'] {
  if ([to, cc, bcc].every((text) => parseAddresses(text).length === 0)) return 'recipient';
  return files.some((file) => file.id === null) ? 'file' : null;
}
