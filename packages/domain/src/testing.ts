/** What `@firmdesk/testing` and tests of other packages use, beside what `@firmdesk/domain` and `@firmdesk/domain/import` export. */

export { StaffWorkspace } from './access/accounts/user.entity.ts';
export type { WorkspaceRef } from './access/identity.ts';
export { inviteUrl } from './access/invites/invite-link.ts';
export { slugIn } from './access/workspaces/sandbox.ts';
export { getWorkspace } from './access/workspaces/workspaces.ts';
export { migrations } from './app/migrations/index.ts';
export { OnlineMigration } from './app/migrations/online-migration.ts';
export { placement } from './app/placement.ts';
export type { ServicesOptions } from './app/services.ts';
export { firmTables, sharedTables } from './app/tables.ts';
export { createPool } from './platform/connections/connection.ts';
export { DatabaseClient } from './platform/database/connections/database-client.ts';
export type { MigrateOptions } from './platform/database/migrations/migrate.ts';
export type { NamedMigration } from './platform/database/migrations/run-migrations.ts';
export { statementsOfAllFirms } from './platform/distribution/all-firms.ts';
export { moveRequestedJobs } from './platform/jobs/job-forwarder.ts';
export {
  accountProcedure,
  adminProcedure,
  publicProcedure,
  router,
  workspaceProcedure,
} from './procedures/trpc.ts';
export { pushHandlers } from './push/jobs.ts';
export { NEVER_DUE } from './sla/index.ts';
