import { localeOf } from '../../push/index.ts';
import { shortMail } from './html.ts';
import { whenText } from './when-text.ts';
import { wordsFor } from './words/index.ts';

/** The event of a reminder, as its reader may see it. */
export interface RemindedEvent {
  title: string;
  /** Epoch ms. */
  start: number;
  zone: string;
  allDay: boolean;
  location: string | null;
  description: string | null;
  conferenceUrl: string | null;
  calendarUrl: string | null;
  firm: string;
}

/** Returns the subject and the text of a reminder by mail. */
export function reminderText(
  language: string,
  event: RemindedEvent,
): { subject: string; text: string; html: string } {
  const words = wordsFor(language);
  const when = whenText(localeOf(language), event);
  const lines = [{ label: words.when, value: when }];
  if (event.location) lines.push({ label: words.where, value: event.location });
  const links = [
    ...(event.conferenceUrl
      ? [{ label: words.join, value: event.conferenceUrl, url: event.conferenceUrl }]
      : []),
    ...(event.calendarUrl
      ? [{ label: words.calendar, value: event.calendarUrl, url: event.calendarUrl }]
      : []),
  ];
  return {
    subject: words.reminder(event.title, when),
    ...shortMail({
      heading: event.title,
      lines: [...lines, ...links],
      body: event.description,
      note: words.whyReminder(event.firm),
    }),
  };
}
