import type { PushMessages } from './push-messages.ts';

export const de: PushMessages = {
  newMail: 'Sie haben eine neue Nachricht.',
  noSubject: '(kein Betreff)',
  startsAt: (time) => `Beginnt um ${time} Uhr`,
  startsOn: (day, time) => `Beginnt am ${day} um ${time} Uhr`,
  allDayOn: (day) => `${day}, ganztägig`,
  newSignIn: 'Neue Anmeldung',
  signedIn: (device, workspace) =>
    `${device} hat sich bei ${workspace} angemeldet. Wenn Sie das nicht waren, melden Sie das Gerät ab.`,
  unnamedDevice: 'Ein Gerät',
  testTitle: 'Testmitteilung',
  testBody: 'Mitteilungen erreichen dieses Gerät.',
};
