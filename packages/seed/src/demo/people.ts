import { permissions } from '@firmdesk/contract';
import type { SeedRecordInput } from '../schema.ts';
import { DEMO_PASSWORD } from './account.ts';
import { portrait } from './pictures.ts';
import { profiles } from './profiles.ts';

type User = SeedRecordInput<'users'>;
type Membership = NonNullable<User['memberships']>[number];
type Permission = NonNullable<Membership['permissions']>[number];

export const firms: SeedRecordInput<'firms'>[] = [
  {
    slug: 'northgate',
    name: 'Northgate Capital',
    assistant: { enabled_for_team: true, monthly_allowance: 1000, used: 212 },
    service_targets: {
      targets: {
        urgent: { first_response_minutes: 60, resolution_minutes: 480 },
        high: { first_response_minutes: 240, resolution_minutes: 1440 },
        normal: { first_response_minutes: 1440, resolution_minutes: 4320 },
        low: { first_response_minutes: 2880, resolution_minutes: null },
      },
      // The tickets of the demo are older than their targets: their agents are not warned of each.
      warn_minutes: null,
    },
  },
  {
    slug: 'harbor-point',
    name: 'Harbor Point Trading',
    assistant: { enabled_for_team: false, monthly_allowance: 200, used: 0 },
    push_content: 'none',
  },
];

const adminOf = (firm: string, ...held: Permission[]): Membership => ({
  firm,
  role: 'admin',
  permissions: held,
});

const colleague = (
  key: string,
  name: string,
  color: string,
  about: Pick<User, 'language' | 'timezone' | 'memberships' | 'staff'>,
  domain = 'northgate.example',
): User => ({
  key,
  name,
  email: `${key}@${domain}`,
  password: DEMO_PASSWORD,
  avatar_url: portrait(initialsOf(name), color),
  ...about,
});

const northgateTeam: User[] = [
  colleague('maya', 'Maya Lindqvist', '#0f766e', {
    timezone: 'Europe/London',
    memberships: [adminOf('northgate', ...permissions)],
  }),
  colleague('tom', 'Tom Okafor', '#1d4ed8', {
    timezone: 'Europe/London',
    memberships: [adminOf('northgate', 'view_tickets', 'manage_tickets')],
  }),
  colleague('lena', 'Lena Hoffmann', '#a21caf', {
    language: 'de',
    timezone: 'Europe/Berlin',
    memberships: [adminOf('northgate', 'view_tickets', 'manage_tickets')],
  }),
  colleague('priya', 'Priya Raman', '#b45309', {
    timezone: 'Europe/London',
    memberships: [adminOf('northgate', 'view_payouts')],
  }),
  colleague('diego', 'Diego Fuentes', '#be123c', {
    language: 'es',
    timezone: 'America/New_York',
    memberships: [adminOf('northgate', 'view_affiliates', 'manage_affiliates')],
  }),
  colleague('nadia', 'Nadia Haddad', '#4338ca', {
    language: 'fr',
    timezone: 'Europe/Paris',
    memberships: [adminOf('northgate', 'view_tickets', 'view_risk')],
  }),
  // Can read tickets in both firms, and cannot answer.
  colleague('sofia', 'Sofia Marchetti', '#15803d', {
    language: 'it',
    timezone: 'Europe/Rome',
    memberships: [adminOf('northgate', 'view_tickets'), adminOf('harbor-point', 'view_tickets')],
  }),
  colleague('greg', 'Greg Walsh', '#57534e', {
    timezone: 'America/Chicago',
    memberships: [
      { ...adminOf('northgate', 'view_tickets', 'manage_tickets', 'view_payouts'), active: false },
    ],
  }),
];

const harborTeam: User[] = [
  colleague(
    'owen',
    'Owen Castellano',
    '#0e7490',
    { timezone: 'America/New_York', memberships: [adminOf('harbor-point', ...permissions)] },
    'harborpoint.example',
  ),
  colleague(
    'ruth',
    'Ruth Adeyemi',
    '#9333ea',
    { timezone: 'Europe/London', memberships: [adminOf('harbor-point', 'view_tickets', 'manage_tickets')] },
    'harborpoint.example',
  ),
];

const platformStaff: User[] = [
  colleague('iris', 'Iris Vance', '#334155', { staff: { firms: 'all' } }, 'firmdesk.example'),
  colleague('jon', 'Jon Bellamy', '#7c2d12', { staff: { firms: ['northgate'] } }, 'firmdesk.example'),
];

