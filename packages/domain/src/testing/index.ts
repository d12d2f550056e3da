export { type FakeOpenAiServer, startFakeOpenAiServer } from '../assistant/testing/fake-openai-server.ts';
export { mintCalendar, mintEvents } from '../calendar/testing.ts';
export {
  type MintedMailbox,
  type MintedMessage,
  type MintMessage,
  mintMailbox,
  mintMessage,
} from '../mail/testing.ts';
export { runPushJobs } from '../push/testing.ts';
export { type MintTicket, mintTag, mintTeam, mintTicket } from '../tickets/testing.ts';
export { cloneDatabase, createDatabase, type TestDatabase } from './database.ts';
export {
  deleteUser,
  dismiss,
  type MintedUser,
  type MintToken,
  type MintUser,
  mintFirm,
  mintStaff,
  mintToken,
  mintUser,
  unique,
} from './mint.ts';
export { accountProcedure, adminProcedure, firmProcedure, publicProcedure, router } from './procedures.ts';
export { openTestServices, TestClock, TestLog, type TestServices } from './services.ts';
export { openTcpProxy, type TcpProxy } from './tcp-proxy.ts';
