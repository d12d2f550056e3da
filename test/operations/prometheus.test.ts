import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { openTestGateway } from '@firmdesk/testing/gateway';
import { describe, expect, inject, test } from 'vitest';
import { isInstalled } from './is-installed.ts';

const OPS = new URL('../../ops/', import.meta.url).pathname;
const read = (path: string) => readFileSync(`${OPS}${path}`, 'utf8');

const alerts = read('prometheus/alerts.yml');
const alertNames = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name]) => name!);

describe.skipIf(!isInstalled('promtool', 'prometheus'))('the alert rules', () => {
  const promtool = (...args: string[]) =>
    execFileSync('promtool', args, { cwd: `${OPS}prometheus`, encoding: 'utf8', stdio: 'pipe' });

  test('are valid', () => {
    expect(promtool('check', 'rules', 'alerts.yml')).toContain('SUCCESS');
  });

  test('fire for what they name, and not otherwise', () => {
    expect(promtool('test', 'rules', 'alerts.test.yml')).toContain('SUCCESS');
  });
});

test('each alert has a case in which it fires and one in which it does not', () => {
  const cases = read('prometheus/alerts.test.yml');
  const firing = [...cases.matchAll(/^ +alertname: (\w+)\n +exp_alerts:\n +- /gm)].map(([, name]) => name!);
  const silent = [...cases.matchAll(/^ +- \{ eval_time: \w+, alertname: (\w+) \}$/gm)].map(
    ([, name]) => name!,
  );
  for (const names of [firing, silent]) expect([...new Set(names)].toSorted()).toEqual(alertNames.toSorted());
});

test('each alert has a runbook under its name', () => {
  const runbooks = readFileSync(new URL('../../docs/operations/incidents.md', import.meta.url), 'utf8');
  const titles = [...runbooks.matchAll(/^## (Firmdesk\w+)$/gm)].map(([, title]) => title);
  expect(titles.toSorted()).toEqual(alertNames.toSorted());
});

test('the alerts and the dashboard use only metrics that a process serves', async () => {
  await using gateway = await openTestGateway(inject('postgresUrl'));
  const { text } = await gateway.request('GET /metrics');
  const served = new Set([...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].map(([, name]) => name!));
  const dashboard = JSON.parse(read('grafana/firmdesk.json'));
  const queries: string[] = dashboard.panels.flatMap(({ targets = [] }: { targets?: { expr: string }[] }) =>
    targets.map(({ expr }) => expr),
  );
  expect(queries.length).toBeGreaterThan(30);
  const expressions = [...alerts.matchAll(/expr: (?:\|\n((?: {10,}.*\n)+)|(.*))/g)].map(
    ([, block, line]) => block ?? line!,
  );
  expect(expressions).toHaveLength(alertNames.length);
  const used = [...queries, ...expressions].flatMap(metricsIn);
  const unknown = used.filter(
    (name) => !served.has(name.replace(/_(bucket|sum|count)$/, '')) && name !== 'up',
  );
  expect(unknown).toEqual([]);
  // And it shows all of ours: a metric that nobody looks at is not worth its cost.
  const ours = [...served].filter((name) => !/^(nodejs|process)_/.test(name));
  expect(
    ours.filter((name) => !used.some((found) => found.replace(/_(bucket|sum|count)$/, '') === name)),
  ).toEqual([]);
});

/** Returns the names of the metrics of a query: words with an underscore that are no function, label or keyword. */
function metricsIn(query: string): string[] {
  const withoutLabels = query.replace(/\{[^}]*\}|\[[^\]]*\]|\bby \([^)]*\)|"[^"]*"/g, ' ');
  const words = withoutLabels.match(/[a-z][a-z0-9_]*_[a-z0-9_]+|\bup\b/g) ?? [];
  return words.filter((word) => !['histogram_quantile', 'clamp_min'].includes(word));
}
