/**
 * What each folder may import, as a list of what is allowed: a new folder imports nothing, and is imported by nothing, until it is placed
 * here. Imports of types count too. Tests, and the folders named `testing` beside them, may import everything.
 */
const DOMAIN = 'packages/domain/src';

/** The features of the domain, and which others each of them uses, by their `index.ts`. */
export const FEATURES = {
  account: ['firm', 'mail', 'notifications', 'push', 'test-data'],
  affiliates: ['mail', 'templates', 'webhooks'],
  assistant: ['tickets'],
  attachments: [],
  calendar: ['sla'],
  devices: ['push'],
  firm: ['mail', 'tickets', 'webhooks'],
  macros: [],
  mail: ['attachments', 'calendar', 'notifications', 'push', 'templates', 'webhooks'],
  notifications: ['push'],
  push: ['calendar'],
  reports: ['mail', 'sla', 'templates'],
  satisfaction: ['mail', 'templates'],
  sla: [],
  templates: [],
  'ticket-mail': ['mail', 'templates', 'tickets'],
  'test-data': ['affiliates', 'calendar', 'mail', 'tickets'],
  tickets: ['attachments', 'macros', 'notifications', 'sla', 'webhooks'],
  traders: [],
  webhooks: ['notifications'],
};
const FEATURE = Object.keys(FEATURES).join('|');

/** Files that are in no layer: the interfaces of the package, and what belongs to tests. */
const ENTRIES = `^${DOMAIN}/(index|import|testing)\\.ts$`;
/** Those and the ones that are loaded only where APNs or a mail server is configured. */
const INTERFACES = `${ENTRIES}|^${DOMAIN}/(push/apns/apns|mail/sending/smtp)\\.ts$`;
/** The harness of tests, which no product imports. */
const HARNESS = 'packages/testing';
const TESTS = '/src/(.+/|)testing/|/src/.+/testing\\.ts$|(^|/)(test|bench)/|\\.(test|citus|bench)\\.ts$';

const folder = (name) => `^${DOMAIN}/${name}/`;
const index = (name) => `^${DOMAIN}/${name}/index\\.ts$`;

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  allowedSeverity: 'error',
  allowed: [
    // Libraries and other packages: what a package may use is in its manifest. The domain knows no application.
    { from: { pathNot: `^(${DOMAIN}|${HARNESS})/` }, to: { pathNot: `^(${DOMAIN}|${HARNESS})/` } },
    { from: { path: `^${DOMAIN}/` }, to: { pathNot: `^(${DOMAIN}|${HARNESS}|apps)/` } },
    { from: { path: TESTS }, to: {} },
    { from: { path: folder('platform') }, to: { path: folder('platform') } },
    { from: { path: folder('access') }, to: { path: folder('(platform|access)') } },
    { from: { path: folder('procedures') }, to: { path: folder('(platform|access|procedures)') } },
    { from: { path: folder(`(?:${FEATURE})`) }, to: { path: folder('(platform|access|procedures)') } },
    ...Object.entries(FEATURES).flatMap(([name, used]) => [
      { from: { path: folder(name) }, to: { path: folder(name) } },
      ...used.map((other) => ({ from: { path: folder(name) }, to: { path: index(other) } })),
    ]),
    // The composition: it needs the entities, routers and jobs of each feature, which their interfaces do not export.
    { from: { path: `${folder('app')}|${ENTRIES}` }, to: { path: `^${DOMAIN}/` } },
    // Other packages use the domain by its interfaces, products without that of tests.
    { from: { pathNot: `^${DOMAIN}/` }, to: { path: INTERFACES, pathNot: '/testing\\.ts$' } },
    // The harness uses the domain and the gateway by their interfaces.
    { from: { path: `^${HARNESS}/` }, to: { pathNot: `^(${DOMAIN}|apps)/` } },
    { from: { path: `^${HARNESS}/` }, to: { path: `${INTERFACES}|^apps/gateway/src/testing\\.ts$` } },
  ],
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'Files that import each other, also types, cannot be understood one by one.',
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: 'node_modules|/dist/' },
    tsPreCompilationDeps: true,
    // Our own packages are found by their `exports`, as Node does.
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node'] },
  },
};
