import { foldSearchText, type MailRecipient } from '@firmdesk/contract';
import { textOfHtml } from '../parsing/text-of-html.ts';

/** Only this many characters of a message's text are searched. */
const MAX_TEXT = 50_000;
/** Enough for a newsletter. A parser takes some ten milliseconds for as many in the worst order. */
const MAX_TAGS = 10_000;

/** What of a message is searched. */
export interface SearchedMessage {
  from: MailRecipient;
  /** All of `To`, `Cc` and `Bcc`. */
  recipients: readonly MailRecipient[];
  subject: string;
  /** HTML. */
  body: string;
  /** The names of its files. */
  files: readonly string[];
}

/** The lines of a search text, from 1. The others are the names of the files and the text. */
export const searchLines = { from: 1, to: 2, subject: 3 } as const;

/** Returns the search text of a message: a folded line for each of {@link searchLines}, then one of the files and one of the text. */
export function mailSearchText({ from, recipients, subject, body, files }: SearchedMessage): string {
  const text = textOfHtml(body, { maxText: MAX_TEXT, maxTags: MAX_TAGS }).slice(0, MAX_TEXT);
  return [namesOf([from]), namesOf(recipients), subject, files.join(' '), text]
    .map((line) => foldSearchText(line.toWellFormed()))
    .join('\n');
}

/** Returns a stored search text as it is folded now. */
export function refoldMail(searchText: string): string {
  return searchText.split('\n').map(foldSearchText).join('\n');
}

function namesOf(people: readonly MailRecipient[]): string {
  return people.map(({ name, email }) => (name === null ? email : `${name} ${email}`)).join(' ');
}
