import type { PreRegistration, PreRegistrationStatus } from '@firmdesk/contract';
import { useState } from 'react';
import { usePermission } from '../session/account.ts';
import { reportError } from '../shell/report-error.ts';
import { toast } from '../shell/toast.ts';
import { Badge, type Tone } from '../ui/badge.tsx';
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx';
import { MenuItem, MenuSeparator } from '../ui/overlays/menu.tsx';
import { RowMenu } from '../ui/overlays/row-menu.tsx';
import { Timestamp } from '../ui/time/timestamp.tsx';
import { useTableFocus } from '../ui/use-table-focus.ts';
import { preRegistrationStatusLabels, useResend, useRevoke } from './pre-registrations-query.ts';

const tones: Record<PreRegistrationStatus, Tone> = {
  pending: 'accent',
  claimed: 'success',
  revoked: 'danger',
  expired: 'neutral',
};

const head = 'px-3 py-2 text-left text-xs font-medium text-muted';
const cell = 'h-11 px-3 py-1 align-middle';

export function PreRegistrationsTable({ rows }: { rows: PreRegistration[] }) {
  const canManage = usePermission('manage_affiliates');
  const revoke = useRevoke();
  const resend = useResend();
  const focus = useTableFocus();
  const [toRevoke, setToRevoke] = useState<PreRegistration | null>(null);
  return (
    <div className="relative overflow-x-auto rounded-lg border border-line bg-surface">
      <table {...focus} className="w-full border-collapse">
        <caption className="sr-only">Pre-registrations, newest first</caption>
        <thead className="border-b border-line">
          <tr>
            <th scope="col" className={head}>
              Email
            </th>
            <th scope="col" className={`${head} max-sm:hidden`}>
              Code
            </th>
            <th scope="col" className={head}>
              Status
            </th>
            <th scope="col" className={`${head} max-lg:hidden`}>
              Source
            </th>
            <th scope="col" className={`${head} max-sm:hidden`}>
              Created
            </th>
            <th scope="col" className={`${head} max-sm:hidden`}>
              Expires
            </th>
            <th scope="col" className={head}>
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map((row) => (
            <tr key={row.id} className="hover:bg-hover">
              <th
                scope="row"
                className={`${cell} truncate text-left font-normal max-sm:w-full max-sm:max-w-0 sm:max-w-64`}
                title={row.email}
              >
                {row.email}
                <span className="block truncate font-mono text-xs text-muted sm:hidden">
                  {row.referral_code}
                </span>
              </th>
              <td className={`${cell} max-sm:hidden`}>
                <a
                  href={row.referral_url}
                  target="_blank"
                  rel="noopener noreferrer"
                  title={row.referral_url}
                  className="font-mono text-xs text-accent underline"
                >
                  {row.referral_code}
                </a>
              </td>
              <td className={cell}>
                <Badge tone={tones[row.status]}>{preRegistrationStatusLabels[row.status]}</Badge>
              </td>
              <td className={`${cell} text-muted max-lg:hidden`}>{row.source}</td>
              <td className={`${cell} text-muted max-sm:hidden`}>
                <Timestamp at={row.created_at} />
              </td>
              <td className={`${cell} text-muted max-sm:hidden`}>
                <ClaimedOrExpires row={row} />
              </td>
              <td className={`${cell} text-right`}>
                <RowMenu name={row.email}>
                  <MenuItem onSelect={() => void copyLink(row)}>Copy the referral link</MenuItem>
                  {canManage && row.status === 'pending' && (
                    <>
                      <MenuItem isDisabled={resend.isPending} onSelect={() => resend.mutate(row)}>
                        Send the mail again
                      </MenuItem>
                      <MenuSeparator />
                      <MenuItem isDanger onSelect={() => setToRevoke(row)}>
                        Revoke…
                      </MenuItem>
                    </>
                  )}
                </RowMenu>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {toRevoke && (
        <ConfirmDialog
          title="Revoke this pre-registration?"
          confirmLabel="Revoke"
          onClose={() => setToRevoke(null)}
          onConfirm={() => revoke.mutate(toRevoke)}
        >
          {toRevoke.email} can no longer claim the code {toRevoke.referral_code}. This can’t be undone.
        </ConfirmDialog>
      )}
    </div>
  );
}

async function copyLink({ referral_url }: PreRegistration): Promise<void> {
  try {
    await navigator.clipboard.writeText(referral_url);
    toast.success('Link copied');
  } catch (error) {
    reportError(error, 'Couldn’t copy the link');
  }
}

/** Shows when the code was claimed, or when the pre-registration expires. */
function ClaimedOrExpires({ row: { status, claimed_at, expires_at } }: { row: PreRegistration }) {
  if (claimed_at)
    return (
      <>
        Claimed <Timestamp at={claimed_at} />
      </>
    );
  if (status === 'revoked') return '—';
  return expires_at ? <Timestamp at={expires_at} /> : 'Never';
}
