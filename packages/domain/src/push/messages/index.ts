import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { pt } from './pt.ts';
import type { PushMessages } from './push-messages.ts';

const catalogues: Readonly<Record<string, PushMessages>> = { en, de, es, fr, pt };

/** Returns the messages of a language (`de`, `pt-BR`) and the locale for times. The default is English. */
export function messagesFor(language: string): { messages: PushMessages; locale: string } {
  const base = language.split(/[-_]/)[0]!.toLowerCase();
  const messages = Object.hasOwn(catalogues, base) ? catalogues[base] : undefined;
  if (!messages) return { messages: en, locale: 'en' };
  const locale = language.replaceAll('_', '-');
  return { messages, locale: isLocale(locale) ? locale : base };
}

function isLocale(locale: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(locale).length > 0;
  } catch {
    return false;
  }
}

interface Start {
  /** Epoch ms. */
  start: number;
  allDay: boolean;
  /** The event's time zone, which decides on which days an all-day event lies. */
  eventZone: string;
}

/** Returns the start of an event as text, in the reader's language and time zone. */
export function startsText(
  language: string,
  { start, allDay, eventZone }: Start,
  readerZone: string,
  now: Date,
): string {
  const { messages, locale } = messagesFor(language);
  const timeZone = allDay ? eventZone : readerZone;
  const day = (moment: number) =>
    new Intl.DateTimeFormat(locale, { timeZone, weekday: 'short', month: 'short', day: 'numeric' }).format(
      moment,
    );
  if (allDay) return messages.startsOnDay(day(start));
  const time = new Intl.DateTimeFormat(locale, { timeZone, hour: 'numeric', minute: '2-digit' }).format(
    start,
  );
  return day(start) === day(now.getTime()) ? messages.startsAt(time) : messages.startsOn(day(start), time);
}
