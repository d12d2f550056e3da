import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findBrowser } from './find-browser.ts';

const BUILD = new URL('../../apps/console/build.ts', import.meta.url).pathname;

/** Builds the console if its sources have changed. */
export default async function setup(): Promise<void> {
  if (findBrowser()) await promisify(execFile)(process.execPath, [BUILD]);
}
