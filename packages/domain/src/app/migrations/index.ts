import type { NamedMigration } from '../../platform/run-migrations.ts';
import { Access } from './0001-access.ts';
import { Mail } from './0002-mail.ts';
import { Calendars } from './0003-calendar.ts';
import { Tickets } from './0004-tickets.ts';
import { Notices } from './0005-notices.ts';
import { WorldImports } from './0006-world-imports.ts';
import { Live } from './0007-live.ts';
import { Push } from './0008-push.ts';
import { Bell } from './0009-bell.ts';
import { KnownDevices } from './0010-known-devices.ts';
import { RetentionIndexes } from './0011-retention-indexes.ts';
import { DeviceOwners } from './0012-device-owners.ts';
import { FillDeviceOwners } from './0013-fill-device-owners.ts';
import { SharedPushTokens } from './0014-shared-push-tokens.ts';
import { Workers } from './0015-workers.ts';
import { UnsentReminders } from './0016-unsent-reminders.ts';
import { PushLeases } from './0017-push-leases.ts';
import { OwedAnswers } from './0018-owed-answers.ts';
import { UnusedWords } from './0019-unused-words.ts';
import { UnusedWordsIndex } from './0020-unused-words-index.ts';
import { JobRequests } from './0021-job-requests.ts';
import { FirmColumns } from './0022-firm-columns.ts';
import { FillFirmColumns } from './0023-fill-firm-columns.ts';
import { FirmIndexes } from './0024-firm-indexes.ts';
import { FirmReferences } from './0025-firm-references.ts';
import { FirmKeys } from './0026-firm-keys.ts';
import { FirmLogs } from './0027-firm-logs.ts';
import { TokenChanges } from './0028-token-changes.ts';
import { SearchPostings } from './0029-search-postings.ts';
import { SearchIndexes } from './0030-search-indexes.ts';
import { SearchLists } from './0031-search-lists.ts';
import { AssistantUsage } from './0032-assistant-usage.ts';
import { SearchGramsCost } from './0033-search-grams-cost.ts';
import { PushTraces } from './0034-push-traces.ts';
import { SecretRotation } from './0035-secret-rotation.ts';
import { CompatibleSince } from './0036-compatible-since.ts';
import { AuditEvents } from './0037-audit-events.ts';
import { SuspendedFirms } from './0038-suspended-firms.ts';
import { AvatarHashes } from './0039-avatar-hashes.ts';
import { FillAvatarHashes } from './0040-fill-avatar-hashes.ts';
import { AvatarIndex } from './0041-avatar-index.ts';
import { HeldReplies } from './0042-held-replies.ts';
import { CalendarWindowIndexes } from './0043-calendar-window-indexes.ts';
import { TestTwins } from './0044-test-twins.ts';
import { MoveTestTokens } from './0045-move-test-tokens.ts';
import { AuditIndex } from './0046-audit-index.ts';
import { MergedTickets } from './0047-merged-tickets.ts';
import { Attachments } from './0048-attachments.ts';
import { TraderProfiles } from './0049-trader-profiles.ts';
import { ImpliedReference } from './0050-implied-reference.ts';
import { Macros } from './0051-macros.ts';
import { BulkChanges } from './0052-bulk-changes.ts';
import { TicketViews } from './0053-ticket-views.ts';
import { ImageIndex } from './0054-image-index.ts';
import { TicketFollowers } from './0055-ticket-followers.ts';
import { ReplyDrafts } from './0056-reply-drafts.ts';
import { SnoozedTickets } from './0057-snoozed-tickets.ts';
import { SnoozeIndex } from './0058-snooze-index.ts';
import { ServiceTargets } from './0059-service-targets.ts';
import { DueIndexes } from './0060-due-indexes.ts';
import { MailAttachments } from './0061-mail-attachments.ts';
import { MailAttachmentIndex } from './0062-mail-attachment-index.ts';
import { PushPageSpace } from './0063-push-page-space.ts';
import { CalendarSingleStart } from './0064-calendar-single-start.ts';
import { OvertakenReplies } from './0065-overtaken-replies.ts';
import { AttachmentContents } from './0066-attachment-contents.ts';
import { DraftMacros } from './0067-draft-macros.ts';
import { FirmFirstIndexes } from './0068-firm-first-indexes.ts';
import { ConstantLists } from './0069-constant-lists.ts';
import { NotificationPersons } from './0070-notification-persons.ts';
import { StoppedBulkChanges } from './0071-stopped-bulk-changes.ts';
import { RunAskers } from './0072-run-askers.ts';
import { SearchFolding } from './0073-search-folding.ts';
import { MailIdentity } from './0074-mail-identity.ts';
import { MailIdentityIndexes } from './0075-mail-identity-indexes.ts';
import { InvitationVersions } from './0076-invitation-versions.ts';
import { UnsentReplies } from './0077-unsent-replies.ts';

/**
 * The migrations in order. A released migration never changes; a later one corrects it. Each commits separately while calls of
 * the previous version run, so it must be compatible with them, or name the migration that a process must know to work with it:
 * `compatibleSince`. There are three kinds (`run-migrations.ts` has their limits):
 *
 * - `extends Migration`: one transaction. Its statements may take hours, but it must hold a lock that calls need only briefly,
 *   and a lock lasts until the end. So add a column without a volatile default, add a constraint `not valid`, and fill or
 *   validate in a later migration. While another transaction holds the table, it is rolled back and retried, so
 *   everything goes through `addSql`.
 * - `extends OnlineMigration`: statements that commit separately, such as batches that fill a column. Each finds out what is done.
 * - `extends ConcurrentIndexes`: builds and drops indexes of large tables while calls run, outside of a transaction. It only
 *   names the indexes; 0011 is an example.
 *
 * A check of tickets or messages lists its values as a constant array, not with `in`: 0069 says why.
 */
