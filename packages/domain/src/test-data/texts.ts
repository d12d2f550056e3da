import type { DeliveryFolder } from '@firmdesk/contract';

/** The messages of a mailbox with test data. */
export const messages: { folder: DeliveryFolder; id: string; from: string; subject: string; text: string }[] =
  [
    {
      folder: 'inbox',
      id: 'test-statement',
      from: 'Example Bank <statements@example.com>',
      subject: 'Your statement is ready',
      text: 'Your statement of last month is ready.',
    },
    {
      folder: 'inbox',
      id: 'test-question',
      from: 'Kim Example <kim@example.com>',
      subject: 'A question about the programme',
      text: 'Hello, can I change my account size after the first phase?',
    },
    {
      folder: 'spam',
      id: 'test-spam',
      from: 'Signals <signals@example.net>',
      subject: 'Signals that never lose',
      text: 'Subscribe today.',
    },
  ];

/** The tickets of an account with test data: one that the assistant answers, and one that waits for the team. */
export const tickets = [
  {
    subject: 'Where is my payout?',
    body: 'I asked for a payout on Monday, and it has not arrived.',
    ai_enabled: true,
  },
  {
    subject: 'My account is locked',
    body: 'I cannot sign in to my trading account.',
    ai_enabled: false,
  },
];
