import { expect, test } from 'vitest';
import { Lane } from './lane.ts';

/** Tasks that end when they are told to. */
function tasks() {
  const running: (() => void)[] = [];
  return { running, task: () => new Promise<void>((end) => running.push(end)) };
}

test('so many run at a time, the others in their turn', async () => {
  const lane = new Lane(2, 10);
  const { running, task } = tasks();
  const ends = [1, 2, 3, 4].map(() => lane.run(task));
  expect(running).toHaveLength(2);
  running[0]!();
  await ends[0];
  await Promise.resolve();
  expect(running).toHaveLength(3);
  for (let i = 1; i < 4; i++) {
    running[i]!();
    await ends[i];
    await Promise.resolve();
  }
  const again = tasks();
  const both = [lane.run(again.task), lane.run(again.task)];
  expect(again.running).toHaveLength(2);
  for (const end of again.running) end();
  await Promise.all(both);
});

test('a task that fails gives its place on', async () => {
  const lane = new Lane(1, 10);
  const failing = lane.run(() => Promise.reject(new Error('no')));
  const next = lane.run(() => Promise.resolve('ran'));
  await expect(failing).rejects.toThrow('no');
  await expect(next).resolves.toBe('ran');
});

test('when too many wait, who comes is refused', async () => {
  const lane = new Lane(1, 1);
  const { running, task } = tasks();
  const [first, second] = [lane.run(task), lane.run(task)];
  await expect(lane.run(task)).rejects.toMatchObject({ apiCode: 'unavailable' });
  running[0]!();
  await first;
  await Promise.resolve();
  running[1]!();
  await second;
});
