import { foldSearchText } from '@firmdesk/contract';
import { type RawBuilder, sql } from 'kysely';

/** Writes a text as `foldSearchText` writes words: in small letters, without accents. */
const folded = (text: string) =>
  `regexp_replace(normalize(lower(${text}), NFKD), '[\\u0300-\\u036f]', '', 'g')`;

/** The name of the account `u`, by which people are sorted. */
export const FOLDED_NAME = folded('u.name');
const FOLDED_PERSON = folded(`u.name || ' ' || u.email`);

/** Returns the words of a text, as patterns of LIKE that match their characters. */
const wordsOf = (q: string) =>
  foldSearchText(q)
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => word.replaceAll(/[\\%_]/g, '\\$&'));

/** Whether each word of a text is a part of the name or the address of the account `u`. */
export function matchesPerson(q: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.raw(FOLDED_PERSON)} like all(${wordsOf(q).map((word) => `%${word}%`)}::text[])`;
}

/** Whether the name of the account `u` begins with a text. */
export function beginsWithName(q: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.raw(FOLDED_PERSON)} like ${`${wordsOf(q).join(' ')}%`}`;
}
