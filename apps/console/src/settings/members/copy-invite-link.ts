import type { Invite } from '@firmdesk/contract';
import { client } from '../../api.ts';
import { reportError } from '../../shell/report-error.ts';
import { toast } from '../../shell/toast.ts';

/** Copies the link of an invite, which only the invited person should get. */
export async function copyInviteLink({ id, email }: Invite): Promise<void> {
  try {
    const { url } = await client.firm.invites.link.query({ id });
    await navigator.clipboard.writeText(url);
    toast.success(`Link for ${email} copied`);
  } catch (error) {
    reportError(error, 'Couldn’t copy the link');
  }
}