const trader = (
  key: string,
  name: string,
  language: string,
  timezone: string,
  ...firmSlugs: string[]
): User => ({
  key,
  name,
  email: `${asciiOf(name)}@example.net`,
  language,
  timezone,
  memberships: (firmSlugs.length > 0 ? firmSlugs : ['northgate']).map((firm) => ({
    firm,
    role: 'trader',
    ...(profiles[firm]?.[key] && { profile: { ...profiles[firm][key], language, timezone } }),
  })),
});

const traders: User[] = [
  trader('anders', 'Anders Nyström', 'sv', 'Europe/Stockholm'),
  trader('chloe', 'Chloé Bernard', 'fr', 'Europe/Paris'),
  trader('jamal', 'Jamal Whitaker', 'en', 'America/Chicago'),
  trader('kenji', '渡辺 健二', 'ja', 'Asia/Tokyo'),
  trader('emre', 'Emre Yıldız', 'tr', 'Europe/Istanbul'),
  trader('lucia', 'Lucía Navarro', 'es', 'Europe/Madrid'),
  trader('rafael', 'Rafael Moreira', 'pt-BR', 'America/Sao_Paulo'),
  trader('jonas', 'Jonas Becker', 'de', 'Europe/Berlin'),
  trader('katrin', 'Katrin Vogel', 'de', 'Europe/Vienna'),
  trader('aisha', 'Aisha Bello', 'en', 'Africa/Lagos'),
  trader('arjun', 'Arjun Mehta', 'en', 'Asia/Kolkata'),
  trader('wei', 'Wei Chen', 'en', 'Asia/Singapore'),
  trader('olivia', 'Olivia Grant', 'en', 'Europe/London'),
  trader('marcus', 'Marcus Reid', 'en', 'America/New_York'),
  trader('tyler', 'Tyler Brandt', 'en', 'America/Denver', 'northgate', 'harbor-point'),
  trader('fatima', 'Fatima Al-Sayed', 'en', 'Asia/Dubai'),
  trader('piotr', 'Piotr Kowalczyk', 'pl', 'Europe/Warsaw'),
  trader('sanne', 'Sanne de Vries', 'nl', 'Europe/Amsterdam'),
  trader('mateo', 'Mateo Rojas', 'es', 'America/Bogota'),
  trader('ines', 'Inês Carvalho', 'pt', 'Europe/Lisbon'),
  trader('liam', "Liam O'Connor", 'en', 'Europe/Dublin'),
  trader('noah', 'Noah Kim', 'en', 'America/Los_Angeles'),
  trader('grace', 'Grace Mwangi', 'en', 'Africa/Nairobi'),
  trader('viktor', 'Viktor Ilić', 'en', 'Europe/Belgrade'),
  trader('hannah', 'Hannah Schultz', 'en', 'Australia/Sydney'),
  trader('yusuf', 'Yusuf Demir', 'tr', 'Europe/Istanbul'),
  trader('thuy', 'Trần Thu Thủy', 'en', 'Asia/Ho_Chi_Minh'),
  trader('carlos', 'Carlos Medina', 'es', 'America/Mexico_City'),
  trader('amelie', 'Amélie Fontaine', 'fr', 'Europe/Brussels'),
  trader('ravi', 'Ravi Perera', 'en', 'Asia/Colombo'),
  { ...trader('eliot', 'Eliot Marsh', 'en', 'Europe/London'), deleted: true },
  trader('nora', 'Nora Lindgren', 'sv', 'Europe/Stockholm', 'harbor-point'),
  trader('samuel', 'Samuel Ortiz', 'en', 'America/New_York', 'harbor-point'),
];

export const users: User[] = [...northgateTeam, ...harborTeam, ...platformStaff, ...traders];

/** Returns the address and name of a demo user, for mail and invitations. */
export function personOf(key: string): { email: string; name: string } {
  const found = users.find((user) => user.key === key);
  if (!found) throw new Error(`The demo has no user "${key}"`);
  return { email: found.email, name: found.name };
}

function initialsOf(name: string): string {
  return name
    .split(' ')
    .map((word) => word[0])
    .join('');
}

/** `Chloé Bernard` → `chloe.bernard`. */
function asciiOf(name: string): string {
  if (name === '渡辺 健二') return 'kenji.watanabe';
  return name
    .normalize('NFD')
    .replaceAll('ı', 'i')
    .replaceAll(/[\u0300-\u036f']/g, '')
    .toLowerCase()
    .replaceAll(' ', '.');
}
