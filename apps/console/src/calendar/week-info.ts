/** The first day of the week in the browser's locale: 1 is Monday, 7 Sunday. */
export const firstDayOfWeek = readFirstDay();

function readFirstDay(): number {
  // Firefox does not support `getWeekInfo` yet: weeks begin on Monday there, as in ISO 8601.
  const locale = new Intl.Locale(navigator.language) as Intl.Locale & {
    getWeekInfo?(): { firstDay: number };
  };
  return locale.getWeekInfo?.().firstDay ?? 1;
}
