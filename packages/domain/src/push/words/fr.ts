import type { PushWords } from './words.ts';

export const fr: PushWords = {
  newMail: 'Vous avez un nouveau message.',
  noSubject: '(sans objet)',
  startsAt: (time) => `Commence à ${time}`,
  startsOn: (day, time) => `Commence le ${day} à ${time}`,
  startsOnDay: (day) => `${day}, toute la journée`,
  newSignIn: 'Nouvelle connexion',
  signedIn: (device, workspace) =>
    `${device} s’est connecté à ${workspace}. Si ce n’était pas vous, déconnectez l’appareil.`,
  unnamedDevice: 'Un appareil',
  testTitle: 'Notification de test',
  testBody: 'Les notifications arrivent sur cet appareil.',
};
