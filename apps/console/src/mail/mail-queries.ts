import type { Folder } from '@firmdesk/contract';
import { client, trpc } from '../api.ts';
import { pagedQuery } from '../paged-query.ts';

const PAGE = 50;

/** Access to a mailbox can be given and taken without an event. */
const ACCESS_MS = 60_000;

export const mailboxesQuery = () =>
  trpc.mail.mailboxes.queryOptions(undefined, { refetchInterval: ACCESS_MS });

/** The messages of a folder, newest first. */
export const messagesQuery = (address_id: number, folder: Folder) =>
  pagedQuery([...trpc.mail.list.pathKey(), { address_id, folder }], (from, options) =>
    client.mail.list.query({ address_id, folder, limit: PAGE, ...from }, options),
  );
