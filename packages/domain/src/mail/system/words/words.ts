type SchedulingKind = 'invited' | 'updated' | 'cancelled' | 'accepted' | 'tentative' | 'declined';

/** The texts of mail about events, in one language. */
export interface EventWords {
  when: string;
  where: string;
  join: string;
  calendar: string;
  /** The subject of a reminder. */
  reminder(title: string, when: string): string;
  /** Why the account gets the reminder. */
  whyReminder(firm: string): string;
  /** Messages between the people of an event. `who` has sent it. */
  scheduling: Record<SchedulingKind, (title: string, who: string) => { subject: string; note: string }>;
}
