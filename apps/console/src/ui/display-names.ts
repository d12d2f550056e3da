import { LOCALE } from './time/time.ts';

/** Browsers throw for a code that is not well formed, such as `eng-aa-bb`. The API takes some of those. */
function nameOf(names: Intl.DisplayNames, code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}

const languages = new Intl.DisplayNames(LOCALE, { type: 'language', fallback: 'code' });
const regions = new Intl.DisplayNames(LOCALE, { type: 'region', fallback: 'code' });

/** Returns the name of a language tag in the language of the console; the tag itself if it has none. */
export const languageName = (tag: string): string => nameOf(languages, tag);

/** Returns the name of a country; its code if it has none. */
export const regionName = (code: string): string => nameOf(regions, code);
