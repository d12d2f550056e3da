import type { SeedRecordInput } from '../schema.ts';

type Notification = SeedRecordInput<'notifications'>;
type NotificationText = Pick<Notification, 'kind' | 'title' | 'body' | 'action_url'>;

/** Returns a notification for several people, created `age` (an ISO 8601 duration) ago; those in `readBy` read it a minute ago. */
const notificationsFor = (
  firm: string,
  age: string,
  wording: NotificationText,
  people: readonly string[],
  readBy: readonly string[] = [],
): Notification[] =>
  people.map((user) => ({
    key: `${wording.kind}-${age}-${user}`,
    user,
    firm,
    ...wording,
    created_at: `now-${age}`,
    ...(readBy.includes(user) ? { read_at: 'now-PT1M' } : {}),
  }));

const northgate: Notification[] = [
  ...notificationsFor(
    'northgate',
    'PT12M',
    {
      kind: 'ticket_awaiting_admin',
      title: 'Aisha Bello is waiting for an answer',
      body: 'Payout sent to the wrong network',
      action_url: '/tickets?status=waiting',
    },
    ['maya', 'tom', 'lena'],
  ),
  ...notificationsFor(
    'northgate',
    'PT35M',
    {
      kind: 'payout_requested',
      title: 'Payout of $4,180.00 requested',
      body: 'Anders Nyström, Funded 100K, profit split 80 %',
      action_url: '/payouts/requested',
    },
    ['maya', 'priya'],
  ),
  ...notificationsFor(
    'northgate',
    'PT2H',
    {
      kind: 'risk_flag_raised',
      title: 'Same device on three accounts',
      body: 'Accounts 88104, 88117 and 90230 signed in from one machine within an hour.',
      action_url: '/risk/flags',
    },
    ['maya', 'nadia'],
    ['nadia'],
  ),
  ...notificationsFor(
    'northgate',
    'PT5H',
    {
      kind: 'payout_awaiting_payment',
      title: 'Three approved payouts await payment',
      body: 'Together $11,942.50; the next bank run closes at 15:00.',
      action_url: '/payouts/approved',
    },
    ['maya', 'priya'],
    ['maya'],
  ),
  ...notificationsFor(
    'northgate',
    'PT9H',
    {
      kind: 'affiliate_application_received',
      title: 'Hannah Schultz applied to be an affiliate',
      body: 'Newsletter with 6,400 readers, mostly in Australia and New Zealand.',
      action_url: '/affiliates/applications',
    },
    ['maya', 'diego'],
  ),
  ...notificationsFor(
    'northgate',
    'P1D',
    {
      kind: 'affiliate_code_requested',
      title: 'The code NGWEI asks for review',
      body: 'Wei Chen would like it to replace WEI2024.',
      action_url: '/affiliates/codes',
    },
    ['maya', 'diego'],
    ['diego'],
  ),
  ...notificationsFor(
    'northgate',
    'P1DT6H',
    {
      kind: 'affiliate_payout_requested',
      title: 'Commission of $612.40 requested',
      body: 'Mateo Rojas, 17 referrals in the last month',
      action_url: '/affiliates/payouts',
    },
    ['maya', 'diego'],
    ['maya', 'diego'],
  ),
  ...notificationsFor(
    'northgate',
    'P2D',
    {
      kind: 'storage_filling_up',
      title: 'Storage is 86 % full',
      body: 'At the present rate it will be full in about five weeks.',
      action_url: '/settings/storage',
    },
    ['maya'],
  ),
  ...notificationsFor(
    'northgate',
    'P4D',
    {
      kind: 'webhook_disabled',
      title: 'Webhook switched off: crm.northgate.example',
      body: 'It has accepted no event for 3 days. Repair it, then switch it on in the settings.',
      action_url: '/settings/webhooks',
    },
    ['maya'],
    ['maya'],
  ),
  ...notificationsFor(
    'northgate',
    'P3D',
    {
      kind: 'mail_deliverability',
      title: 'More bounces than usual from payouts@northgate.example',
      body: '4.1 % of the mails of the last day came back; 2 % is the limit.',
      action_url: '/settings/mail-health',
    },
    ['maya'],
    ['maya'],
  ),
  ...notificationsFor(
    'northgate',
    'P2D',
    {
      kind: 'mail_not_delivered',
      title: 'Not delivered: Your payout of March',
      body: 'lena@brightmail.example: 550 5.1.1 no such user',
      action_url: '/mail',
    },
    ['tom'],
  ),
  ...notificationsFor(
    'northgate',
    'P4D',
    {
      kind: 'new_device_signed_in',
      title: 'New sign-in on an iPhone',
      body: 'London, United Kingdom. If this was not you, sign the device out.',
      action_url: '/account/sessions',
    },
    ['tom'],
  ),
  ...notificationsFor(
    'northgate',
    'P10D',
    {
      kind: 'firm_deletion',
      title: 'The deletion of the firm was cancelled',
      body: 'Nothing was deleted.',
      action_url: '/settings/data',
    },
    ['maya'],
    ['maya'],
  ),
  ...notificationsFor(
    'northgate',
    'P11D',
    {
      kind: 'firm_export',
      title: 'Jon Bellamy exports this firm',
      body: 'The file has all mail and the calendars of all members.',
      action_url: '/settings/data',
    },
    ['maya'],
    ['maya'],
  ),
  ...notificationsFor(
    'northgate',
    'P8D',
    {
      kind: 'sign_in_changed',
      title: 'A passkey was added',
      body: 'From the network: 198.51.100.0/24. If this was not you, choose a new password and remove all passkeys.',
      action_url: '/account/sign-in',
    },
    ['maya'],
    ['maya'],
  ),
  ...notificationsFor(
    'northgate',
    'P9D',
    {
      kind: 'new_device_signed_in',
      title: 'New sign-in on a Mac',
      body: 'London, United Kingdom. If this was not you, sign the device out.',
      action_url: '/account/sessions',
    },
    ['maya'],
    ['maya'],
  ),
  ...notificationsFor(
    'northgate',
    'P6D',
    {
      kind: 'payout_requested',
      title: 'Cash prize of $2,500.00 awaits review',
      body: 'Grace Mwangi, second place of the monthly competition',
      action_url: '/payouts/requested',
    },
    ['maya', 'priya'],
    ['maya', 'priya'],
  ),
];

