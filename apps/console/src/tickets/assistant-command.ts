import { MAX_INSTRUCTION_LENGTH, MAX_MESSAGE_LENGTH } from '@firmdesk/contract';

/** What is asked of the assistant when a text begins with `/ai`; null when it does not. */
export function instructionOf(text: string): string | null {
  const command = /^\s*\/ai(?:\s+([\s\S]*))?$/.exec(text);
  return command && (command[1] ?? '').trim();
}

/** How long a text is as the service counts it, and how long it may be. */
export function lengthOf(text: string): { length: number; limit: number } {
  const instruction = instructionOf(text);
  return instruction === null
    ? { length: text.length, limit: MAX_MESSAGE_LENGTH }
    : { length: [...instruction].length, limit: MAX_INSTRUCTION_LENGTH };
}
