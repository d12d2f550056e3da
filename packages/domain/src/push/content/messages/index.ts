import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { pt } from './pt.ts';
import type { PushMessages } from './push-messages.ts';

const messagesByLanguage: Readonly<Record<string, PushMessages>> = { en, de, es, fr, pt };

const baseOf = (language: string) => language.split(/[-_]/)[0]!.toLowerCase();

/** Returns the messages for a language tag (`de`, `pt-BR`). Unknown languages get English. */
export function messagesFor(language: string): PushMessages {
  const base = baseOf(language);
  return Object.hasOwn(messagesByLanguage, base) ? messagesByLanguage[base]! : en;
}

/** Returns the locale for times. */
export function localeOf(language: string): string {
  const base = baseOf(language);
  if (!Object.hasOwn(messagesByLanguage, base)) return 'en';
  const locale = language.replaceAll('_', '-');
  return isLocale(locale) ? locale : base;
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
  /** The event's time zone. It determines the days of an all-day event. */
  eventZone: string;
}

/** Returns the start of an event as text, in the reader's language and time zone. */
export function startsText(
  language: string,
  { start, allDay, eventZone }: Start,
  readerZone: string,
  now: Date,
): string {
  const messages = messagesFor(language);
  const locale = localeOf(language);
  const timeZone = allDay ? eventZone : readerZone;
  const day = (moment: number) =>
    new Intl.DateTimeFormat(locale, { timeZone, weekday: 'short', month: 'short', day: 'numeric' }).format(
      moment,
    );
  if (allDay) return messages.allDayOn(day(start));
  const time = new Intl.DateTimeFormat(locale, { timeZone, hour: 'numeric', minute: '2-digit' }).format(
    start,
  );
  return day(start) === day(now.getTime()) ? messages.startsAt(time) : messages.startsOn(day(start), time);
}
