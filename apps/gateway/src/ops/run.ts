import { Command, CommanderError } from 'commander';
import { formatFatalError } from '../process/format-fatal-error.ts';
import { checkCommand } from './check.ts';
import { createContext, printable } from './context.ts';
import { auditCommands } from './firms/audit.ts';
import { firmCommands } from './firms/firm.ts';
import { mailboxAliasCommands } from './firms/mailbox-alias.ts';
import { reportsCommands } from './firms/reports.ts';
import { supportAddressCommands } from './firms/support-address.ts';
import { importCommand } from './import.ts';
import { incomingCommands } from './incoming.ts';
import { pushCommands } from './push.ts';
import { rolesCommand } from './roles.ts';
import { searchCommands } from './search.ts';
import { systemCommands } from './system.ts';
import { tokenCommands } from './token.ts';
import { userCommands } from './user.ts';

const USAGE_ERROR = 2;

/** Runs the command of the process's arguments, and sets the exit code. */
export async function run(env: NodeJS.ProcessEnv): Promise<void> {
  const program = new Command('ops')
    .description('Operate an installation of Firmdesk. A gateway may be running or not.')
    .option('--json', 'print the result as JSON')
    .showHelpAfterError()
    .exitOverride();
  const ops = createContext(env, () => ({
    isJson: program.opts()['json'] === true,
    actor: program.opts()['actor'],
  }));

  tokenCommands(program, ops);
  firmCommands(program, ops);
  userCommands(program, ops);
  mailboxAliasCommands(program, ops);
  supportAddressCommands(program, ops);
  /** The commands that write to the audit trail. A group would take the option from its commands. */
  const audited = new Set(descendants(program).filter(({ commands }) => commands.length === 0));
  for (const command of audited)
    command.option(
      '--actor <name>',
      'your name in the audit trail, or the email address of your account (default: your account of the operating system)',
    );
  auditCommands(program, ops);
  importCommand(program, ops);
  incomingCommands(program, ops);
  pushCommands(program, ops);
  searchCommands(program, ops);
  reportsCommands(program, ops);
  systemCommands(program, ops);
  checkCommand(program, ops);
  rolesCommand(program, ops);
  for (const command of descendants(program))
    command.exitOverride().option('--json', 'print the result as JSON');
  program.hook('preAction', (_program, action) => {
    if (action.opts()['json']) program.setOptionValue('json', true);
    if (audited.has(action)) program.setOptionValue('actor', action.opts()['actor']);
  });

  try {
    await program.parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : USAGE_ERROR;
    else {
      process.stderr.write(`${printable(formatFatalError(error))}\n`);
      process.exitCode = 1;
    }
  } finally {
    await ops.close();
  }
}

function descendants(command: Command): Command[] {
  return command.commands.flatMap((child) => [child, ...descendants(child)]);
}
