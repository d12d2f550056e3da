import type { EventWords } from './words.ts';

export const fr: EventWords = {
  when: 'Quand',
  where: 'Où',
  join: 'Participer',
  calendar: 'Calendrier',
  reminder: (title, when) => `Rappel : ${title}, ${when}`,
  whyReminder: (firm) => `Vous avez réglé ce rappel dans votre calendrier chez ${firm}.`,
};
