/** The texts of pushes in one language. Times and days are passed as formatted text. */
export interface PushMessages {
  newMail: string;
  noSubject: string;
  /** For an event today, in the device's time zone. */
  startsAt(time: string): string;
  /** For an event on another day. */
  startsOn(day: string, time: string): string;
  /** For an all-day event. */
  startsOnDay(day: string): string;
  /** The title and body for a sign-in on a new device. */
  newSignIn: string;
  signedIn(device: string, workspace: string): string;
  unnamedDevice: string;
  testTitle: string;
  testBody: string;
}
