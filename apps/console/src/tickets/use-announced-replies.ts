import type { TicketMessage } from '@firmdesk/contract';
import { useEffect, useRef } from 'react';
import { announce } from '../shell/announcer.tsx';
import { completeSentences } from './sentences.ts';

/**
 * Has screen readers speak a reply by its sentences, each as it is whole: what is under way on the page changes too often
 * to be read from there. One that is not streamed is spoken when it is finished.
 */
export function useAnnouncedReplies(messages: readonly TicketMessage[], isStreamed: boolean): void {
  // Of each reply that was seen under way, how far it is spoken.
  const spoken = useRef(new Map<string, number>());
  useEffect(() => {
    for (const { id, body, streaming, event } of messages.slice(-10)) {
      const units = spoken.current.get(id);
      if (streaming && units === undefined) {
        // Who comes in the middle hears what follows.
        spoken.current.set(id, isStreamed ? completeSentences(body, false).units : 0);
        announce('The assistant is writing a reply.');
      } else if (streaming && isStreamed) {
        speak(spoken.current, id, body.length < units! ? 0 : units!, body);
      } else if (!streaming && units !== undefined) {
        spoken.current.delete(id);
        announce(event === 'ai_command_failed' ? body : `${body.slice(units).trim()} End of the reply.`);
      }
    }
  }, [messages, isStreamed]);
}

function speak(spoken: Map<string, number>, id: string, from: number, text: string): void {
  const { sentences, units } = completeSentences(text.slice(from), false);
  spoken.set(id, from + units);
  if (sentences.length > 0) announce(sentences.join(' '));
}
