import {
  type PreRegistration,
  type PreRegistrationStatus,
  preRegistrationStatuses,
} from '@firmdesk/contract';
import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query';
import { client, trpc } from '../api.ts';
import { type ListPage, pagedQuery } from '../paged-query.ts';
import { reportError } from '../shell/report-error.ts';
import { toast } from '../shell/toast.ts';

const PAGE = 50;

interface Filters {
  status?: PreRegistrationStatus;
  /** Words of the address or the code. */
  q?: string;
}

export const preRegistrationStatusLabels: Record<PreRegistrationStatus, string> = {
  pending: 'Pending',
  claimed: 'Claimed',
  revoked: 'Revoked',
  expired: 'Expired',
};

/** Returns the filters of the URL, without values that the service would reject. */
export function filtersOf({ status, q }: { status?: string | undefined; q?: string | undefined }): Filters {
  const known = preRegistrationStatuses.find((each) => each === status);
  return { ...(known && { status: known }), ...(q && { q }) };
}

/** The firm's pre-registrations, newest first. */
export const preRegistrationsQuery = (filters: Filters) =>
  pagedQuery([...trpc.affiliates.admin.list.pathKey(), filters], (from, options) =>
    client.affiliates.admin.list.query({ ...filters, limit: PAGE, ...from }, options),
  );

/** Revokes a pre-registration. Updates the lists optimistically and rolls back on failure. */
export function useRevoke() {
  const queries = useQueryClient();
  const lists = trpc.affiliates.admin.list.pathFilter();
  type Lists = InfiniteData<ListPage<PreRegistration>>;
  return useMutation({
    mutationFn: ({ id }: PreRegistration) => client.affiliates.admin.revoke.mutate({ id }),
    async onMutate({ id }) {
      await queries.cancelQueries(lists);
      const before = queries.getQueriesData<Lists>(lists);
      const revoked = (row: PreRegistration): PreRegistration =>
        row.id === id ? { ...row, status: 'revoked' } : row;
      queries.setQueriesData<Lists>(
        lists,
        (list) =>
          list && { ...list, pages: list.pages.map((page) => ({ ...page, data: page.data.map(revoked) })) },
      );
      return before;
    },
    onError(error, { email }, before) {
      for (const [key, data] of before ?? []) queries.setQueryData(key, data);
      reportError(error, `Couldn’t revoke the pre-registration of ${email}`);
    },
    onSettled: () => queries.invalidateQueries(lists),
  });
}

/** Sends the mail about a pre-registration again. */
export function useResend() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: PreRegistration) => client.affiliates.admin.resend.mutate({ id }),
    onSuccess: ({ email }) => toast.success(`The mail to ${email} is sent again`),
    onError: (error, { email }) => reportError(error, `Couldn’t send the mail to ${email} again`),
    onSettled: () => queries.invalidateQueries(trpc.affiliates.admin.list.pathFilter()),
  });
}
