/** PostgreSQL could not be installed, started or reached. The message has the reason and the program's last output. */
export class PostgresLaunchError extends Error {
  override readonly name = 'PostgresLaunchError';

  constructor(message: string, output = '') {
    const full = /No space left|could not extend file|could not write .*: wrote only/.test(output);
    const headline = full ? `${message} The disk is full.` : message;
    const tail = output.trimEnd().split('\n').slice(-20).join('\n').slice(-4000);
    super(tail === '' ? headline : `${headline}\n${tail}`);
  }
}

/** Returns the system error code (`ENOENT`) or SQLSTATE (`57P03`) of a thrown value, or ''. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
