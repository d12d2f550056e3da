export { cloneDatabase, createDatabase, type TestDatabase } from './database.ts';
export {
  dismiss,
  type MintedUser,
  type MintUser,
  mintFirm,
  mintStaff,
  mintToken,
  mintUser,
  unique,
} from './mint.ts';
export { openTestServices, TestClock, TestLog, type TestServices } from './services.ts';
