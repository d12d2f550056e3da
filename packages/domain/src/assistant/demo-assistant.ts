import { setTimeout } from 'node:timers/promises';
import type { Assistant } from './assistant.ts';

const WORD_PAUSE_MS = 25;

/** Writes a fixed reply that says that it is a demo. Used in sandboxes, and everywhere while no language model is configured. */
export const demoAssistant: Assistant = {
  async *reply({ subject, trader }, signal) {
    const text =
      `Hello ${trader},\n\nthank you for writing about “${subject}”. ` +
      'This is an automatic demo reply, written without a language model, so it cannot look into your question. A member of our team will.\n\nKind regards,\nDemo assistant';
    for (const word of text.split(/(?<=\s)/)) {
      await setTimeout(WORD_PAUSE_MS, undefined, { signal });
      yield word;
    }
  },
};
