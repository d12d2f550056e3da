import { readFile } from 'node:fs/promises';
import {
  describeIssue,
  type LeftOutFiles,
  MAX_MAIL_ATTACHMENTS,
  type MailDelivery,
  NotifyInput,
  OpenTicketInput,
  TraderWriteInput,
} from '@firmdesk/contract';
import { deliverMail, type IcsResult, importIcs, notify, receiveTraderMessage } from '@firmdesk/domain';
import { type Command, Option } from 'commander';
import { formatFatalError } from '../process/format-fatal-error.ts';
import { integerId, type OpsContext } from './context.ts';

const leftOutReasons: Record<LeftOutFiles['reason'], string> = {
  too_large: 'larger than 25 MB',
  too_many: `a message keeps ${MAX_MAIL_ATTACHMENTS} files`,
  empty: 'empty',
};

/** Adds the commands for data from other systems: `deliver-eml`, `import-ics`, `trader-message` and `notify`. */
export function incomingCommands(program: Command, ops: OpsContext): void {
  program
    .command('deliver-eml')
    .description(
      'Deliver email messages (RFC 5322), one per file, with their attachments. A message is delivered only once',
    )
    .requiredOption('--mailbox <email>', 'address of the mailbox')
    .addOption(
      new Option('--folder <folder>', 'folder of the mailbox')
        .choices(['inbox', 'spam', 'archive'])
        .default('inbox'),
    )
    .argument('<file...>', 'files to read')
    .action(async (files: string[], options) => {
      const results: ({ file: string; status: string; reason?: string } & Partial<
        Pick<MailDelivery, 'id' | 'left_out'>
      >)[] = [];
      for (const file of files) {
        try {
          const raw = await readFile(file);
          const { mailbox, folder } = options;
          const { status, id, left_out } = await deliverMail(await ops.services(), { raw, mailbox, folder });
          results.push({ file, status, id, left_out });
          for (const { reason, count, names } of left_out)
            ops.say(`${file}: ${count} left out (${leftOutReasons[reason]}): ${names.join(', ')}`);
        } catch (error) {
          results.push({
            file,
            status: 'refused',
            reason: formatFatalError(error),
          });
        }
      }
      ops.print(
        results,
        results.map(({ file, status, id, reason }) => `${status}  ${id ?? reason}  ${file}`).join('\n'),
      );
      if (results.some(({ status }) => status === 'refused')) process.exitCode = 1;
    });

  program
    .command('import-ics')
    .description(
      'Import iCalendar files (RFC 5545) into a calendar. Invalid events are rejected, the others imported',
    )
    .requiredOption('--calendar <id>', 'id of the calendar', integerId)
    .argument('<file...>', 'files to read')
    .action(async (files: string[], options) => {
      const results: ({ file: string } & Partial<IcsResult> & { reason?: string })[] = [];
      for (const file of files) {
        try {
          const document = await readFile(file);
          const result = await ops.run((ctx) => importIcs(ctx, { calendarId: options.calendar, document }));
          results.push({ file, ...result });
          for (const { line, uid, reason } of result.refused)
            ops.say(`${file}:${line}: rejected event ${uid ?? 'without UID'}: ${reason}`);
          for (const { line, message } of result.notes) ops.say(`${file}:${line}: ${message}`);
        } catch (error) {
          results.push({ file, reason: formatFatalError(error) });
          ops.say(`${file}: ${formatFatalError(error)}`);
        }
      }
      ops.print(
        results,
        results
          .map(
            ({ file, imported, refused }) =>
              `${imported ?? 0} imported, ${refused?.length ?? 'all'} rejected  ${file}`,
          )
          .join('\n'),
      );
      if (results.some(({ refused, reason }) => reason || refused?.length)) process.exitCode = 1;
    });

  program
    .command('trader-message')
    .description('Add a message of a trader to a ticket, or open a ticket')
    .addOption(new Option('--ticket <id>', 'id of an existing ticket').conflicts('open'))
    .addOption(new Option('--open <subject>', 'subject of a new ticket'))
    .requiredOption('--workspace <slug>', 'slug of the firm')
    .requiredOption('--from <email>', 'email address of the trader')
    .argument('<body>', 'text of the message')
    .action(async (body: string, { ticket, open, workspace, from }, command: Command) => {
      if (ticket === undefined && open === undefined)
        command.error('error: Either --ticket ID or --open SUBJECT is required.');
      const input =
        ticket === undefined
          ? { ...OpenTicketInput.parse({ from, body, subject: open }, { error: describeIssue }), open }
          : TraderWriteInput.parse({ from, body, ticket }, { error: describeIssue });
      const result = await ops.run((ctx) => receiveTraderMessage(ctx, { ...input, workspace }));
      ops.print(
        result,
        `${result.opened ? 'Opened' : 'Added a message to'} ${result.ticket.id} (${result.ticket.number}).`,
      );
    });

  program
    .command('notify')
    .description('Notify all accounts that may see a kind of notification, or some of them')
    .requiredOption('--kind <kind>', 'kind of the notification, such as payout_requested')
    .requiredOption('--workspace <slug>', 'slug of a firm, or "platform"')
    .requiredOption('--title <text>', 'title')
    .option('--body <text>', 'text below the title')
    .requiredOption('--action-url <path>', 'path that the notification opens')
    .option('--actor <email>', 'account that caused it and is not notified')
    .option('--to <email...>', 'notify only these accounts')
    .action(async (options) => {
      const { actionUrl, json: _, ...rest } = options;
      const input = NotifyInput.parse({ ...rest, action_url: actionUrl }, { error: describeIssue });
      const result = await ops.run((ctx) => notify(ctx, input));
      const { length } = result.notifications;
      ops.print(result, `Notified ${length} ${length === 1 ? 'account' : 'accounts'}.`);
    });
}
