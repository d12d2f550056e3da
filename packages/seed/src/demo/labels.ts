import type { SeedRecordInput } from '../schema.ts';

const tag = (key: string, name: string, color: string): SeedRecordInput<'tags'> => ({
  key,
  firm: 'northgate',
  name,
  color,
});

/** A firm uses the same tags for events and tickets. */
export const tags: SeedRecordInput<'tags'>[] = [
  tag('payout', 'Payout', '#15803d'),
  tag('kyc', 'Verification', '#7c3aed'),
  tag('rules', 'Trading rules', '#b45309'),
  tag('platform', 'Platform', '#1d4ed8'),
  tag('billing', 'Billing', '#0e7490'),
  tag('affiliate', 'Affiliate', '#be185d'),
  tag('vip', 'VIP', '#ca8a04'),
  tag('bug', 'Known bug', '#dc2626'),
  tag('hiring', 'Hiring', '#4d7c0f'),
  tag('holiday', 'Holiday', '#64748b'),
  { ...tag('challenge-v1', 'Challenge v1', '#a8a29e'), deleted: true },
  { key: 'harbor-urgent', firm: 'harbor-point', name: 'Call back', color: '#dc2626' },
];

export const teams: SeedRecordInput<'teams'>[] = [
  { key: 'support', firm: 'northgate', name: 'Support', members: ['maya', 'tom', 'lena', 'sofia'] },
  { key: 'payments', firm: 'northgate', name: 'Payments', members: ['maya', 'priya'] },
  { key: 'risk', firm: 'northgate', name: 'Risk', members: ['nadia', 'maya'] },
  { key: 'harbor-desk', firm: 'harbor-point', name: 'Desk', members: ['owen', 'ruth'] },
];
