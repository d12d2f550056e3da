import { expect, test } from 'vitest';
import { defaultConnections, divideConnections, FEWEST_CONNECTIONS, sumOfPools } from './pool-sizes.ts';

test.each([true, false])('divides every limit without a rest (runs jobs: %s)', (runsJobs) => {
  const fewest = runsJobs ? FEWEST_CONNECTIONS.withJobs : FEWEST_CONNECTIONS.withoutJobs;
  for (let max = fewest; max <= 200; max++) {
    const poolSizes = divideConnections(max, runsJobs);
    expect(sumOfPools(poolSizes), `${max}`).toBe(max);
    expect(poolSizes.main, `${max}`).toBeGreaterThanOrEqual(2);
    if (runsJobs)
      expect(Math.min(poolSizes.jobQueue, poolSizes.replyQueue), `${max}`).toBeGreaterThanOrEqual(2);
  }
});

test('lets six processes share a server by default', () => {
  for (const serverLimit of [57, 97, 197]) {
    for (const fewest of Object.values(FEWEST_CONNECTIONS))
      expect(6 * defaultConnections(serverLimit, fewest), `${serverLimit}`).toBeLessThanOrEqual(serverLimit);
  }
});
