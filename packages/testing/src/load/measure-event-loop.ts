import { readFileSync } from 'node:fs';
import { platform } from 'node:process';
import type { Services } from '@firmdesk/domain';

/**
 * Samples the event loop until the returned function is called. That function returns the longest processor time of one
 * iteration, the number of samples, and the number of samples in which a query waited for a connection.
 *
 * A virtual machine counts the time that its host gave to others as processor time of the thread that ran. It is subtracted.
 */
export function measureEventLoop(pool: Pick<Services['pool'], 'waitingCount'>) {
  let longestMs = 0;
  let samples = 0;
  let waiting = 0;
  let last = process.threadCpuUsage();
  let lastStolen = stolenMs();
  const sampler = setInterval(() => {
    const spent = process.threadCpuUsage(last);
    const stolen = stolenMs();
    longestMs = Math.max(longestMs, (spent.user + spent.system) / 1_000 - (stolen - lastStolen));
    last = process.threadCpuUsage();
    lastStolen = stolen;
    if (pool.waitingCount > 0) waiting++;
    samples++;
  }, 1);
  return () => {
    clearInterval(sampler);
    return { longestMs, samples, waiting };
  };
}

/** Returns the time that the host took from all processors of this machine since it was started: `steal` in proc_stat(5). */
function stolenMs(): number {
  if (platform !== 'linux') return 0;
  const [, , , , , , , , stolen] = readFileSync('/proc/stat', 'latin1').split(/\s+/, 9);
  return Number(stolen) * 10;
}
