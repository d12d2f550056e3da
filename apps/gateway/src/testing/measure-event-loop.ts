import type { Services } from '@firmdesk/domain';

/**
 * Samples the event loop until the returned function is called. That function returns the longest processor time of one
 * iteration, the number of samples, and the number of samples in which a query waited for a connection.
 */
export function measureEventLoop(pool: Pick<Services['pool'], 'waitingCount'>) {
  let longestMs = 0;
  let samples = 0;
  let waiting = 0;
  let last = process.threadCpuUsage();
  const sampler = setInterval(() => {
    const spent = process.threadCpuUsage(last);
    last = process.threadCpuUsage();
    longestMs = Math.max(longestMs, (spent.user + spent.system) / 1_000);
    if (pool.waitingCount > 0) waiting++;
    samples++;
  }, 1);
  return () => {
    clearInterval(sampler);
    return { longestMs, samples, waiting };
  };
}
