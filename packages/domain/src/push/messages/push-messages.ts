/** What notifications say in one language. Times and days come formatted. */
export interface PushMessages {
  newMail: string;
  noSubject: string;
  /** Later today, in the device's zone. */
  startsAt(time: string): string;
  /** On another day. */
  startsOn(day: string, time: string): string;
  /** Lasts whole days. */
  startsOnDay(day: string): string;
  /** Of a sign-in on a new device: the title, and what signed in to which firm. */
  newSignIn: string;
  signedIn(device: string, workspace: string): string;
  unnamedDevice: string;
  testTitle: string;
  testBody: string;
}
