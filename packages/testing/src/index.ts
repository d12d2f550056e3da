/** Databases, test data, checks of statements and stand-ins: all that needs no gateway. */

export {
  type CreateTokenInput,
  type CreateUserInput,
  createSandbox,
  createStaff,
  createToken,
  createUser,
  createWorkspace,
  deleteUser,
  dismiss,
  setAvatar,
  type TestUser,
  unique,
} from './data/accounts.ts';
export { createCalendar, createEvents } from './data/calendar.ts';
export {
  type CreateMailMessageInput,
  createMailbox,
  createMailMessage,
  type TestMailbox,
  type TestMailMessage,
} from './data/mail.ts';
export { runPushJobs } from './data/push.ts';
export { type CreateTicketInput, createTag, createTeam, createTicket } from './data/tickets.ts';
export {
  administer,
  cloneDatabase,
  clusterWorkers,
  countLockWaiters,
  createDatabase,
  databaseUrl,
  dropDatabase,
  type TestDatabase,
} from './database/database.ts';
export { type FilledCluster, openFilledCluster } from './database/filled-cluster.ts';
export { migrateAsLater } from './database/later-version.ts';
export { MessageSizes } from './database/message-sizes.ts';
export { countRoundTrips } from './database/round-trips.ts';
export { openTestServices, TestClock, TestLog, type TestServices } from './database/services.ts';
export { createClusterDatabase, createTemplate } from './database/template.ts';
export { type Authenticator, createAuthenticator } from './stand-ins/authenticator.ts';
export { type DnsServer, startDnsServer } from './stand-ins/dns-server.ts';
export {
  type Behaviour,
  type FakeOpenAiServer,
  type Request,
  type Script,
  startFakeOpenAiServer,
} from './stand-ins/fake-openai-server.ts';
export { type FarEnd, startFarEnd } from './stand-ins/far-end.ts';
export {
  type OpenIdProvider,
  startOpenIdProvider,
} from './stand-ins/openid-provider.ts';
export { openTcpProxy, type TcpProxy } from './stand-ins/tcp-proxy.ts';
export { callerOf, isTest } from './statements/caller.ts';
export { findUnsupportedForms } from './statements/find-unsupported-forms.ts';
export { isMigration, watchMigrations, watchStatements } from './statements/watch-statements.ts';