const platform: Notification[] = [
  ...notificationsFor(
    'platform',
    'PT4H',
    {
      kind: 'deal_awaiting_approval',
      title: 'Blue Anchor Markets paid and awaits approval',
      body: 'Growth plan, yearly, 25 seats',
      action_url: '/platform/deals',
    },
    ['iris', 'jon'],
  ),
  ...notificationsFor(
    'platform',
    'P1D',
    {
      kind: 'billing_payment_failed',
      title: 'The invoice of Harbor Point Trading failed to collect',
      body: 'The card was declined; the next attempt is in three days.',
      action_url: '/platform/billing',
    },
    ['iris'],
  ),
  ...notificationsFor(
    'platform',
    'P3D',
    {
      kind: 'deal_link_expired',
      title: 'The onboarding link for Crestline FX expired unused',
      action_url: '/platform/deals',
    },
    ['iris', 'jon'],
    ['iris'],
  ),
  ...notificationsFor(
    'platform',
    'P5D',
    {
      kind: 'analytics_health',
      title: 'The traffic of Northgate Capital looks wrong',
      body: 'No page views since 04:00 UTC, while sign-ins are as usual.',
      action_url: '/platform/analytics',
    },
    ['iris', 'jon'],
    ['iris', 'jon'],
  ),
];

const harborPoint: Notification[] = notificationsFor(
  'harbor-point',
  'PT8H',
  {
    kind: 'ticket_awaiting_admin',
    title: 'Nora Lindgren is waiting for an answer',
    body: 'Cannot log in after the password reset',
    action_url: '/tickets?status=waiting',
  },
  ['owen', 'ruth'],
  ['ruth'],
);

export const notifications: Notification[] = [...northgate, ...platform, ...harborPoint];
