/** The first day of the week: 1 is Monday, 7 Sunday. The same for everybody, like the language of the console. */
export const firstDayOfWeek = 1;
