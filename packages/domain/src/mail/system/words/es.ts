import type { EventWords } from './words.ts';

export const es: EventWords = {
  when: 'Cuándo',
  where: 'Dónde',
  join: 'Unirse',
  calendar: 'Calendario',
  reminder: (title, when) => `Recordatorio: ${title}, ${when}`,
  whyReminder: (firm) => `Ha configurado este recordatorio en su calendario de ${firm}.`,
};
