import type { AttachmentType } from '@firmdesk/contract';
import { imageType } from '../access/accounts/image-type.ts';

/** The number of bytes that {@link fileType} and {@link isProgram} need at most. */
export const HEAD_BYTES = 4_096;

/** Returns the type of a file by its first bytes. Browsers show nothing of `application/octet-stream`; SVG can contain scripts. */
export function fileType(content: Uint8Array): AttachmentType {
  const head = headOf(content);
  if (head.subarray(0, 5).equals(Buffer.from('%PDF-'))) return 'application/pdf';
  const type = imageType(head);
  return type === null || type === 'image/svg+xml' ? 'application/octet-stream' : type;
}

/** What programs begin with, as hexadecimal digits. */
const PROGRAMS = [
  // Windows, Linux, shortcuts of Windows.
  /^4d5a|^7f454c46|^4c00000001140200/,
  // macOS, for one processor and for several; the last one is also that of Java.
  /^feedfac[ef]|^c[ef]faedfe|^cafebabe/,
  // A script that names its interpreter, also after a byte order mark.
  /^(efbbbf)?2321/,
  // WebAssembly, Android, packages of Debian and of Red Hat.
  /^0061736d|^6465780a|^213c617263683e0a|^edabeedb/,
];

/** Returns whether a file is a program by its first bytes, whatever its name says. */
export function isProgram(content: Uint8Array): boolean {
  const head = headOf(content).toString('hex', 0, 12);
  return PROGRAMS.some((signature) => signature.test(head));
}

function headOf(content: Uint8Array): Buffer {
  return Buffer.from(content.subarray(0, HEAD_BYTES));
}
