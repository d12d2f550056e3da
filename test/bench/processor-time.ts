import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Services } from '@firmdesk/domain';

/** The parts of an installation that share the machine. */
export type Part = 'clients' | 'gateways' | 'workers' | 'PostgreSQL';

const SAMPLE_MS = 250;
/** The unit of `/proc/PID/stat`, on every Linux. */
const TICKS_PER_SECOND = 100;

interface Process {
  parent: number;
  seconds: number;
}

/**
 * Measures how many cores each part uses, until the returned function is called. The parts are found among the descendants of
 * this process by their command lines; PostgreSQL by its data directory. Returns null where there is no `/proc`.
 */
export async function measureParts({ pool }: Services): Promise<() => Promise<Record<Part, number> | null>> {
  const { rows } = await pool.query<{ data_directory: string }>('show data_directory');
  const pidFile = join(rows[0]!.data_directory, 'postmaster.pid');
  const postmaster = Number((await readFile(pidFile, 'utf8')).split('\n')[0]);
  const first = new Map<number, number>();
  const last = new Map<number, number>();
  const partOf = new Map<number, Part | null>();

  async function sample(): Promise<void> {
    const processes = await readProcesses();
    for (const [pid, { seconds }] of processes) {
      const part = partOf.get(pid) ?? (await findPart(pid, processes, postmaster));
      partOf.set(pid, part);
      if (!part) continue;
      // A process that starts later has used nothing before.
      if (!first.has(pid)) first.set(pid, hasBegun ? 0 : seconds);
      last.set(pid, seconds);
    }
  }

  let hasBegun = false;
  await sample();
  hasBegun = true;
  const began = performance.now();
  let sampling = Promise.resolve();
  const timer = setInterval(() => {
    sampling = sampling.then(sample);
  }, SAMPLE_MS);
  return async () => {
    clearInterval(timer);
    await sampling;
    await sample();
    const elapsed = (performance.now() - began) / 1_000;
    if (last.size === 0) return null;
    const cores: Record<Part, number> = { clients: 0, gateways: 0, workers: 0, PostgreSQL: 0 };
    for (const [pid, seconds] of last) cores[partOf.get(pid)!] += (seconds - first.get(pid)!) / elapsed;
    return cores;
  };
}

/** Returns the processor time of a process's main thread, on which its event loop runs. */
export async function loopSeconds(pid: number): Promise<number> {
  return parseStat(await readFile(`/proc/${pid}/task/${pid}/stat`, 'utf8')).seconds;
}

async function readProcesses(): Promise<Map<number, Process>> {
  const processes = new Map<number, Process>();
  for (const name of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => null);
    if (stat === null) continue;
    processes.set(Number(name), parseStat(stat));
  }
  return processes;
}

function parseStat(stat: string): Process {
  // The command before these fields can contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return {
    parent: Number(fields[1]),
    seconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND,
  };
}

async function findPart(
  pid: number,
  processes: ReadonlyMap<number, Process>,
  postmaster: number,
): Promise<Part | null> {
  if (pid === postmaster || processes.get(pid)?.parent === postmaster) return 'PostgreSQL';
  if (!isOurs(pid, processes)) return null;
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  if (command.includes('\0gateway')) return 'gateways';
  if (command.includes('\0worker')) return 'workers';
  return 'clients';
}

/** Returns whether a process is this one or descends from it. */
function isOurs(pid: number, processes: ReadonlyMap<number, Process>): boolean {
  for (let at: number | undefined = pid; at; at = processes.get(at)?.parent)
    if (at === process.pid) return true;
  return false;
}
