import { readFile } from 'node:fs/promises';
import { describeIssue, NotifyInput, OpenTicketInput, TraderWriteInput } from '@firmdesk/contract';
import { deliverMail, type IcsResult, importIcs, notify, receiveTraderMessage } from '@firmdesk/domain';
import { type Command, Option } from 'commander';
import { formatFatalError } from '../format-fatal-error.ts';
import { integerId, type OpsContext } from './context.ts';

/** What the platform's other parts bring in: `deliver-eml`, `import-ics`, `trader-message` and `notify`. */
export function incomingCommands(program: Command, ops: OpsContext): void {
  program
    .command('deliver-eml')
    .description('deliver messages (RFC 5322, one a file); one that is there already is not delivered again')
    .requiredOption('--mailbox <email>')
    .addOption(new Option('--folder <folder>').choices(['inbox', 'spam', 'archive']).default('inbox'))
    .argument('<file...>')
    .action(async (files: string[], options) => {
      const results: { file: string; status: string; id?: string; reason?: string }[] = [];
      for (const file of files) {
        try {
          const raw = await readFile(file);
          const { mailbox, folder } = options;
          const { status, id } = await deliverMail(await ops.services(), { raw, mailbox, folder });
          results.push({ file, status, id });
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
      'put iCalendar documents into a calendar; an event that cannot be read is refused, the rest is kept',
    )
    .requiredOption('--calendar <id>', 'its id', integerId)
    .argument('<file...>')
    .action(async (files: string[], options) => {
      const results: ({ file: string } & Partial<IcsResult> & { reason?: string })[] = [];
      for (const file of files) {
        try {
          const text = await readFile(file, 'utf8');
          const result = await ops.run((ctx) => importIcs(ctx, { calendarId: options.calendar, text }));
          results.push({ file, ...result });
          for (const { line, uid, reason } of result.refused)
            ops.say(`${file}:${line}: refused ${uid ?? ''}: ${reason}`);
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
              `${imported ?? 0} imported, ${refused?.length ?? 'all'} refused  ${file}`,
          )
          .join('\n'),
      );
      if (results.some(({ refused, reason }) => reason || refused?.length)) process.exitCode = 1;
    });

  program
    .command('trader-message')
    .description('a trader writes on a ticket of theirs, or opens one')
    .addOption(new Option('--ticket <id>', 'write on this one').conflicts('open'))
    .addOption(new Option('--open <subject>', 'open a new one'))
    .requiredOption('--workspace <slug>')
    .requiredOption('--from <email>')
    .argument('<body>')
    .action(async (body: string, { ticket, open, workspace, from }, command: Command) => {
      if (ticket === undefined && open === undefined)
        command.error('error: Say --ticket ID or --open SUBJECT.');
      const input =
        ticket === undefined
          ? { ...OpenTicketInput.parse({ from, body, subject: open }, { error: describeIssue }), open }
          : TraderWriteInput.parse({ from, body, ticket }, { error: describeIssue });
      const wrote = await ops.run((ctx) => receiveTraderMessage(ctx, { ...input, workspace }));
      ops.print(
        wrote,
        `${wrote.opened ? 'Opened' : 'Wrote on'} ${wrote.ticket.id} (${wrote.ticket.number}).`,
      );
    });

  program
    .command('notify')
    .description('raise a notification for whoever may see its kind, or for named people among them')
    .requiredOption('--kind <kind>')
    .requiredOption('--workspace <slug>')
    .requiredOption('--title <text>')
    .option('--body <text>')
    .requiredOption('--action-url <path>')
    .option('--actor <email>', 'who caused it, and is not told')
    .option('--to <email...>')
    .action(async (options) => {
      const { actionUrl, json: _, ...rest } = options;
      const input = NotifyInput.parse({ ...rest, action_url: actionUrl }, { error: describeIssue });
      const raised = await ops.run((ctx) => notify(ctx, input));
      ops.print(raised, `Told ${raised.notifications.length} people.`);
    });
}
