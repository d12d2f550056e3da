export { type Picture, readAvatar } from './access/accounts/avatar.ts';
export { deactivateAccount, reactivateAccount } from './access/accounts/deactivate-account.ts';
export { resolveActor } from './access/accounts/resolve-actor.ts';
export { addUser, hasPassword, listUsers, type UserSummary } from './access/accounts/users.ts';
export { type AuditEvent, listAuditEvents } from './access/audit/list-audit-events.ts';
export { RATING_LINK_DAYS } from './access/rating-link.ts';
export { sealAgain } from './access/sign-in/seal.ts';
export { authenticate } from './access/tokens/authenticate.ts';
export { rotateToken } from './access/tokens/rotate-token.ts';
export {
  readChangedTokens,
  readTokenRights,
  rightsOfTokens,
  type TokenRights,
} from './access/tokens/token-rights.ts';
export { issueKey, listTokens, revokeToken, type TokenSummary } from './access/tokens/tokens.ts';
export { dismissMember, readmitMember } from './access/workspaces/dismiss-member.ts';
export { readLogo } from './access/workspaces/logo.ts';
export { changePermissions, type MemberPermissions } from './access/workspaces/member-permissions.ts';
export {
  addWorkspace,
  isEmpty,
  listWorkspaces,
  recordFirmExport,
  type WorkspaceSummary,
} from './access/workspaces/workspaces.ts';
export { readSessionCookies, selectSessionToken } from './account/sessions/session-cookie.ts';
export { setPasswordForOwner } from './account/set-password-for-owner.ts';
export { claimPreRegistration, revokePreRegistration } from './affiliates/end-pre-registration.ts';
export { preRegister } from './affiliates/pre-register.ts';
export { countErasure, eraseAccount } from './app/accounts/erase-account.ts';
export { exportAccount } from './app/accounts/export-account.ts';
export { type DataFile, openDataFile } from './app/data/open-data-file.ts';
export { deleteFirm } from './app/firms/delete-firm.ts';
export { setStorageLimit } from './app/firms/storage-limit.ts';
export { resumeFirm, suspendFirm } from './app/firms/suspend-firm.ts';
export { indexPendingTexts } from './app/index-pending-texts.ts';
export { startWorkers } from './app/jobs.ts';
export { distributeFirms } from './app/placement.ts';
export { retentions } from './app/retention.ts';
export { type AppRouter, appRouter } from './app/router.ts';
export { closeServices, createServices, poolGauges } from './app/services.ts';
export type { Assistant } from './assistant/assistant.ts';
export type { AssistantMetrics } from './assistant/assistant-metrics.ts';
export { checkModel } from './assistant/model/check-model.ts';
export { createModelAssistant } from './assistant/model/model-assistant.ts';
export { fileType } from './attachments/attachment-type.ts';
export { authorizeAttachment } from './attachments/authorize-attachment.ts';
export { openAttachment } from './attachments/open-attachment.ts';
export { commandScanner, readScanCommand } from './attachments/scanner.ts';
export { storeAttachment } from './attachments/store-attachment.ts';
export { THUMBNAIL_TYPE } from './attachments/thumbnail.ts';
export { type IcsResult, importIcs } from './calendar/invitations/import-ics.ts';
export { openMailAttachment } from './mail/files/mail-attachments.ts';
export { addMailboxAlias, listMailboxAliases, removeMailboxAlias } from './mail/mailboxes/mailbox-aliases.ts';
export {
  addSupportAddress,
  listSupportAddresses,
  removeSupportAddress,
} from './mail/mailboxes/support-addresses.ts';
export { deliverMail } from './mail/receiving/deliver-mail.ts';
export { hasMailbox, type Receipt, type ReceivingRules, receiveMail } from './mail/receiving/receive-mail.ts';
export type { MailServer } from './mail/sending/mail-server.ts';
export { readSmtpUrl } from './mail/sending/read-smtp-url.ts';
export { notify } from './notifications/notify.ts';
export { accountStatements, createAccounts, type DatabaseAccounts } from './platform/account-rights.ts';
export { addressKey } from './platform/address-key.ts';
export {
  defaultConnections,
  divideConnections,
  FEWEST_CONNECTIONS,
  type PoolSizes,
  readServerLimit,
  sumOfPools,
} from './platform/connections/pool-sizes.ts';
export { DatabaseUrlError, readDatabaseUrl } from './platform/database/connections/database-url.ts';
export { ensureOwnSessions } from './platform/database/connections/session-pooling.ts';
export type { Actor, OperationContext } from './platform/database/context.ts';
export { sqlState } from './platform/database/database-errors.ts';
export {
  DatabaseUnusableError,
  ensureOurs,
  ensureRights,
  migrate,
  schemaState,
} from './platform/database/migrations/migrate.ts';
export { withSetupLock } from './platform/database/migrations/setup-lock.ts';
export { retentionFigures } from './platform/database/retention.ts';
export { withTransaction } from './platform/database/transaction.ts';
export { findFirmServers } from './platform/distribution/citus-servers.ts';
export { awaitAll, finishesBefore } from './platform/jobs/await-steps.ts';
export { readQueue } from './platform/jobs/job-metrics.ts';
export type { Worker } from './platform/jobs/worker.ts';
export { folderStore } from './platform/objects/folder-store.ts';
export { CONTENT_IDLE_MS, type ObjectStore } from './platform/objects/object-store.ts';
export { openObjectStore } from './platform/objects/open-object-store.ts';
export {
  guardedRequest,
  namesForbiddenAddress,
  OutboundError,
  type OutboundNetwork,
} from './platform/outbound/guarded-request.ts';
export { isPublicAddress } from './platform/outbound/public-address.ts';
export { type Clock, DatabaseClock, systemClock } from './platform/process/clock.ts';
export { delay } from './platform/process/delay.ts';
export { ApiError, invalidField, type LimitName } from './platform/process/errors.ts';
export { FairSemaphore } from './platform/process/fair-semaphore.ts';
export { newId } from './platform/process/ids.ts';
export { ROTATE_AFTER_MINUTES } from './platform/process/installation-secret.ts';
export { type Log, loggedError, silentLog } from './platform/process/log.ts';
export { currentTraceparent, enableTracing } from './platform/process/trace.ts';
export type { Services } from './platform/services.ts';
export { type Call, newReply, type Reply, type SharedCall, type WatchClient } from './procedures/call.ts';
export type { RequestContext } from './procedures/call-context.ts';
export { errorBody, successBody } from './procedures/envelope.ts';
export { execute } from './procedures/execute.ts';
export { bodyDigestOf } from './procedures/idempotency.ts';
export { decodeInput } from './procedures/input/decode-input.ts';
export { parseJson, UnreadableJsonError } from './procedures/input/parse-json.ts';
export { readLargeJson } from './procedures/input/read-json.ts';
export { reportError } from './procedures/report-error.ts';
export {
  BODY_LIMIT,
  isLiveOnly,
  type Method,
  needsFreshSignIn,
  needsMembership,
  type ProcedureMeta,
  type ProcedureSpec,
  permissionsFor,
  statusOf,
} from './procedures/spec.ts';
export { invalidFieldsError, toApiError } from './procedures/to-api-error.ts';
export { type DeliveredStream, eventSchemas } from './procedures/tracked-stream.ts';
export { declaredProcedures, type NamedProcedure } from './procedures/trpc.ts';
export { ReloadableBrowserPush } from './push/browsers/browser-push.ts';
export { generateVapidKey, readVapidKey } from './push/browsers/vapid.ts';
export { outboxLagSeconds } from './push/outbox.ts';
export type { PushOutcome, PushProvider } from './push/push-provider.ts';
export { queueDueReminders } from './push/reminders/queue-due-reminders.ts';
export { sendTestToAccount } from './push/send-test-push.ts';
export { sendPushes } from './push/sending/send-pushes.ts';
export { rebuildReports, requestReports } from './reports/count-firm.ts';
export { createUnsubscribeLink } from './reports/unsubscribe-link.ts';
export {
  readUnsubscribePage,
  type UnsubscribePage,
  unsubscribeByLink,
} from './reports/weekly-subscription.ts';
export { type RatingPage, rateByLink, readRatingPage } from './satisfaction/rate-ticket.ts';
export { addTestDataFor, type TestData } from './test-data/add-test-data.ts';
export { receiveTraderMessage } from './tickets/messages/trader-messages.ts';
