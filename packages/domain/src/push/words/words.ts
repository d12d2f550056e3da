/** What notifications say in one language. Times and days come formatted. */
export interface PushWords {
  newMail: string;
  noSubject: string;
  /** Later today, in the device's zone. */
  startsAt(time: string): string;
  /** On another day. */
  startsOn(day: string, time: string): string;
  /** Lasts whole days. */
  startsOnDay(day: string): string;
  testTitle: string;
  testBody: string;
}
