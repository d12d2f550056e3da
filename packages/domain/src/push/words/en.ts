import type { PushWords } from './words.ts';

export const en: PushWords = {
  newMail: 'You have a new message.',
  noSubject: '(no subject)',
  startsAt: (time) => `Starts at ${time}`,
  startsOn: (day, time) => `Starts on ${day} at ${time}`,
  startsOnDay: (day) => `${day}, all day`,
  testTitle: 'Test notification',
  testBody: 'Notifications reach this device.',
};
