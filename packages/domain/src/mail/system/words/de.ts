import type { EventWords } from './words.ts';

export const de: EventWords = {
  when: 'Wann',
  where: 'Wo',
  join: 'Teilnehmen',
  calendar: 'Kalender',
  reminder: (title, when) => `Erinnerung: ${title}, ${when}`,
  whyReminder: (firm) => `Sie haben diese Erinnerung in Ihrem Kalender bei ${firm} eingestellt.`,
};
