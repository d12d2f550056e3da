import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { MacroFile, permissions, scopes } from '@firmdesk/contract';
import { issueKey, type Services, withTransaction } from '@firmdesk/domain';
import { UUID_FUNCTION } from '@firmdesk/gateway/testing';
import { DEMO_EMAIL } from '@firmdesk/seed/demo-account';
import { createTicket, createToken, createUser, createWorkspace } from '@firmdesk/testing';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Block, blocksOf, normalizeOutput, patternOf } from './blocks.ts';
import { type DemoGateway, openDemo } from './demo.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TIMEOUT_MS = 240_000;
const execute = promisify(execFile);

async function filesIn(folder: string, pattern: RegExp): Promise<string[]> {
  const names = await readdir(join(ROOT, folder), { recursive: true });
  return names
    .filter((name) => pattern.test(name) && !name.includes('node_modules'))
    .map((name) => join(folder, name))
    .sort();
}

const pages = [
  'README.md',
  ...(await filesIn('packages', /^[^/]+\/README\.md$/)),
  ...(await filesIn('apps/gateway/guides', /\.md$/)),
  ...(await filesIn('docs', /\.md$/)),
];
const blocks = (await Promise.all(pages.map(blocksOf))).flat();
const marked = (language: string, mark: RegExp) =>
  blocks.filter((block) => block.language === language && mark.test(block.mark));

let demo: DemoGateway;
let env: Record<string, string>;
/** The environment of the packages’ pages: a firm with one waiting ticket. */
let smallFirm: Record<string, string>;
beforeAll(async () => {
  demo = await openDemo(inject('postgresUrl'), { rateLimitPerMinute: 6000 });
  const testKey = { email: DEMO_EMAIL, workspace: 'northgate', scopes, environment: 'test' } as const;
  const { text: testToken } = await withTransaction(demo.services, (ctx) => issueKey(ctx, testKey));
  env = {
    PATH: process.env['PATH']!,
    URL: demo.url,
    TOKEN: demo.token,
    TEST_TOKEN: testToken,
    NO_COLOR: '1',
  };
  smallFirm = { ...env, TOKEN: await tokenOfSmallFirm(demo.services) };
});
afterAll(() => demo[Symbol.asyncDispose]());

async function tokenOfSmallFirm(services: Services): Promise<string> {
  const firm = await createWorkspace(services);
  const user = await createUser(services, { firm, permissions: [...permissions] });
  const trader = await createUser(services, { firm, role: 'trader' });
  await createTicket(services, { firm, trader, status: 'awaiting_admin' });
  return (await createToken(services, { user, workspace: firm.slug })).text;
}

test('every block has a mark that says how it is tested', () => {
  const known =
    /^(?:(?:console|sh|ts) run|ts run exact|sh scripts|(?:sh|ini) test=\S+|sh in=CONTRIBUTING\.md|sh (?:registry|tarballs)|(?:sh|text) quickstart.*|json (?:payload=\S+|macros|sent|received)|text )$/;
  const unknown = blocks.filter(({ language, mark }) => !known.test(`${language} ${mark}`));
  expect(unknown.map(({ at, language, mark }) => `${at} ${language} ${mark}`)).toEqual([]);
  expect(marked('console', /^run$/).length).toBeGreaterThan(5);
  expect(marked('ts', /^run$/).length).toBeGreaterThan(3);
});

test.each(marked('json', /^macros$/))('$at is a file of macros', ({ code }) => {
  const file: unknown = JSON.parse(code);
  expect(MacroFile.parse(file)).toEqual(file);
});

