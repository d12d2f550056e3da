import { foldSearchText } from '@firmdesk/contract';

/** Only this many characters of the texts of an event are searched. */
const MAX_TEXT = 10_000;
/** The characters of all overrides of an event together. Folding them takes a few milliseconds. */
const MAX_OVERRIDE_TEXTS = 50_000;

export interface SearchedTexts {
  title?: string | null | undefined;
  location?: string | null | undefined;
  description?: string | null | undefined;
}

/** Returns what a search of events reads: the folded title, place and text, each in lines of its own. Names and addresses of people are not in it. */
export function searchTextOf({ title, location, description }: SearchedTexts): string {
  return [title, location, description]
    .filter((text) => text)
    .join('\n')
    .slice(0, MAX_TEXT)
    .toWellFormed()
    .split('\n')
    .map(foldSearchText)
    .filter((line) => line !== '')
    .join('\n');
}

/** Adds their search texts to the overrides of an event. Beyond a limit it is null, and the search folds the title and the place itself. */
export function searchTextsOf<Row extends SearchedTexts>(
  rows: readonly Row[],
): (Row & { search_text: string | null })[] {
  let characters = 0;
  return rows.map((row) => {
    characters += (row.title ?? '').length + (row.location ?? '').length + (row.description ?? '').length;
    return { ...row, search_text: characters > MAX_OVERRIDE_TEXTS ? null : searchTextOf(row) };
  });
}
