import type { Folder } from '@firmdesk/contract';
import { client, trpc } from '../api.ts';
import { pagedQuery } from '../paged-query.ts';

const PAGE = 50;

/** Access to a mailbox can be given and taken without an event. */
const ACCESS_MS = 60_000;

export const mailboxesQuery = () =>
  trpc.mail.mailboxes.queryOptions(undefined, { refetchInterval: ACCESS_MS });

/** The messages of a folder, newest first. */
export const messagesQuery = (address_id: number, folder: Folder) => listQuery({ address_id, folder });

/** The messages of all folders and mailboxes that match a search, newest first. */
export const foundQuery = (q: string) => listQuery({ q });

function listQuery(input: { address_id: number; folder: Folder } | { q: string }) {
  return pagedQuery([...trpc.mail.list.pathKey(), input], (from, options) =>
    client.mail.list.query({ ...input, limit: PAGE, ...from }, options),
  );
}
