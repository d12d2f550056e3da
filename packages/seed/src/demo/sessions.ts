import { createHash } from 'node:crypto';
import { scopes } from '@firmdesk/contract';
import type { SeedRecordInput } from '../schema.ts';

type Token = SeedRecordInput<'tokens'>;
type Device = SeedRecordInput<'devices'>;

const personal = [
  'mail:read',
  'mail:write',
  'calendar:read',
  'calendar:write',
  'notifications:read',
  'notifications:write',
] as const;
const supportScopes = [...personal, 'admin:read', 'admin:write'] as const;

const signedIn = (key: string, user: string, name: string, about: Partial<Token>): Token => ({
  key,
  user,
  firm: 'northgate',
  kind: 'device',
  name,
  scopes: [...supportScopes],
  created_at: 'now-P60D',
  last_used_at: 'now-PT2H',
  ...about,
});

export const tokens: Token[] = [
  // The key that a start prints. It has every scope.
  {
    key: 'demo',
    user: 'maya',
    firm: 'northgate',
    kind: 'api_key',
    name: 'Demo key',
    scopes: [...scopes],
    created_at: 'now-P14D',
  },
  signedIn('maya-iphone', 'maya', "Maya's iPhone", { last_used_at: 'now-PT6M' }),
  signedIn('maya-ipad', 'maya', "Maya's iPad (lost)", { revoked_at: 'now-P9D', last_used_at: 'now-P10D' }),
  signedIn('tom-iphone', 'tom', "Tom's iPhone", { last_used_at: 'now-PT40M' }),
  signedIn('lena-iphone', 'lena', 'iPhone von Lena', {}),
  signedIn('diego-iphone', 'diego', 'iPhone de Diego', { scopes: [...personal] }),
  // Unused for more than ninety days, so it has expired.
  signedIn('priya-iphone', 'priya', "Priya's old iPhone", {
    created_at: 'now-P300D',
    last_used_at: 'now-P120D',
  }),
  {
    key: 'reporting',
    user: 'sofia',
    firm: 'northgate',
    kind: 'api_key',
    environment: 'test',
    name: 'Weekly report, in development',
    scopes: ['admin:read'],
    created_at: 'now-P45D',
    last_used_at: 'now-P3D',
  },
  {
    key: 'landing-page',
    user: 'diego',
    firm: 'northgate',
    kind: 'api_key',
    name: 'Landing page of the spring campaign',
    scopes: ['affiliates:write'],
    created_at: 'now-P80D',
    expires_at: 'now-P20D',
    last_used_at: 'now-P21D',
  },
  {
    key: 'harbor',
    user: 'owen',
    firm: 'harbor-point',
    kind: 'api_key',
    name: 'Console',
    scopes: [...scopes],
    created_at: 'now-P30D',
  },
  {
    key: 'staff',
    user: 'iris',
    firm: 'platform',
    kind: 'api_key',
    name: 'Operations',
    scopes: [...scopes],
    created_at: 'now-P90D',
    last_used_at: 'now-P1D',
  },
  signedIn('iris-iphone', 'iris', "Iris's iPhone", { firm: 'platform' }),
];

const phone = (token: string, app: Device['app'], about: Partial<Device> = {}): Device => ({
  token,
  app,
  environment: 'production',
  device_token: createHash('sha256').update(`${token} ${app}`).digest('hex'),
  locale: 'en_GB',
  timezone: 'Europe/London',
  app_version: '3.8.1',
  os_version: '26.1',
  ...about,
});

export const devices: Device[] = [
  phone('maya-iphone', 'mail'),
  phone('maya-iphone', 'calendar'),
  phone('maya-iphone', 'admin'),
  phone('tom-iphone', 'admin'),
  phone('lena-iphone', 'mail', { locale: 'de_DE', timezone: 'Europe/Berlin' }),
  phone('lena-iphone', 'admin', { locale: 'de_DE', timezone: 'Europe/Berlin', environment: 'sandbox' }),
  phone('diego-iphone', 'mail', { locale: 'es_US', timezone: 'America/New_York' }),
  phone('diego-iphone', 'calendar', { locale: 'es_US', timezone: 'America/New_York' }),
  phone('iris-iphone', 'admin', { timezone: 'UTC' }),
];
