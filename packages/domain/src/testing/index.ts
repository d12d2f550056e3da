export { type FakeOpenAiServer, startFakeOpenAiServer } from '../assistant/testing/fake-openai-server.ts';
export { createCalendar, createEvents } from '../calendar/testing.ts';
export {
  type CreateMailMessageInput,
  createMailbox,
  createMailMessage,
  type TestMailbox,
  type TestMailMessage,
} from '../mail/testing.ts';
export { DatabaseClient } from '../platform/database/database-client.ts';
export { runPushJobs } from '../push/testing.ts';
export { type CreateTicketInput, createTag, createTeam, createTicket } from '../tickets/testing.ts';
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
} from './accounts.ts';
export {
  administer,
  cloneDatabase,
  clusterWorkers,
  countLockWaiters,
  createDatabase,
  dropDatabase,
  type TestDatabase,
} from './database.ts';
export { type FilledCluster, openFilledCluster } from './filled-cluster.ts';
export { migrateAsLater } from './later-version.ts';
export { MessageSizes } from './message-sizes.ts';
export {
  accountProcedure,
  adminProcedure,
  publicProcedure,
  router,
  workspaceProcedure,
} from './procedures.ts';
export { countRoundTrips } from './round-trips.ts';
export { openTestServices, TestClock, TestLog, type TestServices } from './services.ts';
export { callerOf, isTest } from './statements/caller.ts';
export { watchStatements } from './statements/watch-statements.ts';
export { openTcpProxy, type TcpProxy } from './tcp-proxy.ts';
export { createClusterDatabase, createTemplate } from './template.ts';
