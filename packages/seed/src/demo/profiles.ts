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

/** What the platform says about the traders of Northgate Capital, by their keys. One whose account was deleted has none. */
const northgate: Record<string, Profile> = {
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
  aisha: profile(
    'NG',
    'verified',
    [account('NG-47318', 'Funded', '52980.00', '1.2 % of 10 %', '2025-09-22')],
    [payout('2310.00', 'Paid', '2026-03-04'), payout('1180.00', 'Paid', '2026-02-04')],
  ),
  grace: profile('KE', 'verified', [
    account('NG-51994', 'Funded', '51700.00', '0.7 % of 10 %', '2026-03-02'),
  ]),
  viktor: profile(
    'RS',
    'verified',
    [account('NG-46020', 'Funded', '108450.60', '2.2 % of 10 %', '2025-07-07')],
    [payout('3900.00', 'Denied', '2026-03-03'), payout('2750.00', 'Paid', '2026-02-02')],
    true,
  ),
  jonas: profile(
    'DE',
    'verified',
    [account('NG-51655', 'Phase 1', '24710.00', '1.9 % of 10 %', '2026-02-11')],
    [payout('1460.00', 'Paid', '2025-12-15')],
  ),
  katrin: profile(
    'AT',
    'pending',
    [account('NG-48555', 'Funded', '26120.40', '0.3 % of 10 %', '2025-11-24')],
    [payout('540.00', 'Paid', '2026-02-09')],
  ),
  rafael: profile(
    'BR',
    'verified',
    [account('NG-47980', 'Funded', '50890.00', '1.6 % of 10 %', '2025-10-20')],
    [payout('890.00', 'Paid', '2026-03-03')],
  ),
  sanne: profile(
    'NL',
    'verified',
    [account('NG-48102', 'Funded', '101960.00', '0.8 % of 10 %', '2025-10-27')],
    [payout('1720.00', 'Paid', '2026-02-23')],
  ),
  thuy: profile(
    'VN',
    'verified',
    [account('NG-49016', 'Funded', '10385.00', '2.1 % of 10 %', '2025-12-03')],
    [payout('64.00', 'Requested', '2026-03-04')],
  ),
  arjun: profile('IN', 'rejected', [
    account('NG-50877', 'Waits for verification', '50000.00', '0.0 % of 10 %', '2026-01-08'),
  ]),
  noah: profile('US', 'verified', [
    account('NG-52140', 'Phase 1', '50000.00', '0.0 % of 10 %', '2026-03-03'),
  ]),
  yusuf: profile('TR', 'rejected', [account('NG-51320', 'Closed', '4870.00', '2.6 % of 10 %', '2026-01-30')]),
  liam: profile('IE', 'verified', [account('NG-51733', 'Instant', '26800.00', '0.0 % of 6 %', '2026-02-16')]),
  carlos: profile('MX', 'verified', [
    account('NG-49540', 'Funded', '104200.00', '0.0 % of 10 %', '2025-12-12'),
  ]),
  ravi: profile('LK', 'verified', [
    account('NG-51488', 'Phase 1 passed', '54030.00', '0.9 % of 10 %', '2026-02-05'),
  ]),
  amelie: profile(
    'BE',
    'verified',
    [account('NG-48440', 'Funded', '25930.00', '1.4 % of 10 %', '2025-11-19')],
    [payout('610.00', 'Paid', '2026-02-16')],
  ),
  piotr: profile('PL', 'verified', [
    account('NG-88231', 'Phase 1 passed', '108000.00', '0.0 % of 10 %', '2026-01-26'),
    account('NG-52230', 'Phase 2', '100000.00', '0.0 % of 8 %', '2026-03-05'),
  ]),
  ines: profile('PT', 'verified', [
    account('NG-51610', 'Phase 1', '25215.00', '0.5 % of 10 %', '2026-02-10'),
  ]),
};

const harborPoint: Record<string, Profile> = {
  nora: profile('SE', 'verified', [account('HP-2107', 'Funded', '50440.00', '1.0 % of 10 %', '2025-12-18')]),
  samuel: profile('US', 'verified', [
    account('HP-1986', 'Phase 2', '98880.00', '3.5 % of 8 %', '2026-01-15'),
  ]),
  tyler: profile('US', 'pending', [account('HP-2240', 'Phase 1', '25060.00', '0.2 % of 10 %', '2026-03-01')]),
};

/** The profiles of each firm. */
export const profiles: Record<string, Record<string, Profile>> = { northgate, 'harbor-point': harborPoint };
