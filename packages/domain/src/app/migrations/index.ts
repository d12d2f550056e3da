import type { NamedMigration } from '../../platform/database/migrations/run-migrations.ts';
import { Installation } from './0001-installation.ts';
import { Access } from './0002-access.ts';
import { Mail } from './0003-mail.ts';
import { Calendar } from './0004-calendar.ts';
import { Tickets } from './0005-tickets.ts';
import { Replies } from './0006-replies.ts';
import { ViewsAndBulkChanges } from './0007-views-and-bulk-changes.ts';
import { Search } from './0008-search.ts';
import { Assistant } from './0009-assistant.ts';
import { Notifications } from './0010-notifications.ts';
import { Traders } from './0011-traders.ts';
import { Imports } from './0012-imports.ts';
import { Names } from './0013-names.ts';
import { OutgoingMail } from './0014-outgoing-mail.ts';
import { MailSearch } from './0015-mail-search.ts';
import { SenderChecks } from './0016-sender-checks.ts';
import { ProductMail } from './0017-product-mail.ts';
import { TicketsByMail } from './0018-tickets-by-mail.ts';
import { NewestMail } from './0019-newest-mail.ts';
import { ReplyTo } from './0020-reply-to.ts';
import { SystemMail } from './0021-system-mail.ts';
import { StorageLimits } from './0022-storage-limits.ts';
import { MailThreads } from './0023-mail-threads.ts';
import { MailboxSettings } from './0024-mailbox-settings.ts';
import { FileScans } from './0025-file-scans.ts';
import { FollowUps } from './0026-follow-ups.ts';
import { NotificationReasons } from './0027-notification-reasons.ts';
import { SettingsPermissions } from './0028-settings-permissions.ts';
import { Composer } from './0029-composer.ts';
import { MailRules } from './0030-mail-rules.ts';
import { SignIn } from './0031-sign-in.ts';
import { SingleSignOn } from './0032-single-sign-on.ts';
import { Invites } from './0033-invites.ts';
import { FirmSettings } from './0034-firm-settings.ts';
import { Reports } from './0035-reports.ts';
import { TicketAutomation } from './0036-ticket-automation.ts';
import { Webhooks } from './0037-webhooks.ts';
import { Knowledge } from './0038-knowledge.ts';
import { ProvedAddresses } from './0039-proved-addresses.ts';
import { DataRequests } from './0040-data-requests.ts';
import { StaffAndAudit } from './0041-staff-and-audit.ts';
import { CalendarSettings } from './0042-calendar-settings.ts';
import { NotificationSettings } from './0043-notification-settings.ts';
import { WeeklyReports } from './0044-weekly-reports.ts';
import { OneOutgoingTable } from './0045-one-outgoing-table.ts';
import { EndOfATrail } from './0046-end-of-a-trail.ts';
import { MailPlans } from './0047-mail-plans.ts';
import { FirmLogo } from './0048-firm-logo.ts';
import { ReportSources } from './0049-report-sources.ts';
import { PlatformById } from './0050-platform-by-id.ts';
import { ListOfTraders } from './0051-list-of-traders.ts';

/** The last migration of the baseline. */
const BASELINE = '0012-imports';

/**
 * The migrations in order: first the baseline, the schema of the first release. A released migration never changes; a later one
 * corrects it. Each commits separately while calls of the previous version run, so it must be compatible with them, or name the
 * migration that a process must know to work with it: `compatibleSince`. There are two kinds (`run-migrations.ts` has their limits):
 *
 * - `extends Migration`: one transaction. Its statements may take hours, but it must hold a lock that calls need only briefly,
 *   and a lock lasts until the end. So add a column without a volatile default, add a constraint `not valid`, and fill or
 *   validate in a later migration. While another transaction holds the table, it is rolled back and retried, so
 *   everything goes through `addSql`.
 * - `extends OnlineMigration`: statements that commit separately, such as batches that fill a column, and indexes of large tables that
 *   are built while calls run. Each finds out what is done. `/database/message-sizes.ts` is an example.
 *
 * A check of tickets or messages lists its values as a constant array, not with `in`: 0005 says why. A later migration that creates a
 * firm's table distributes it (`new-firm-table.ts`), and each uses only forms that Citus supports
 * (`/packages/testing/src/statements/find-unsupported-forms.ts`).
 */
export const migrations: NamedMigration[] = [
  { name: '0001-installation', class: Installation },
  { name: '0002-access', class: Access },
  { name: '0003-mail', class: Mail },
  { name: '0004-calendar', class: Calendar },
  { name: '0005-tickets', class: Tickets },
  { name: '0006-replies', class: Replies },
  { name: '0007-views-and-bulk-changes', class: ViewsAndBulkChanges },
  { name: '0008-search', class: Search },
  { name: '0009-assistant', class: Assistant },
  { name: '0010-notifications', class: Notifications },
  { name: '0011-traders', class: Traders },
  { name: BASELINE, class: Imports, compatibleSince: BASELINE },
  { name: '0013-names', class: Names, compatibleSince: '0013-names' },
  { name: '0014-outgoing-mail', class: OutgoingMail },
  { name: '0015-mail-search', class: MailSearch },
  { name: '0016-sender-checks', class: SenderChecks },
  { name: '0017-product-mail', class: ProductMail },
  { name: '0018-tickets-by-mail', class: TicketsByMail },
  { name: '0019-newest-mail', class: NewestMail },
  { name: '0020-reply-to', class: ReplyTo },
  { name: '0021-system-mail', class: SystemMail },
  { name: '0022-storage-limits', class: StorageLimits },
  { name: '0023-mail-threads', class: MailThreads },
  { name: '0024-mailbox-settings', class: MailboxSettings },
  { name: '0025-file-scans', class: FileScans },
  { name: '0026-follow-ups', class: FollowUps },
  { name: '0027-notification-reasons', class: NotificationReasons },
  {
    name: '0028-settings-permissions',
    class: SettingsPermissions,
    compatibleSince: '0028-settings-permissions',
  },
  { name: '0029-composer', class: Composer },
  { name: '0030-mail-rules', class: MailRules },
  { name: '0031-sign-in', class: SignIn },
  { name: '0032-single-sign-on', class: SingleSignOn },
  { name: '0033-invites', class: Invites },
  { name: '0034-firm-settings', class: FirmSettings },
  { name: '0035-reports', class: Reports },
  { name: '0036-ticket-automation', class: TicketAutomation },
  { name: '0037-webhooks', class: Webhooks },
  { name: '0038-knowledge', class: Knowledge },
  { name: '0039-proved-addresses', class: ProvedAddresses },
  { name: '0040-data-requests', class: DataRequests },
  { name: '0041-staff-and-audit', class: StaffAndAudit },
  { name: '0042-calendar-settings', class: CalendarSettings },
  { name: '0043-notification-settings', class: NotificationSettings },
  { name: '0044-weekly-reports', class: WeeklyReports },
  {
    name: '0045-one-outgoing-table',
    class: OneOutgoingTable,
    compatibleSince: '0045-one-outgoing-table',
  },
  { name: '0046-end-of-a-trail', class: EndOfATrail },
  { name: '0047-mail-plans', class: MailPlans },
  { name: '0048-firm-logo', class: FirmLogo },
  { name: '0049-report-sources', class: ReportSources },
  { name: '0050-platform-by-id', class: PlatformById },
  { name: '0051-list-of-traders', class: ListOfTraders },
];