/** Returns the commands of a `sh` block, without their comments. */
const linesOf = ({ code }: Pick<Block, 'code'>) =>
  code
    .split('\n')
    .map((line) => line.replace(/ +#.*$/, ''))
    .filter(Boolean);

test.each(marked('sh', /^in=/))(
  '$at contains only commands that the tests of the named page run',
  async (block) => {
    const others = await blocksOf(block.mark.replace('in=', ''));
    const run = others.filter(({ language, mark }) => `${language} ${mark}` === 'sh run').flatMap(linesOf);
    expect(run).toEqual(expect.arrayContaining(linesOf(block)));
  },
);

test.each(blocks.filter(({ mark }) => mark.startsWith('test=')))(
  '$at contains only programs and settings that the named test uses',
  async (block) => {
    const code = await readFile(join(ROOT, block.mark.replace('test=', '')), 'utf8');
    const words = linesOf(block).flatMap((line) => /^[a-z][\w-]*/.exec(line) ?? []);
    expect(words.filter((word) => !code.includes(word))).toEqual([]);
  },
);

const OPS = join(ROOT, 'apps/gateway/src/ops/main.ts');

test.each(marked('sh', /^scripts$/))(
  '$at names existing scripts, commands and options',
  { timeout: TIMEOUT_MS },
  async (block) => {
    const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    for (const line of linesOf(block)) {
      const [, script, rest] = /^(?:npx --yes pnpm@12|pnpm) ([\w:-]+)(.*)/.exec(line)!;
      expect(Object.keys(scripts), line).toContain(script);
      if (script !== 'ops') continue;
      const words = rest!.trim().split(' ');
      const command = words.slice(0, ['token', 'firm', 'user', 'audit'].includes(words[0]!) ? 2 : 1);
      const { stdout } = await execute(process.execPath, [OPS, ...command, '--help'], { env });
      expect(stdout).toContain(`Usage: ops ${command.join(' ')}`);
      for (const [option] of rest!.matchAll(/ --[a-z-]+/g)) expect(stdout, line).toContain(option);
    }
  },
);

/** Returns the commands of a console block, each with its expected output. */
function commandsOf({ code }: Block): { command: string; printed: string }[] {
  const local = code.replaceAll('http://127.0.0.1:4000', '$URL');
  return (
    local
      .split(/^\$ /m)
      .filter(Boolean)
      .map((part) => {
        const [command] = /^(?:.*\\\n)*.*\n?/.exec(part)!;
        return { command, printed: part.slice(command.length) };
      })
      // The token is already in the environment.
      .filter(({ command }) => !/^TOKEN=/.test(command))
  );
}

describe('in a shell', () => {
  /** Without the startup files of the machine's shells. */
  const PLAIN = ['--noprofile', '--norc'];
  const BORDER = '—— next ——';

  test.each(marked('console', /^run$/))('$at prints the documented output', async (block) => {
    const commands = commandsOf(block);
    const steps = commands.map(({ command }) => `${command}\necho; echo '${BORDER}'\n`).join('');
    // Each guide begins with the definition of this function.
    const script = `${UUID_FUNCTION}\n${steps}`;
    const { stdout } = await execute('bash', [...PLAIN, '-c', script], { env });
    const printed = stdout.split(BORDER);
    for (const [index, { command, printed: expected }] of commands.entries()) {
      expect(normalizeOutput(printed[index]!), `${command}\n${printed[index]}`).toMatch(patternOf(expected));
    }
  });

  test.each(marked('sh', /^run$/))('$at exits without an error', async ({ code }) => {
    const { stderr } = await execute('bash', [...PLAIN, '-e', '-c', code], { env, timeout: 60_000 });
    expect(stderr).toBe('');
  });
});

const isOfPackage = ({ at }: Block) => at.startsWith('packages/');

/** Adds the URL and token that the packages’ pages leave to the reader. */
function programOf(block: Block): string {
  const given = "const [url, token] = [process.env['URL']!, process.env['TOKEN']!];\n";
  return isOfPackage(block) && /\surl,\s+token[,\s]/.test(block.code) ? given + block.code : block.code;
}

describe('in TypeScript', () => {
  const snippets = marked('ts', /^run( exact)?$/);
  let folder: string;
  const fileOf = (block: Block) => join(folder, `${snippets.indexOf(block)}.ts`);
  beforeAll(async () => {
    // Inside the repository, so that its packages resolve.
    folder = await mkdtemp(fileURLToPath(new URL('snippets-', import.meta.url)));
    for (const block of snippets) await writeFile(fileOf(block), programOf(block));
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: join(ROOT, 'tsconfig.json'),
        compilerOptions: { lib: ['es2024', 'esnext.disposable', 'dom'] },
        include: ['*.ts'],
      }),
    );
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('every snippet type-checks', { timeout: TIMEOUT_MS }, async () => {
    const { stdout } = await execute(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder], { env }).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toBe('');
  });

  test.each(snippets)('$at prints the documented output', { timeout: TIMEOUT_MS }, async (block) => {
    const { stdout } = await execute(process.execPath, [fileOf(block)], {
      env: isOfPackage(block) ? smallFirm : env,
      timeout: TIMEOUT_MS,
    });
    const promised = [...block.code.matchAll(/^ *\/\/ → (.*)$/gm)].map(([, line]) => line);
    if (block.mark === 'run exact') expect(stdout.trim().split('\n')).toEqual(promised);
    else expect(normalizeOutput(stdout)).toMatch(patternOf(promised.join('\n')));
  });
});
