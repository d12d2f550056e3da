import type { EventWords } from './words.ts';

export const en: EventWords = {
  when: 'When',
  where: 'Where',
  join: 'Join',
  calendar: 'Calendar',
  reminder: (title, when) => `Reminder: ${title}, ${when}`,
  whyReminder: (firm) => `You set this reminder in your calendar at ${firm}.`,
};
