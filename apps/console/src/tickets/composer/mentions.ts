import { foldSearchText, MAX_MENTIONS } from '@firmdesk/contract';

/** A colleague who can be mentioned. */
export interface Mentionable {
  id: string;
  name: string;
  email: string;
}

/** The beginning of a mention before the caret: the `@`, and what was typed after it. */
const TYPED = /(?:^|[\s([{"'“‘])@([^\n@]{0,40})$/u;
/** At most this many colleagues are suggested. */
const MAX_SUGGESTED = 8;

/** Returns where the mention that is being typed at the caret begins, and what was typed after its `@`; null if there is none. */
export function typedMention(text: string, caret: number): { start: number; query: string } | null {
  const query = TYPED.exec(text.slice(0, caret))?.[1];
  return query === undefined ? null : { start: caret - query.length - 1, query };
}

/**
 * Returns the colleagues whose name or address has the query. Those whose name begins with it are first, then those of whose name a part
 * does.
 */
export function suggestionsFor<Person extends Mentionable>(
  query: string,
  people: readonly Person[],
): Person[] {
  // A blank at the end ends a word.
  const wanted = foldSearchText(query) + (/\s$/.test(query) ? ' ' : '');
  const rankOf = ({ name, email }: Person): number => {
    const folded = foldSearchText(name);
    if (folded.startsWith(wanted)) return 3;
    if (folded.split(/\s+/).some((part) => part.startsWith(wanted))) return 2;
    return folded.includes(wanted) || foldSearchText(email).includes(wanted) ? 1 : 0;
  };
  return people
    .map((person) => ({ person, rank: rankOf(person) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank)
    .slice(0, MAX_SUGGESTED)
    .map(({ person }) => person);
}

/** A part of a text, and whether it mentions a colleague. */
export interface TextPart {
  text: string;
  isMention: boolean;
}

/** Splits a text at the mentions of colleagues: `@` and the full name. Of two names that begin alike, the longer one counts. */
export function splitMentions(text: string, people: readonly Pick<Mentionable, 'name'>[]): TextPart[] {
  const names = people.map(({ name }) => name).sort((a, b) => b.length - a.length);
  const parts: TextPart[] = [];
  let begun = 0;
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const name = names.find((each) => each !== '' && text.startsWith(each, at + 1));
    if (name === undefined || isWordAt(text, at - 1) || isWordAt(text, at + 1 + name.length)) continue;
    if (at > begun) parts.push({ text: text.slice(begun, at), isMention: false });
    begun = at + 1 + name.length;
    parts.push({ text: text.slice(at, begun), isMention: true });
  }
  if (begun < text.length) parts.push({ text: text.slice(begun), isMention: false });
  return parts;
}

/** Returns the colleagues whom a text mentions. */
export function mentionedIn<Person extends Mentionable>(text: string, people: readonly Person[]): Person[] {
  const names = new Set(
    splitMentions(text, people).flatMap((part) => (part.isMention ? part.text.slice(1) : [])),
  );
  return people.filter(({ name }) => names.has(name));
}

/** Returns the ids of the colleagues whom a text mentions, as many as a note can mention. */
export function idsMentionedIn(text: string, people: readonly Mentionable[]): string[] {
  return mentionedIn(text, people)
    .slice(0, MAX_MENTIONS)
    .map(({ id }) => id);
}

function isWordAt(text: string, index: number): boolean {
  return /[\p{L}\p{N}]/u.test(text.charAt(index));
}
