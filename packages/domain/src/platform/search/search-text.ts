import { foldSearchText } from '@firmdesk/contract';

/** Returns the distinct words of a folded text of one or more lines. */
export function distinctWords(folded: string): string[] {
  return [...new Set(folded.split(/[ \n]/))].filter((word) => word !== '');
}

/** Changes with each change of {@link foldSearchText} that finds more: texts that were folded before are then folded again. */
export const FOLDING = 1;

/** Returns a pattern of `like` for the texts that contain a text. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
