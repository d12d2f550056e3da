import type { Services } from '@firmdesk/domain';

/** Measures the processor's time that each turn of the event loop takes, and counts those in which a call waits for a connection. */
export function measureEventLoop(pool: Pick<Services['pool'], 'waitingCount'>) {
  let longestTurn = 0;
  let waiting = 0;
  let turns = 0;
  let last = process.threadCpuUsage();
  const sampler = setInterval(() => {
    const spent = process.threadCpuUsage(last);
    last = process.threadCpuUsage();
    longestTurn = Math.max(longestTurn, (spent.user + spent.system) / 1_000);
    if (pool.waitingCount > 0) waiting++;
    turns++;
  }, 1);
  return () => {
    clearInterval(sampler);
    return { longestTurn, waiting, turns };
  };
}
