import { archived, conversation, correspondence, spam, unread } from './conversation.ts';
import { partners, payouts } from './mailboxes.ts';

const bank = 'Meridian Bank Corporate Desk <corporate@meridianbank.example>';
const { got, sent, draft } = correspondence(payouts);

const payoutMail = [
  ...conversation(
    payouts,
    'wire-recall',
    'Recall of payment 20417-B',
    got(
      'P1DT3H',
      bank,
      `Dear client,

the beneficiary bank returned payment 20417-B over EUR 3,260.00 with the reason "account holder does not match". Please confirm the name of the beneficiary, or tell us to credit the amount to your account.

Meridian Bank, Corporate Desk`,
    ),
    sent(
      'P1DT1H',
      bank,
      `Dear colleagues,

please credit the amount. The trader moved to a joint account; we will send a new order once the name is verified.

Priya Raman`,
    ),
    got(
      'PT19H',
      bank,
      `Dear Ms Raman, the amount was credited today, value date today, less EUR 15.00 charges.`,
    ),
  ),
  ...conversation(
    payouts,
    'cut-off',
    'Earlier cut-off before the long weekend',
    got(
      'PT4H',
      bank,
      `Dear client, orders for the coming Friday must reach us by 12:00 instead of 15:00. Orders received later are executed on the next working day.`,
      unread,
    ),
  ),
  ...conversation(
    payouts,
    'batch-question',
    'Missing line in the Thursday batch',
    got(
      'P5D',
      'tom',
      `Hi Priya, Anders Nyström asks where his payout is. He is in the approved list but I do not see him in Thursday's batch. Could you check? Tom`,
      archived,
    ),
    sent(
      'P4DT23H58M',
      'tom',
      `Hi Tom, he changed his IBAN after the batch was frozen, so he is in the next one, tomorrow at 15:00. I have added a note to his ticket. Priya`,
      archived,
    ),
  ),
  ...conversation(
    payouts,
    'quarter',
    'Payout figures for the quarter',
    draft(
      'P1D',
      'maya',
      `Hi Maya,

as promised the figures for the board:
Payouts paid: 412, of which 96 % within two working days.
Average amount: `,
    ),
  ),
  ...conversation(
    payouts,
    'fake-invoice',
    'Overdue invoice 88-1204, second notice',
    got(
      'P3D',
      'Accounts Receivable <billing@fast-invoices.example>',
      `Your payment of USD 1,940.00 is overdue. Use the link to settle it today and avoid collection.`,
      spam,
    ),
  ),
];

const partner = correspondence(partners);

const partnerMail = [
  ...conversation(
    partners,
    'podcast',
    'Northgate on the Pips and Coffee podcast',
    partner.got(
      'P2D',
      'Pips and Coffee <pipsandcoffee@example.org>',
      `Hi Diego,

we would love to have someone from Northgate on the show in three weeks. Forty minutes, no sales talk, listeners send questions beforehand. And could we get a code of our own for the show notes?

Ben`,
    ),
    partner.sent(
      'P1DT20H',
      'Pips and Coffee <pipsandcoffee@example.org>',
      `Hi Ben,

gladly, Nadia from our risk team is a much better guest than I am. I have reserved the code COFFEE for you: claim it within two weeks and it is yours.

Diego`,
    ),
    partner.got(
      'PT16H',
      'Pips and Coffee <pipsandcoffee@example.org>',
      `Brilliant, thank you. Does Nadia have time on Wednesday at four, your time, for a short call?`,
      unread,
    ),
  ),
  ...conversation(
    partners,
    'brand-bidding',
    'Someone bids on our name',
    partner.got(
      'P6D',
      'maya',
      `Diego, a trader forwarded me an ad "Northgate 50 % off" that leads to a page we do not know, with the code NORTHGATE50. Can you look into it? Maya`,
    ),
    partner.sent(
      'P5DT22H',
      'maya',
      `That reservation was never claimed and I have revoked it. I have also reported the ad. Diego`,
    ),
  ),
];

export const financeMail = [...payoutMail, ...partnerMail];
