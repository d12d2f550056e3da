import type { PushWords } from './words.ts';

export const fr: PushWords = {
  newMail: 'Vous avez un nouveau message.',
  noSubject: '(sans objet)',
  startsAt: (time) => `Commence à ${time}`,
  startsOn: (day, time) => `Commence le ${day} à ${time}`,
  startsOnDay: (day) => `${day}, toute la journée`,
  testTitle: 'Notification de test',
  testBody: 'Les notifications arrivent sur cet appareil.',
};
