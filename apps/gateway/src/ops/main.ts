import { keepCompiled } from '../keep-compiled.ts';

keepCompiled();

const { run } = await import('./run.ts');
await run(process.env);