export const migrations: NamedMigration[] = [
  { name: '0001-access', class: Access },
  { name: '0002-mail', class: Mail },
  { name: '0003-calendar', class: Calendars },
  { name: '0004-tickets', class: Tickets },
  { name: '0005-notices', class: Notices },
  { name: '0006-world-imports', class: WorldImports },
  { name: '0007-live', class: Live },
  { name: '0008-push', class: Push },
  { name: '0009-bell', class: Bell },
  { name: '0010-known-devices', class: KnownDevices },
  { name: '0011-retention-indexes', class: RetentionIndexes },
  { name: '0012-device-owners', class: DeviceOwners },
  { name: '0013-fill-device-owners', class: FillDeviceOwners },
  { name: '0014-shared-push-tokens', class: SharedPushTokens },
  { name: '0015-workers', class: Workers },
  { name: '0016-unsent-reminders', class: UnsentReminders },
  { name: '0017-push-leases', class: PushLeases },
  { name: '0018-owed-answers', class: OwedAnswers },
  { name: '0019-unused-words', class: UnusedWords },
  { name: '0020-unused-words-index', class: UnusedWordsIndex },
  { name: '0021-job-requests', class: JobRequests },
  { name: '0022-firm-columns', class: FirmColumns },
  { name: '0023-fill-firm-columns', class: FillFirmColumns },
  { name: '0024-firm-indexes', class: FirmIndexes },
  { name: '0025-firm-references', class: FirmReferences },
  { name: '0026-firm-keys', class: FirmKeys, compatibleSince: '0026-firm-keys' },
  { name: '0027-firm-logs', class: FirmLogs },
  { name: '0028-token-changes', class: TokenChanges },
  { name: '0029-search-postings', class: SearchPostings, compatibleSince: '0029-search-postings' },
  { name: '0030-search-indexes', class: SearchIndexes },
  { name: '0031-search-lists', class: SearchLists, compatibleSince: '0031-search-lists' },
  { name: '0032-assistant-usage', class: AssistantUsage },
  { name: '0033-search-grams-cost', class: SearchGramsCost },
  { name: '0034-push-traces', class: PushTraces },
  { name: '0035-secret-rotation', class: SecretRotation },
  { name: '0036-compatible-since', class: CompatibleSince, compatibleSince: '0027-firm-logs' },
  { name: '0037-audit-events', class: AuditEvents },
  { name: '0038-suspended-firms', class: SuspendedFirms },
  { name: '0039-avatar-hashes', class: AvatarHashes },
  { name: '0040-fill-avatar-hashes', class: FillAvatarHashes },
  { name: '0041-avatar-index', class: AvatarIndex },
  { name: '0042-held-replies', class: HeldReplies },
  { name: '0043-calendar-window-indexes', class: CalendarWindowIndexes },
  { name: '0044-test-twins', class: TestTwins },
  { name: '0045-move-test-tokens', class: MoveTestTokens },
  { name: '0046-audit-index', class: AuditIndex },
  { name: '0047-merged-tickets', class: MergedTickets },
  { name: '0048-attachments', class: Attachments },
  { name: '0049-trader-profiles', class: TraderProfiles },
  { name: '0050-implied-reference', class: ImpliedReference },
  { name: '0051-macros', class: Macros },
  { name: '0052-bulk-changes', class: BulkChanges },
  { name: '0053-ticket-views', class: TicketViews },
  { name: '0054-image-index', class: ImageIndex },
  { name: '0055-ticket-followers', class: TicketFollowers },
  { name: '0056-reply-drafts', class: ReplyDrafts },
  { name: '0057-snoozed-tickets', class: SnoozedTickets },
  { name: '0058-snooze-index', class: SnoozeIndex },
  { name: '0059-service-targets', class: ServiceTargets },
  { name: '0060-due-indexes', class: DueIndexes },
  { name: '0061-mail-attachments', class: MailAttachments },
  { name: '0062-mail-attachment-index', class: MailAttachmentIndex },
  { name: '0063-push-page-space', class: PushPageSpace },
  { name: '0064-calendar-single-start', class: CalendarSingleStart },
  { name: '0065-overtaken-replies', class: OvertakenReplies },
  { name: '0066-attachment-contents', class: AttachmentContents },
  { name: '0067-draft-macros', class: DraftMacros },
  { name: '0068-firm-first-indexes', class: FirmFirstIndexes },
  { name: '0069-constant-lists', class: ConstantLists },
  { name: '0070-notification-persons', class: NotificationPersons },
  { name: '0071-stopped-bulk-changes', class: StoppedBulkChanges },
  { name: '0072-run-askers', class: RunAskers },
  { name: '0073-search-folding', class: SearchFolding },
  { name: '0074-mail-identity', class: MailIdentity },
  { name: '0075-mail-identity-indexes', class: MailIdentityIndexes },
  { name: '0076-invitation-versions', class: InvitationVersions },
  { name: '0077-unsent-replies', class: UnsentReplies },
];
