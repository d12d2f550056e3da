import {
  type Folder,
  folders,
  foldSearchText,
  type MailSearch,
  type MailSearchFilter,
  type MailSearchText,
} from '@firmdesk/contract';
import type { Bind } from '../../platform/search/search-index.ts';
import { containing, distinctWords } from '../../platform/search/search-text.ts';
import { startOfDay } from '../../platform/search/start-of-day.ts';
import { searchLines } from './mail-search-text.ts';

/** Returns the words that a message has if it has the texts of a search. */
export function wordsOf({ texts }: MailSearch): string[] {
  const wanted = texts.filter(({ isExcluded }) => !isExcluded);
  return [...new Set(wanted.flatMap(({ text }) => distinctWords(foldSearchText(text))))];
}

/** Returns the folders that a search is limited to. */
export function foldersOf({ filters }: MailSearch, folder: Folder | undefined): Folder[] {
  const wanted = filters.filter((filter) => filter.kind === 'folder');
  return folders.filter(
    (each) =>
      (folder === undefined || each === folder) &&
      wanted.every((filter) => (each === filter.folder) !== filter.isExcluded),
  );
}

/** Returns the conditions on a message `t` for what its search text does not tell. A day begins in the caller's time zone. */
export function filterConditions({ filters }: MailSearch, timezone: string, bind: Bind): string[] {
  const startOf = (day: string) => `${bind(startOfDay(day, timezone))}::timestamptz`;
  const conditionOf = (filter: MailSearchFilter): string | null => {
    if (filter.kind === 'folder') return null;
    if (filter.kind === 'unread') return 'not t.is_read';
    if (filter.kind === 'attachment') return `t.attachments <> '[]'`;
    return filter.kind === 'before'
      ? `t.message_at < ${startOf(filter.day)}`
      : `t.message_at >= ${startOf(filter.day)}`;
  };
  return filters.flatMap((filter) => {
    const condition = conditionOf(filter);
    if (condition === null) return [];
    return filter.isExcluded ? `not (${condition})` : condition;
  });
}

/** Returns the conditions on the search text of `t` that the index does not answer: parts of a message, phrases, and what is excluded. */
export function textConditions({ texts }: MailSearch, bind: Bind): string[] {
  return texts.flatMap((term) => {
    const { field, isPhrase, isExcluded } = term;
    if (field === null && !isPhrase && !isExcluded) return [];
    const place =
      field === null ? 't.search_text' : `split_part(t.search_text, chr(10), ${searchLines[field]})`;
    const contained = searchedTexts(term).map((text) => `${place} like ${bind(containing(text))}`);
    if (contained.length === 0) return [];
    const condition = contained.join(' and ');
    return isExcluded ? `not coalesce(${condition}, false)` : `(${condition})`;
  });
}

function searchedTexts({ text, isPhrase }: MailSearchText): string[] {
  const folded = foldSearchText(text);
  return isPhrase ? [folded].filter((phrase) => phrase !== '') : distinctWords(folded);
}
