import type { PushMessages } from './push-messages.ts';

export const en: PushMessages = {
  newMail: 'You have a new message.',
  noSubject: '(no subject)',
  startsAt: (time) => `Starts at ${time}`,
  startsOn: (day, time) => `Starts on ${day} at ${time}`,
  allDayOn: (day) => `${day}, all day`,
  newSignIn: 'New sign-in',
  signedIn: (device, workspace) =>
    `${device} signed in to ${workspace}. If this was not you, sign the device out.`,
  unnamedDevice: 'A device',
  testTitle: 'Test notification',
  testBody: 'Notifications reach this device.',
};
