import type { EventWords } from './words.ts';

export const de: EventWords = {
  when: 'Wann',
  where: 'Wo',
  join: 'Teilnehmen',
  calendar: 'Kalender',
  reminder: (title, when) => `Erinnerung: ${title}, ${when}`,
  whyReminder: (firm) => `Sie haben diese Erinnerung in Ihrem Kalender bei ${firm} eingestellt.`,
  scheduling: {
    invited: (title, who) => ({ subject: `Einladung: ${title}`, note: `${who} lädt Sie ein.` }),
    updated: (title, who) => ({ subject: `Geändert: ${title}`, note: `${who} hat den Termin geändert.` }),
    cancelled: (title, who) => ({
      subject: `Abgesagt: ${title}`,
      note: `${who} hat den Termin abgesagt oder lädt Sie nicht mehr ein.`,
    }),
    accepted: (title, who) => ({ subject: `Zugesagt: ${title}`, note: `${who} hat zugesagt.` }),
    tentative: (title, who) => ({ subject: `Mit Vorbehalt: ${title}`, note: `${who} kommt vielleicht.` }),
    declined: (title, who) => ({ subject: `Abgelehnt: ${title}`, note: `${who} hat abgesagt.` }),
  },
};
