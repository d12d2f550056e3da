import type { EventWords } from './words.ts';

export const fr: EventWords = {
  when: 'Quand',
  where: 'Où',
  join: 'Participer',
  calendar: 'Calendrier',
  reminder: (title, when) => `Rappel : ${title}, ${when}`,
  whyReminder: (firm) => `Vous avez réglé ce rappel dans votre calendrier chez ${firm}.`,
  scheduling: {
    invited: (title, who) => ({ subject: `Invitation : ${title}`, note: `${who} vous invite.` }),
    updated: (title, who) => ({ subject: `Modifié : ${title}`, note: `${who} a modifié l’événement.` }),
    cancelled: (title, who) => ({
      subject: `Annulé : ${title}`,
      note: `${who} a annulé l’événement ou ne vous invite plus.`,
    }),
    accepted: (title, who) => ({ subject: `Acceptée : ${title}`, note: `${who} a accepté l’invitation.` }),
    tentative: (title, who) => ({ subject: `Provisoire : ${title}`, note: `${who} viendra peut-être.` }),
    declined: (title, who) => ({ subject: `Refusée : ${title}`, note: `${who} a refusé l’invitation.` }),
  },
};
