import { execFileSync } from 'node:child_process';

/** Returns whether a program is installed. If it is not, says in one line which Debian package has it. */
export function isInstalled(program: string, debianPackage: string = program): boolean {
  try {
    execFileSync('sh', ['-c', 'command -v "$1"', 'sh', program], { stdio: 'ignore' });
    return true;
  } catch {
    process.stderr.write(`Skipped: ${program} is not installed (Debian: ${debianPackage}).\n`);
    return false;
  }
}
