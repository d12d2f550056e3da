import type { PushMessages } from './push-messages.ts';

export const fr: PushMessages = {
  newMail: 'Vous avez un nouveau message.',
  noSubject: '(sans objet)',
  startsAt: (time) => `Commence à ${time}`,
  startsOn: (day, time) => `Commence le ${day} à ${time}`,
  allDayOn: (day) => `${day}, toute la journée`,
  newSignIn: 'Nouvelle connexion',
  signedIn: (device, workspace) =>
    `${device} s’est connecté à ${workspace}. Si ce n’était pas vous, déconnectez l’appareil.`,
  unnamedDevice: 'Un appareil',
  testTitle: 'Notification de test',
  testBody: 'Les notifications arrivent sur cet appareil.',
};
