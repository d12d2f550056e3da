import { readFile } from 'node:fs/promises';
import { retentions } from '@firmdesk/domain';
import { expect, test } from 'vitest';

const HOUR_MS = 3_600_000;

/** Formats a period as in the guide: in hours up to three days, otherwise in days. */
function period(milliseconds: number): string {
  const hours = milliseconds / HOUR_MS;
  return hours <= 72 ? `${hours} hours` : `${hours / 24} days`;
}

test('the guide states the retention of each kind of row', async () => {
  const guide = await readFile(new URL('../../apps/gateway/guides/running.md', import.meta.url), 'utf8');
  const rows = guide
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  const written = rows.map(([, kind, kept, since]) => ({ kind: kind!.replaceAll('`', ''), kept, since }));
  expect(written).toEqual(
    retentions.map(({ kind, keptMs, since }) => ({ kind, kept: period(keptMs), since })),
  );
});
