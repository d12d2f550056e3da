import {
  addWorkspace,
  deleteFirm,
  listWorkspaces,
  recordFirmExport,
  resumeFirm,
  setStorageLimit,
  suspendFirm,
} from '@firmdesk/domain';
import { exportFirm, type FirmExport } from '@firmdesk/seed';
import type { Command } from 'commander';
import { writePrivatePieces } from '../../installation/private-file.ts';
import { confirm } from '../confirm.ts';
import { byteCount, everySecond, type OpsContext, table } from '../context.ts';

/** Adds the commands `firm`. */
export function firmCommands(program: Command, ops: OpsContext): void {
  const firm = program.command('firm').description('Manage firms');
  firm
    .command('add')
    .description('Add a firm')
    .requiredOption('--slug <slug>', 'slug of the firm, part of its addresses')
    .requiredOption('--name <name>', 'name that people see')
    .action(async (options) => {
      const { id, slug, name } = await ops.run((ctx) => addWorkspace(ctx, options));
      ops.print({ id, slug, name }, `Added ${slug}.`);
    });
  firm
    .command('list')
    .description('List the firms and their sandboxes')
    .action(async () => {
      const firms = await ops.run((ctx) => listWorkspaces(ctx));
      ops.print(
        firms,
        table(
          firms.map((firm) => ({ ...firm })),
          ['slug', 'name', 'members', 'state', 'deletion_due_at', 'sandbox_of'],
        ),
      );
    });
  firm
    .command('suspend')
    .description(
      'Suspend a firm: its calls are refused with workspace_not_permitted, its streams end, its jobs and pushes wait. Nothing is lost',
    )
    .argument('<slug>', 'slug of the firm')
    .option('--resume', 'serve the firm again: what has waited continues')
    .action(async (slug: string, { resume }: { resume?: boolean }) => {
      await ops.run((ctx) => (resume ? resumeFirm(ctx, slug) : suspendFirm(ctx, slug)));
      const state = resume ? 'served' : 'suspended';
      ops.print({ slug, state }, resume ? `Resumed ${slug}.` : `Suspended ${slug}.`);
    });
  firm
    .command('limit')
    .description(
      'Limit what the files of a firm may take. Its people are told at 80 and 95 %; when it is full, nobody can attach files. Received mail is stored all the same',
    )
    .argument('<slug>', 'slug of the firm')
    .requiredOption('--storage <size>', 'such as 500MB or 20GB, or none', byteCount)
    .action(async (slug: string, { storage }: { storage: number | null }) => {
      const set = await ops.run((ctx) => setStorageLimit(ctx, slug, storage));
      ops.print(set, storage === null ? `${slug} has no limit.` : `${slug} may store ${storage} bytes.`);
    });
  firm
    .command('export')
    .description(
      'Write a firm to an import file, as it is at one moment, which "import" reads elsewhere. Passwords and keys are not in it, because only their hashes are stored',
    )
    .argument('<slug>', 'slug of the firm')
    .argument('<file>', 'file to write; only its owner can read it')
    .action(async (slug: string, file: string) => {
      const say = everySecond((list: string, records: number) => ops.say(`${list}: ${records}`));
      let exported: FirmExport | undefined;
      await writePrivatePieces(file, async (write) => {
        exported = await exportFirm(await ops.services(), slug, write, { onProgress: say });
      });
      const { counts, leftOut } = exported!;
      await ops.run(async (ctx) => recordFirmExport(ctx, slug));
      for (const { list, key, reason } of leftOut) ops.say(`Left out ${list} ${key}: ${reason}`);
      const lines = Object.entries(counts).map(([list, count]) => `${list}: ${count}`);
      ops.print({ slug, file, exported: counts, left_out: leftOut }, lines.join('\n'));
    });
  firm
    .command('delete')
    .description(
      'Delete a suspended firm with all its data, and erase the accounts that belong to no other firm. It cannot be undone; an interrupted deletion is continued by the same command',
    )
    .argument('<slug>', 'slug of the firm')
    .option('--yes', 'do not ask for confirmation')
    .action(async (slug: string, { yes }: { yes?: boolean }) => {
      if (!yes) await confirm(`This deletes all data of the firm ${slug}.`, slug);
      const say = everySecond((table: string, rows: number) => ops.say(`${table}: deleted ${rows}`));
      const deleted = await deleteFirm(await ops.services(), slug, {
        actor: await ops.actor(),
        onProgress: say,
      });
      ops.print({ slug, deleted }, `Deleted ${slug}.`);
    });
}
