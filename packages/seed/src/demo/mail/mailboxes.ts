import { personOf } from '../people.ts';
import type { Mailbox } from './conversation.ts';

const shared = (key: string, email: string, name: string, members: Mailbox['members']): Mailbox => ({
  key,
  firm: 'northgate',
  email,
  name,
  members: members ?? [],
});

const personal = (user: string, firm = 'northgate'): Mailbox => ({
  key: user,
  firm,
  ...personOf(user),
  members: [{ user }],
});

export const support = shared('support', 'support@northgate.example', 'Northgate Support', [
  { user: 'maya' },
  { user: 'tom' },
  { user: 'lena' },
  { user: 'sofia', can_write: false, notify: false },
]);

export const payouts = shared('payouts', 'payouts@northgate.example', 'Northgate Payouts', [
  { user: 'priya' },
  { user: 'maya', notify: false },
]);

export const partners = shared('partners', 'partners@northgate.example', 'Northgate Partners', [
  { user: 'diego' },
]);

export const maya = personal('maya');
export const tom = personal('tom');
export const lena = personal('lena');
export const priya = personal('priya');

export const harborDesk: Mailbox = {
  key: 'harbor-desk',
  firm: 'harbor-point',
  email: 'desk@harborpoint.example',
  name: 'Harbor Point Desk',
  members: [{ user: 'owen' }, { user: 'ruth' }],
};

export const operations: Mailbox = { ...personal('iris', 'platform'), key: 'operations' };

export const mailboxes: Mailbox[] = [
  support,
  payouts,
  partners,
  maya,
  tom,
  lena,
  priya,
  harborDesk,
  operations,
];
