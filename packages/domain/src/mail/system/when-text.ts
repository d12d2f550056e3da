interface Moment {
  /** Epoch ms. */
  start: number;
  /** In which the time is stated. */
  zone: string;
  allDay: boolean;
}

/** Returns when an event starts, in words: the day, the time and its zone. */
export function whenText(locale: string, { start, zone, allDay }: Moment): string {
  return new Intl.DateTimeFormat(locale, {
    timeZone: zone,
    weekday: 'long',
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    ...(!allDay && { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' }),
  }).format(start);
}
