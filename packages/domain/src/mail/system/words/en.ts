import type { EventWords } from './words.ts';

export const en: EventWords = {
  when: 'When',
  where: 'Where',
  join: 'Join',
  calendar: 'Calendar',
  reminder: (title, when) => `Reminder: ${title}, ${when}`,
  whyReminder: (firm) => `You set this reminder in your calendar at ${firm}.`,
  scheduling: {
    invited: (title, who) => ({ subject: `Invitation: ${title}`, note: `${who} invites you.` }),
    updated: (title, who) => ({ subject: `Changed: ${title}`, note: `${who} has changed the event.` }),
    cancelled: (title, who) => ({
      subject: `Cancelled: ${title}`,
      note: `${who} has cancelled the event, or no longer invites you.`,
    }),
    accepted: (title, who) => ({
      subject: `Accepted: ${title}`,
      note: `${who} has accepted the invitation.`,
    }),
    tentative: (title, who) => ({ subject: `Tentative: ${title}`, note: `${who} may come.` }),
    declined: (title, who) => ({
      subject: `Declined: ${title}`,
      note: `${who} has declined the invitation.`,
    }),
  },
};
