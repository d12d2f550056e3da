import { MAX_INSTRUCTION_LENGTH, MAX_MESSAGE_LENGTH } from '@firmdesk/contract';

/** Returns the instruction after `/ai`, or null if the text does not begin with `/ai`. */
export function instructionOf(text: string): string | null {
  const command = text.trim();
  return /^\/ai(?!\S)/.test(command) ? command.slice('/ai'.length).trim() : null;
}

/** Returns the length of a text as the service counts it, and its limit. */
export function lengthOf(text: string): { length: number; limit: number } {
  const instruction = instructionOf(text);
  return instruction === null
    ? { length: text.length, limit: MAX_MESSAGE_LENGTH }
    : { length: [...instruction].length, limit: MAX_INSTRUCTION_LENGTH };
}
