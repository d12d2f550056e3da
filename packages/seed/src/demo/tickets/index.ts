import { affiliateTickets } from './affiliates.ts';
import { billingTickets } from './billing.ts';
import { ai, replied, said, type Ticket, ticket } from './conversation.ts';
import { evaluationTickets } from './evaluation.ts';
import { payoutTickets } from './payouts.ts';
import { platformTickets } from './platform.ts';
import { ruleTickets } from './rules.ts';
import { verificationTickets } from './verification.ts';

/** The second firm is small and has disabled the assistant for its team. */
const harborTickets: Ticket[] = [
  ticket(
    'harbor-login',
    'nora',
    'Cannot log in after the password reset',
    {
      status: 'awaiting_admin',
      priority: 'high',
      assignee: 'ruth',
      team: 'harbor-desk',
      tags: ['harbor-urgent'],
    },
    said('PT9H', `Hej, I reset my password and now neither the old nor the new one works.`),
    replied(
      'PT8H',
      'ruth',
      `Hej Nora, the reset was sent twice, and only the link in the second mail is valid. Could you try that one?`,
    ),
    said('PT7H59M', `I deleted both mails, could you send a third?`),
  ),
  ticket(
    'harbor-gold',
    'samuel',
    'Gold margin',
    { status: 'resolved', assignee: 'owen' },
    said('P5D', `Why did the margin for gold double on Friday?`),
    replied(
      'P4DT23H59M',
      'owen',
      `It does so every weekend, from Friday 16:00 New York time, and goes back on Sunday evening.`,
    ),
    said('P4D', `Got it.`),
  ),
  ticket(
    'harbor-second-firm',
    'tyler',
    'Moving from another firm',
    { status: 'open' },
    said(
      'PT3H',
      `I am funded elsewhere and would like to trade with you too. Do you have the same rule about news?`,
    ),
    ai(
      'PT2H59M',
      `Hello Tyler, here positions may be held over news, but not opened within one minute of a release.`,
    ),
  ),
];

export const tickets: Ticket[] = [
  ...payoutTickets,
  ...verificationTickets,
  ...ruleTickets,
  ...platformTickets,
  ...billingTickets,
  ...affiliateTickets,
  ...evaluationTickets,
  ...harborTickets.map((ofHarbor) => ({ ...ofHarbor, firm: 'harbor-point' })),
];
