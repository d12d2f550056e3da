import { expect } from 'vitest';
import type { Firm } from '../cases/actors.ts';
import type { RpcAnswer, TestGateway } from './test-gateway.ts';

/** Returns functions that call the procedures of tickets, by default with the current result of `token`. */
export function ticketCalls(gateway: Pick<TestGateway, 'rpc'>, token: () => string) {
  const rpc = (name: string, body: object = {}, as = token()): Promise<RpcAnswer> =>
    gateway.rpc(`tickets.${name}`, { token: as, body });
  const call = async (name: string, body: object = {}, as = token()) => {
    const answer = await rpc(name, body, as);
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.data;
  };
  return {
    rpc,
    call,
    get: (ticket: string) => call('get', { ticket }),
    /** Returns the error code of a call, or null if it succeeds. */
    codeOf: async (name: string, body: object) => (await rpc(name, body)).code,
    /** Returns the texts of the conversation, oldest first. */
    async bodiesOf(ticket: string): Promise<string[]> {
      const { data } = await call('messages', { ticket });
      return data.map(({ body }: { body: string }) => body).reverse();
    },
  };
}

/** Returns the notifications of the firm's accounts, oldest first. */
export async function notificationsOf({ services }: Pick<TestGateway, 'services'>, firm: Firm) {
  const { rows } = await services.pool.query<{ user_id: string; title: string }>(
    'select user_id, title from notifications where workspace_id = $1 order by created_at, user_id',
    [firm.id],
  );
  return rows;
}
