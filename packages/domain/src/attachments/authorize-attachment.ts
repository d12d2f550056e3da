import { recordStaffRead } from '../access/audit/record-staff-read.ts';
import type { Services } from '../platform/services.ts';
import { authorize } from '../procedures/authorize.ts';
import type { Call } from '../procedures/call.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import type { Access } from '../procedures/spec.ts';

/** The access to the content of a file. No procedure sends or receives it, because it is streamed. */
const access = {
  upload: { level: 'admin', scope: 'admin:write', permissions: ['view_tickets', 'manage_tickets'] },
  read: { level: 'admin', scope: 'admin:read', permissions: ['view_tickets'] },
  // As `mail.createAttachment`: the account that has announced the file.
  uploadMail: { level: 'account', scope: 'mail:write' },
  // As `mail.get`: the mailbox decides.
  readMail: { level: 'account', scope: 'mail:read' },
} as const satisfies Record<string, Access>;

/**
 * Authorizes a call that sends or reads a content, like the call of a procedure. Returns the context of its operation. A call that is authorized again
 * counts once.
 */
export async function authorizeAttachment(
  use: keyof typeof access,
  services: Services,
  call: Call,
  { isAgain = false } = {},
): Promise<AccountContext> {
  const spec = { access: access[use], requestHeaders: [] };
  const ctx = (await authorize(spec, services, call, { isAgain })) as AccountContext;
  if (use === 'read' && !isAgain) await recordStaffRead(services, { ...ctx, procedure: call.procedure });
  return ctx;
}
