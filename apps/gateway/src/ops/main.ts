import { Command, CommanderError } from 'commander';
import { formatFatalError } from '../format-fatal-error.ts';
import { accessCommands } from './access.ts';
import { checkCommand } from './check.ts';
import { createContext } from './context.ts';
import { importCommand } from './import.ts';
import { incomingCommands } from './incoming.ts';
import { pushCommands } from './push.ts';
import { rolesCommand } from './roles.ts';
import { searchCommands } from './search.ts';
import { systemCommands } from './system.ts';

const USAGE_ERROR = 2;

const program = new Command('ops')
  .description('Operate an installation of Firmdesk. A gateway may be running or not.')
  .option('--json', 'print the result as JSON')
  .showHelpAfterError()
  .exitOverride();
const ops = createContext(process.env, () => program.opts()['json'] === true);

accessCommands(program, ops);
importCommand(program, ops);
incomingCommands(program, ops);
pushCommands(program, ops);
searchCommands(program, ops);
systemCommands(program, ops);
checkCommand(program, ops);
rolesCommand(program, ops);
for (const command of descendants(program))
  command.exitOverride().option('--json', 'print the result as JSON');
program.hook('preAction', (_program, action) => {
  if (action.opts()['json']) program.setOptionValue('json', true);
});

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : USAGE_ERROR;
  else {
    process.stderr.write(`${formatFatalError(error)}\n`);
    process.exitCode = 1;
  }
} finally {
  await ops.close();
}

function descendants(command: Command): Command[] {
  return command.commands.flatMap((child) => [child, ...descendants(child)]);
}
