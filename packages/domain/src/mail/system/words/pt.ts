import type { EventWords } from './words.ts';

export const pt: EventWords = {
  when: 'Quando',
  where: 'Onde',
  join: 'Participar',
  calendar: 'Calendário',
  reminder: (title, when) => `Lembrete: ${title}, ${when}`,
  whyReminder: (firm) => `Definiu este lembrete no seu calendário em ${firm}.`,
};
