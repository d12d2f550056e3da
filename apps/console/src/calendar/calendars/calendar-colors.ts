import type { CalendarColor } from '@firmdesk/contract';

/** The hue of each colour, in degrees. Neighbours in the list differ strongly. */
export const colorHues: Record<CalendarColor, number> = {
  indigo: 265,
  green: 150,
  amber: 40,
  pink: 330,
  sky: 200,
  lime: 100,
  red: 15,
  purple: 295,
};

export const calendarColors = Object.keys(colorHues) as CalendarColor[];

/** Returns the hue of a calendar: that of its colour, else one by its place in the list of calendars. */
export function hueOf(color: CalendarColor | null, at: number): number {
  return colorHues[color ?? calendarColors[at % calendarColors.length]!];
}
