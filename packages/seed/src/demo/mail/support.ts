import { archived, conversation, correspondence, spam, trashedFrom, unread } from './conversation.ts';
import { support } from './mailboxes.ts';

const { got, sent, draft } = correspondence(support);

export const supportMail = [
  ...conversation(
    support,
    'webinar-recording',
    'Recording of the risk webinar?',
    got(
      'PT25M',
      'olivia',
      `Hi,

I had to leave the webinar on position sizing after twenty minutes. Will there be a recording, and can I share it with my trading group?

Thanks,
Olivia`,
      unread,
    ),
  ),
  ...conversation(
    support,
    'invoice-request',
    'Invoice with company details',
    got(
      'P1DT5H',
      'piotr',
      `Hello,

my accountant needs an invoice for the 100K evaluation I bought on the third, made out to my company (Kowalczyk Consulting sp. z o.o., VAT PL5252839101). Can you issue it again?

Best regards
Piotr Kowalczyk`,
    ),
    sent(
      'P1DT2H',
      'piotr',
      `Hello Piotr,

of course. You will find the corrected invoice in your dashboard under Billing, and a copy goes to the address you gave us. The old one is cancelled, so please book only the new number.

Kind regards,
Tom, Northgate Support`,
    ),
    got('PT22H', 'piotr', `Found it, that was quick. Thank you!`),
  ),
  ...conversation(
    support,
    'press',
    'Question for an article about evaluation fees',
    got(
      'PT3H',
      'Helen Marsh <helen.marsh@dailyledger.example>',
      `Dear team,

I write for the Daily Ledger about the retail trading industry, and I am comparing how firms treat evaluation fees when an account fails. Could someone tell me how many of your traders receive their fee back in a typical quarter? I would need an answer by Thursday noon.

Best wishes,
Helen Marsh`,
      unread,
    ),
    draft(
      'PT50M',
      'Helen Marsh <helen.marsh@dailyledger.example>',
      `Dear Ms Marsh,

thank you for asking us directly. The fee is refunded with the first payout of a funded account; for the last quarter that was `,
    ),
  ),
  ...conversation(
    support,
    'outage-apology',
    'Platform outage on Tuesday: was my stop honoured?',
    got(
      'P3DT4H',
      'hannah',
      `Hi guys,

my terminal lost the connection at 14:07 London time, right when the figures came out. When it came back my EURUSD short was closed nine pips beyond my stop. Is that slippage or was it the outage?

Hannah`,
    ),
    sent(
      'P3DT3H',
      'hannah',
      `Hi Hannah,

thanks for the exact time, that helps. I have asked the liquidity desk for the execution log and will come back to you today.

Lena`,
    ),
    sent(
      'P2DT20H',
      'hannah',
      `Hi Hannah,

here is what the log says: the order was filled at 14:07:03.212 at the first price after your stop. The connection problem was on the quote stream only, so it was slippage from the release. The loss still counts, but since the chart was frozen for you, we have taken the trade out of the daily drawdown.

Lena`,
    ),
    got('P2DT12H', 'hannah', `That's more than fair. Cheers, Lena!`),
  ),
  ...conversation(
    support,
    'old-address',
    'Please change my email address',
    got(
      'P12D',
      'viktor',
      `Hello, I lose access to this mailbox at the end of the month. Please change my address to viktor.ilic@example.com. Viktor`,
      archived,
    ),
    sent(
      'P11DT20H',
      'viktor',
      `Hello Viktor,

for your safety we change the address only after you confirm it from inside the dashboard: Settings, Profile, Email. It takes two minutes, and we are here if it does not work.

Tom`,
      archived,
    ),
  ),
  ...conversation(
    support,
    'bank-holiday',
    'Trading hours on the bank holiday',
    got('P20D', 'liam', `Hi, are indices open as usual on Monday? Liam`, archived),
    sent(
      'P19DT23H58M',
      'liam',
      `Hi Liam, indices close at 18:00 London time on Monday and open again at 23:00. Forex is not affected. Tom`,
      archived,
    ),
  ),
  ...conversation(
    support,
    'seo-offer',
    'Boost your ranking to page ONE in 14 days!!',
    got(
      'PT7H',
      'Growth Wizards <hello@growth-wizards.example>',
      `Dear website owner, we checked your site and found 37 critical errors. Reply YES for a free audit.`,
      spam,
    ),
  ),
  ...conversation(
    support,
    'wallet-scam',
    'URGENT: your wallet will be suspended',
    got(
      'P2D',
      'Wallet Security <no-reply@wallet-verify.example>',
      `Unusual activity was found. Validate your recovery phrase within 24 hours to avoid losing your funds.`,
      spam,
    ),
  ),
  ...conversation(
    support,
    'not-spam-after-all',
    'Ancora in attesa del certificato',
    // An agent marked this as spam by mistake; restoring moves it back to the inbox.
    got(
      'P4D',
      'Giulia Conti <giulia.conti@example.com>',
      `Buongiorno, ho superato la fase 2 venerdì ma il certificato non è ancora nel mio profilo. Potete controllare? Grazie, Giulia`,
      { folder: 'spam', previous_folder: 'inbox' },
    ),
  ),
  ...conversation(
    support,
    'newsletter',
    'Your weekly helpdesk digest',
    got('P5D', 'Helpdesk Weekly <digest@helpdesk-weekly.example>', `Five macros you should know about.`, {
      ...trashedFrom('inbox'),
      read: false,
    }),
  ),
  ...conversation(
    support,
    'duplicate-question',
    'Where is my certificate?',
    got('P7D', 'ravi', `Hi, I passed phase 1, where can I download the certificate?`, trashedFrom('archive')),
    sent(
      'P6DT23H58M',
      'ravi',
      `Hi Ravi, under Achievements in your dashboard. Congratulations! Tom`,
      trashedFrom('sent'),
    ),
  ),
];
