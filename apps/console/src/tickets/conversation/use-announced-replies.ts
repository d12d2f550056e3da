import type { TicketMessage } from '@firmdesk/contract';
import { useEffect, useRef } from 'react';
import { announce } from '../../shell/announcer.tsx';
import { completeSentences } from './text/sentences.ts';

/**
 * Announces a streaming reply to screen readers sentence by sentence: the text itself changes too often for a live region.
 * Without streaming, the reply is announced once finished.
 */
export function useAnnouncedReplies(messages: readonly TicketMessage[], isStreamed: boolean): void {
  // How far each streaming reply has been announced, in UTF-16 units.
  const announced = useRef(new Map<string, number>());
  useEffect(() => {
    for (const { id, body, streaming, event } of messages.slice(-10)) {
      const units = announced.current.get(id);
      if (streaming && units === undefined) {
        // On joining mid-reply, only the rest is announced.
        announced.current.set(id, isStreamed ? completeSentences(body, false).units : 0);
        announce('The assistant is writing a reply.');
      } else if (streaming && isStreamed) {
        announceSentences(announced.current, id, body.length < units! ? 0 : units!, body);
      } else if (!streaming && units !== undefined) {
        announced.current.delete(id);
        announce(event === 'ai_command_failed' ? body : `${body.slice(units).trim()} End of the reply.`);
      }
    }
  }, [messages, isStreamed]);
}

function announceSentences(announced: Map<string, number>, id: string, from: number, text: string): void {
  const { sentences, units } = completeSentences(text.slice(from), false);
  announced.set(id, from + units);
  if (sentences.length > 0) announce(sentences.join(' '));
}
