import type { SeedRecordInput } from '../schema.ts';

type PreRegistration = SeedRecordInput<'pre_registrations'>;

const preRegistration = (
  name: string,
  code: string,
  about: Partial<PreRegistration> & { created_at: string },
): PreRegistration => ({
  key: `pre-registration-${code.toLowerCase()}`,
  firm: 'northgate',
  email: `${name}@example.org`,
  referral_code: code,
  referral_url: `https://northgate.example/r/${code}`,
  ...about,
});

export const preRegistrations: PreRegistration[] = [
  preRegistration('bea.trades', 'BEA10', {
    created_at: 'now-PT3H',
    expires_at: 'now+P14D',
    metadata: { campaign: 'spring-webinar', seat: 41 },
  }),
  preRegistration('thefxdesk', 'FXDESK', {
    created_at: 'now-P2DT4H',
    expires_at: 'now+P12D',
    last_sent_at: 'now-P1D',
    metadata: { campaign: 'spring-webinar', audience: 'youtube' },
  }),
  preRegistration('pipsandcoffee', 'COFFEE', { created_at: 'now-P6D', expires_at: 'now+P8D' }),
  // Stored as pending but past its expiry, so it counts as expired.
  preRegistration('slowmover', 'SLOWMOVER', { created_at: 'now-P20D', expires_at: 'now-P6D' }),
  preRegistration('goldenhour', 'GOLDENHOUR', {
    created_at: 'now-P15D',
    expires_at: 'now-P1D',
    status: 'claimed',
    claimed_at: 'now-P11D',
  }),
  preRegistration('candle.club', 'CANDLE', {
    created_at: 'now-P33D',
    expires_at: 'now-P19D',
    status: 'claimed',
    claimed_at: 'now-P30D',
    metadata: { campaign: 'new-year' },
  }),
  preRegistration('copycat', 'NORTHGATE50', {
    created_at: 'now-P25D',
    expires_at: 'now-P11D',
    status: 'revoked',
  }),
  preRegistration('oldfriend', 'OLDFRIEND', {
    created_at: 'now-P70D',
    expires_at: 'now-P56D',
    status: 'expired',
  }),
  preRegistration('no.deadline', 'EVERGREEN', { created_at: 'now-P48D', source: 'import' }),
  preRegistration('dockside', 'DOCKSIDE', {
    firm: 'harbor-point',
    referral_url: 'https://harborpoint.example/r/DOCKSIDE',
    created_at: 'now-P4D',
    expires_at: 'now+P10D',
  }),
];
