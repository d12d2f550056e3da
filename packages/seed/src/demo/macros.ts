import type { SeedRecordInput } from '../schema.ts';

/** Prepared replies of the firm, in its order. */
export const macros: SeedRecordInput<'macros'>[] = [
  {
    key: 'payout-approved',
    firm: 'northgate',
    name: 'Payout approved',
    team: 'payments',
    texts: [
      {
        language: 'en',
        text: 'Hi {{trader.first_name}},\n\nyour payout is approved and leaves us today. Banks need one to three working days.\n\n{{agent.name}}',
      },
      {
        language: 'de',
        text: 'Hallo {{trader.first_name}},\n\nIhre Auszahlung ist freigegeben und geht heute raus. Die Bank braucht ein bis drei Werktage.\n\n{{agent.name}}',
      },
    ],
    actions: { add_tags: ['payout'], status: 'resolved' },
    used: 41,
    last_used_at: 'now-PT3H',
  },
  {
    key: 'documents-missing',
    firm: 'northgate',
    name: 'Documents missing',
    texts: [
      {
        language: 'en',
        text: 'Hi {{trader.first_name}},\n\nwe still need a document with your address that is not older than three months, such as a bill or a bank statement. You can upload it under Verification.\n\n{{agent.name}}',
      },
    ],
    actions: { add_tags: ['kyc'], assignee: 'me' },
    used: 27,
    last_used_at: 'now-P1D',
  },
  {
    key: 'drawdown-rule',
    firm: 'northgate',
    name: 'How the daily drawdown counts',
    texts: [
      {
        language: 'en',
        text: 'Hi {{trader.first_name}},\n\nthe daily limit counts from the higher of balance and equity at midnight, server time. Open positions count with their floating loss.\n\n{{agent.name}}',
      },
    ],
    actions: { add_tags: ['rules'] },
    used: 18,
    last_used_at: 'now-P2D',
  },
  {
    key: 'charged-twice',
    firm: 'northgate',
    name: 'Charged twice',
    texts: [
      {
        language: 'en',
        text: 'Hi {{trader.first_name}},\n\nI see both charges. The second one goes back to your card today, and shows up within five working days.\n\n{{agent.name}}',
      },
    ],
    actions: { add_tags: ['billing'], priority: 'high' },
    used: 6,
    last_used_at: 'now-P4D',
  },
];
