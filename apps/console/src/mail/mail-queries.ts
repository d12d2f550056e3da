import type { Folder } from '@firmdesk/contract';
import { client, trpc } from '../api.ts';
import { pagedQuery } from '../paged-query.ts';

const PAGE = 50;

/** Mail has no live updates, so it is polled at this interval. */
export const POLL_MS = 60_000;

export const mailboxesQuery = () => trpc.mail.mailboxes.queryOptions(undefined, { refetchInterval: POLL_MS });

/** The messages of a folder, newest first. */
export const messagesQuery = (address_id: number, folder: Folder) => ({
  ...pagedQuery([...trpc.mail.list.pathKey(), { address_id, folder }], (from, options) =>
    client.mail.list.query({ address_id, folder, limit: PAGE, ...from }, options),
  ),
  refetchInterval: POLL_MS,
});
