/** The texts of pushes in one language. Times and days are passed as formatted text. */
export interface PushMessages {
  newMail: string;
  noSubject: string;
  /** For an event that starts today, in the reader's time zone. */
  startsAt(time: string): string;
  /** For an event on another day. */
  startsOn(day: string, time: string): string;
  /** For an all-day event. */
  allDayOn(day: string): string;
  /** The title for a sign-in on a new device. */
  newSignIn: string;
  /** The body for a sign-in on a new device. `workspace` is the name of the firm. */
  signedIn(device: string, workspace: string): string;
  /** Stands for a device that sent no name. */
  unnamedDevice: string;
  testTitle: string;
  testBody: string;
}
