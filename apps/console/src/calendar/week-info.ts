/** The first day of the week where the browser's language is spoken: 1 is Monday, 7 Sunday. */
export const firstDayOfWeek = readFirstDay();

function readFirstDay(): number {
  // Firefox has no such information yet: there weeks begin on Monday, as ISO 8601 says.
  const locale = new Intl.Locale(navigator.language) as Intl.Locale & {
    getWeekInfo?(): { firstDay: number };
  };
  return locale.getWeekInfo?.().firstDay ?? 1;
}
