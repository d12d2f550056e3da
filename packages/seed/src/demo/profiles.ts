import type { SeedRecordInput } from '../schema.ts';

type Membership = NonNullable<SeedRecordInput<'users'>['memberships']>[number];
export type Profile = NonNullable<Membership['profile']>;

/** How the console shows the data: the platform decides it. */
const layout: Profile['layout'] = [
  {
    title: 'Accounts',
    list: '/accounts',
    fields: [
      { label: 'Number', value: '/number', format: 'text' },
      { label: 'Phase', value: '/phase', format: 'text' },
      { label: 'Balance', value: '/balance', format: 'money', currency: 'USD' },
      { label: 'Drawdown', value: '/drawdown', format: 'text' },
      { label: 'Since', value: '/since', format: 'date' },
    ],
  },
  {
    title: 'Payouts',
    list: '/payouts',
    fields: [
      { label: 'Amount', value: '/amount', format: 'money', currency: 'USD' },
      { label: 'State', value: '/state', format: 'text' },
      { label: 'Requested', value: '/at', format: 'date' },
    ],
  },
  { title: 'Risk', fields: [{ label: 'Flagged', value: '/flagged', format: 'flag' }] },
];

const account = (number: string, phase: string, balance: string, drawdown: string, since: string) => ({
  number,
  phase,
  balance,
  drawdown,
  since,
});
const payout = (amount: string, state: string, at: string) => ({ amount, state, at });

const profile = (
  country: string,
  verification: Profile['verification'],
  accounts: ReturnType<typeof account>[],
  payouts: ReturnType<typeof payout>[] = [],
  flagged = false,
): Profile => ({ country, verification, data: { accounts, payouts, flagged }, layout });

/** What the platform says about the traders of the tickets that are read first, by their keys. */
export const profiles: Record<string, Profile> = {
  olivia: profile(
    'GB',
    'verified',
    [account('NG-51877', 'Phase 1', '98240.50', '1.8 % of 10 %', '2026-02-03')],
    [],
  ),
  jamal: profile(
    'US',
    'verified',
    [account('NG-48210', 'Funded', '104318.22', '0.0 % of 10 %', '2025-11-17')],
    [payout('2140.00', 'Approved', '2026-02-18'), payout('1875.40', 'Paid', '2026-01-20')],
  ),
  anders: profile(
    'SE',
    'verified',
    [account('NG-47702', 'Funded', '51020.75', '2.4 % of 10 %', '2025-10-02')],
    [payout('960.00', 'Requested', '2026-03-01')],
  ),
  chloe: profile('FR', 'pending', [account('NG-52019', 'Phase 2', '25480.00', '0.6 % of 8 %', '2026-01-12')]),
  kenji: profile(
    'JP',
    'verified',
    [account('NG-46655', 'Funded', '201744.10', '1.1 % of 10 %', '2025-07-28')],
    [payout('3310.00', 'Paid', '2026-02-02')],
  ),
  emre: profile('TR', 'rejected', [account('NG-52111', 'Phase 1', '9720.00', '2.8 % of 10 %', '2026-02-20')]),
  lucia: profile('ES', 'verified', [
    account('NG-50390', 'Phase 2', '50960.30', '0.0 % of 8 %', '2025-12-09'),
  ]),
  tyler: profile(
    'US',
    'verified',
    [account('NG-49903', 'Breached', '44810.00', '10.4 % of 10 %', '2025-12-01')],
    [],
    true,
  ),
  fatima: profile(
    'AE',
    'verified',
    [account('NG-45120', 'Funded', '99310.80', '3.2 % of 10 %', '2025-05-14')],
    [payout('1420.00', 'Paid', '2026-01-05')],
  ),
  mateo: profile('CO', 'unverified', [
    account('NG-52200', 'Phase 1', '10044.00', '0.0 % of 10 %', '2026-02-27'),
  ]),
  wei: profile(
    'SG',
    'verified',
    [
      account('NG-44018', 'Funded', '312905.00', '0.9 % of 10 %', '2025-03-11'),
      account('NG-51200', 'Phase 1', '98750.00', '1.3 % of 10 %', '2026-01-29'),
    ],
    [payout('6200.00', 'Paid', '2026-02-11')],
  ),
  hannah: profile('AU', 'verified', [
    account('NG-50011', 'Phase 1', '24890.00', '0.4 % of 10 %', '2025-12-30'),
  ]),
  marcus: profile(
    'US',
    'verified',
    [account('NG-48877', 'Funded', '76120.40', '4.9 % of 10 %', '2025-11-30')],
    [payout('2890.00', 'In review', '2026-03-02')],
    true,
  ),
};
