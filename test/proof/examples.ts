import { randomBytes } from 'node:crypto';
import { unique } from '@firmdesk/testing';
import type { Json } from '@firmdesk/testing/gateway';
import fc from 'fast-check';
import type { FixtureId, Fixtures } from './fixtures.ts';
import { type Reference, referencesOf } from './references.ts';

export type Input = Record<string, unknown>;

const EML = [
  'From: ann@elsewhere.example',
  'To: desk@example.com',
  'Subject: Hello',
  '',
  'Here it is.',
  '',
].join('\r\n');

/** Valid values of fields whose schema does not suffice to generate one. */
const validValues: Record<string, (fixtures: Fixtures) => unknown> = {
  action_url: () => '/tickets',
  color: () => '#3451c7',
  current_password: ({ password }) => password,
  invite: ({ ownInvite }) => ownInvite.invite,
  key: ({ ownInvite }) => ownInvite.key,
  // Refused at once: no provider has this address.
  issuer: () => 'https://127.0.0.1:9/',
  language: () => 'en',
  languages: () => ['en'],
  // The names of a firm's macros are unique.
  name: () => unique('Name'),
  password: ({ password }) => password,
  raw: () => Buffer.from(EML).toString('base64'),
  referral_code: () => unique('code'),
  referral_url: () => 'https://example.com/r',
  // A key gets only scopes that its caller has.
  scopes: () => ['admin:write'],
  slug: () => unique('firm'),
  timezone: () => 'Europe/Berlin',
  workspace: ({ ownInvite }) => ownInvite.workspace,
  url: () => 'https://hooks.example/',
  token: () => randomBytes(32).toString('hex'),
};

/** Procedures that no example succeeds with: they take what a browser, an authenticator, a mailbox, an OpenID provider or the DNS of a domain has answered. */
export const needAnotherDevice: ReadonlySet<string> = new Set([
  'devices.registerBrowser',
  'devices.remove',
  /** Procedures that no example succeeds with: they take what an authenticator, a mailbox, an OpenID provider or the DNS of a domain has answered, or a name that confirms what cannot be undone. */
  'firm.data.person.erase',
  'firm.data.scheduleDeletion',
  'sessions.confirm',
  'sessions.resetPassword',
  'sessions.signInWithPasskey',
  'sessions.signInWithProvider',
  'sessions.startProvider',
  'signIn.addPasskey',
  'signIn.enableSecondFactor',
  'signIn.renewRecoveryCodes',
  'singleSignOn.require',
  'singleSignOn.saveProvider',
  'singleSignOn.verifyDomain',
]);

/** Optional fields that are required in practice, because one of several must be present. */
const oneOfRequired: Record<string, string[]> = {
  'mail.rules.save': ['from', 'star'],
  'mail.rules.try': ['from'],
  'mail.send': ['to'],
  'notifications.markRead': ['ids'],
  'sessions.confirm': ['password'],
  'sessions.signIn': ['email', 'password'],
  'tickets.bulkChanges.start': ['tickets'],
};

/**
 * Returns a valid input of a procedure that refers to the fixtures: the required fields, and the reference `wanted`.
 */
export function exampleOf(procedure: string, schema: Json, fixtures: Fixtures, wanted?: Reference): Input {
  const input = valueFor(schema, '', fixtures) as Input;
  for (const also of oneOfRequired[procedure] ?? [])
    input[also] = valueFor(schema.properties[also], also, fixtures);
  const required = referencesOf(procedure, schema).filter(({ path }) => holds(input, path));
  for (const reference of [...required, ...(wanted ? [wanted] : [])]) {
    put(input, reference, fixtures[reference.kind]);
  }
  return input;
}

/** Writes the id at the path of the reference, and creates missing objects and lists on the way. */
export function put(input: Input, { path, type }: Reference, { text, number }: FixtureId): void {
  if (type === 'integer' && number === undefined)
    throw new Error(`${path.join('.')} refers to a fixture without a number.`);
  let at = input as Record<string | number, unknown>;
  for (const [i, step] of path.slice(0, -1).entries()) {
    at[step] ??= typeof path[i + 1] === 'number' ? [] : {};
    at = at[step] as typeof at;
  }
  at[path.at(-1)!] = type === 'integer' ? number : text;
}

function holds(input: Input, path: readonly (string | number)[]): boolean {
  let at: unknown = input;
  for (const step of path) {
    if (typeof at !== 'object' || at === null || !(step in at)) return false;
    at = (at as Input)[step];
  }
  return true;
}

/** Whether a schema, or its first alternative, lists its values, and this is none of them. */
function isOfOtherValues(schema: Json, value: unknown): boolean {
  const listed: unknown[] | undefined = schema.enum ?? schema.anyOf?.[0]?.enum;
  return listed !== undefined && !listed.includes(value);
}

function valueFor(schema: Json, name: string, fixtures: Fixtures): unknown {
  const meant = validValues[name]?.(fixtures);
  if (meant !== undefined && !isOfOtherValues(schema, meant)) return meant;
  if ('const' in schema) return schema.const;
  if (schema.examples) return schema.examples[0];
  if (schema.enum) return schema.enum[0];
  const branches: Json[] = schema.anyOf ?? schema.oneOf;
  if (branches) return valueFor(branches[0]!, name, fixtures);
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        ((schema.required ?? []) as string[]).map((key) => [
          key,
          valueFor(schema.properties[key], key, fixtures),
        ]),
      );
    case 'array':
      // One item even where none is required, because tests put a reference there.
      return [valueFor(schema.items, name, fixtures)];
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 0, (schema.exclusiveMinimum ?? -1) + 1);
    default:
      return textOf(schema);
  }
}

function textOf({ pattern, format, minLength = 0 }: Json): string {
  if (format === 'idn-email') return `${unique('person')}@example.com`;
  if (format === 'uri') return 'https://example.com/';
  if (pattern) return matching(pattern);
  return 'Example text'.padEnd(minLength, '.');
}

const matches = new Map<string, string>();

/** Returns a string that matches the pattern, always the same. Cached, because generating it is slower than most calls. */
function matching(pattern: string): string {
  const known = matches.get(pattern);
  if (known !== undefined) return known;
  const [text] = fc.sample(fc.stringMatching(new RegExp(pattern)), { numRuns: 1, seed: 1 });
  matches.set(pattern, text!);
  return text!;
}
