import { attachmentPath } from '@firmdesk/contract';
import { deleteFirm, retentions, type Services, suspendFirm, withTransaction } from '@firmdesk/domain';
import { expect } from 'vitest';
import type { Firm } from '../cases/actors.ts';
import { createUser, type TestUser } from '../data/accounts.ts';
import { createTicket } from '../data/tickets.ts';
import type { TestGateway } from './test-gateway.ts';
import { createUserWithToken, type UserWithToken } from './user-with-token.ts';

/** The beginning of an image, which is enough for its type. */
export const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
export const PDF = Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj\n');

export interface AttachmentFixture {
  agent: UserWithToken;
  colleague: UserWithToken;
  trader: TestUser;
  ticket: string;
}

/** Creates a firm with two agents, and a trader with a ticket. */
export async function createAttachmentFixture(gateway: TestGateway): Promise<AttachmentFixture> {
  const permissions = ['view_tickets', 'manage_tickets'] as const;
  const agent = await createUserWithToken(gateway, { permissions: [...permissions] });
  const { firm } = agent;
  const colleague = await createUserWithToken(gateway, { firm, permissions: [...permissions] });
  const trader = await createUser(gateway.services, { firm, role: 'trader' });
  const messages = [{ body: 'Where is it?' }];
  return {
    agent,
    colleague,
    trader,
    ticket: await createTicket(gateway.services, { firm, trader, messages }),
  };
}

/** Calls `/attachments` for a file, which can be followed by a query. */
export function callAttachment(
  { url }: Pick<TestGateway, 'url'>,
  method: string,
  id: string,
  { token, firm }: Pick<UserWithToken, 'token' | 'firm'>,
  init: RequestInit = {},
): Promise<Response> {
  return fetch(`${url}${attachmentPath(firm.slug, id)}`, {
    method,
    ...init,
    headers: { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) },
  });
}

/** Returns functions that announce, send and read files of the current ticket, by default as the current agent. */
export function attachmentCalls(
  gateway: TestGateway,
  current: () => Pick<AttachmentFixture, 'agent' | 'ticket'>,
) {
  const rpc = (name: string, body: object, { token } = current().agent) =>
    gateway.rpc(name, { token, body: body as Record<string, unknown> });
  const announce = async (
    size: number,
    { name = 'payout.png', ticket = current().ticket, by = current().agent } = {},
  ): Promise<string> => {
    const answer = await rpc('attachments.create', { ticket, name, size }, by);
    expect(answer.code).toBe(null);
    return answer.data.id;
  };
  const call = (method: string, id: string, by = current().agent, init: RequestInit = {}) =>
    callAttachment(gateway, method, id, by, init);
  const put = (id: string, content: Buffer, by = current().agent) =>
    call('PUT', id, by, { body: new Uint8Array(content) });
  return {
    rpc,
    announce,
    call,
    put,
    /** Announces and sends a file. Returns its id. */
    async upload(content = PNG, name = 'payout.png'): Promise<string> {
      const id = await announce(content.length, { name });
      expect((await put(id, content)).status).toBe(204);
      return id;
    },
  };
}

export async function errorCodeOf(answer: Response): Promise<string> {
  return ((await answer.json()) as { error: { code: string } }).error.code;
}

/** Returns whether the object store has a content. */
export async function isStored({ objects }: Services, key: string): Promise<boolean> {
  const content = await objects.read(key);
  content?.destroy();
  return content !== null;
}

/** Deletes all rows of a kind that are due, in small batches. */
export async function pruneKind(services: Services, kind: string): Promise<void> {
  const { prune, keptMs } = retentions.find((each) => each.kind === kind)!;
  const before = new Date(services.clock.now().getTime() - keptMs);
  while ((await prune(services, before, 2)) > 0);
}

export async function suspendAndDeleteFirm(services: Services, { slug }: Firm): Promise<void> {
  const actor = { kind: 'operator', id: 'test' } as const;
  await withTransaction(services, (ctx) => suspendFirm({ ...ctx, actor }, slug));
  await deleteFirm(services, slug, { actor });
}
