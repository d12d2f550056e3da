import type { EventWords } from './words.ts';

export const pt: EventWords = {
  when: 'Quando',
  where: 'Onde',
  join: 'Participar',
  calendar: 'Calendário',
  reminder: (title, when) => `Lembrete: ${title}, ${when}`,
  whyReminder: (firm) => `Definiu este lembrete no seu calendário em ${firm}.`,
  scheduling: {
    invited: (title, who) => ({ subject: `Convite: ${title}`, note: `${who} convida-o.` }),
    updated: (title, who) => ({ subject: `Alterado: ${title}`, note: `${who} alterou o evento.` }),
    cancelled: (title, who) => ({
      subject: `Cancelado: ${title}`,
      note: `${who} cancelou o evento ou já não o convida.`,
    }),
    accepted: (title, who) => ({ subject: `Aceite: ${title}`, note: `${who} aceitou o convite.` }),
    tentative: (title, who) => ({ subject: `Provisório: ${title}`, note: `${who} talvez participe.` }),
    declined: (title, who) => ({ subject: `Recusado: ${title}`, note: `${who} recusou o convite.` }),
  },
};
