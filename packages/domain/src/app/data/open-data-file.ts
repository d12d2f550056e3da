import type { Readable } from 'node:stream';
import { recordAudit } from '../../access/audit/audit.ts';
import { heldBy } from '../../firm/members/ensure-held.ts';
import { withTransaction } from '../../platform/database/transaction.ts';
import { ApiError } from '../../platform/process/errors.ts';
import type { Services } from '../../platform/services.ts';
import { authorize } from '../../procedures/authorize.ts';
import type { Call } from '../../procedures/call.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import type { Access } from '../../procedures/spec.ts';
import { fileKey } from './data-files.ts';
import { DataRequestRow } from './data-request.entity.ts';
import { permissionsFor } from './data-requests.ts';

const access = {
  level: 'admin',
  scope: 'admin:read',
  permissions: [],
  liveOnly: true,
  fresh: true,
} as const satisfies Access;

export interface DataFile {
  name: string;
  type: string;
  size: number;
  /** Records in the audit log that the file is read. Throws `resource_not_found` if it is gone. */
  read(): Promise<Readable>;
}

/** Authorizes a call that downloads the file of an export, for whoever may ask for it. Throws `resource_not_found` for others. */
export async function openDataFile(services: Services, call: Call, id: string): Promise<DataFile> {
  const ctx = (await authorize({ access, requestHeaders: [] }, services, call)) as AccountContext;
  const { workspace, em } = ctx;
  const request = await em.findOne(DataRequestRow, { workspaceId: workspace.id, id });
  if (!request?.size) throw new ApiError('resource_not_found');
  const { size, createdAt } = request;
  const personId = request.personId ?? null;
  const permissions = await permissionsFor(ctx, request, ctx.identity.user.id);
  const held = await heldBy(ctx);
  // As if there were none: the answer does not tell who asked for the data of whom.
  if (!permissions.every((permission) => held.includes(permission))) throw new ApiError('resource_not_found');
  const day = createdAt.toISOString().slice(0, 10);
  return {
    name: personId === null ? `${workspace.slug}-${day}.json` : `${personId}-${day}.ndjson`,
    type: personId === null ? 'application/json' : 'application/x-ndjson',
    size,
    async read() {
      const content = await services.objects.read(fileKey(workspace.id, id));
      if (!content) throw new ApiError('resource_not_found');
      const actor = { kind: 'account', id: ctx.identity.user.id } as const;
      await withTransaction(services, (tx) =>
        recordAudit({ ...tx, actor, network: ctx.network }, workspace.id, {
          action: personId === null ? 'firm.export_downloaded' : 'user.export_downloaded',
          target: personId === null ? { type: 'firm', id: workspace.slug } : { type: 'user', id: personId },
        }),
      );
      return content;
    },
  };
}
