import type { EventWords } from './words.ts';

export const es: EventWords = {
  when: 'Cuándo',
  where: 'Dónde',
  join: 'Unirse',
  calendar: 'Calendario',
  reminder: (title, when) => `Recordatorio: ${title}, ${when}`,
  whyReminder: (firm) => `Ha configurado este recordatorio en su calendario de ${firm}.`,
  scheduling: {
    invited: (title, who) => ({ subject: `Invitación: ${title}`, note: `${who} le invita.` }),
    updated: (title, who) => ({ subject: `Cambiado: ${title}`, note: `${who} ha cambiado el evento.` }),
    cancelled: (title, who) => ({
      subject: `Cancelado: ${title}`,
      note: `${who} ha cancelado el evento o ya no le invita.`,
    }),
    accepted: (title, who) => ({ subject: `Aceptada: ${title}`, note: `${who} ha aceptado la invitación.` }),
    tentative: (title, who) => ({ subject: `Provisional: ${title}`, note: `${who} quizá asista.` }),
    declined: (title, who) => ({
      subject: `Rechazada: ${title}`,
      note: `${who} ha rechazado la invitación.`,
    }),
  },
};
