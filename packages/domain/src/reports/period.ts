import type { RawBuilder } from 'kysely';

/** A firm's days and those before, and the conditions on counted rows and on tickets for the team. */
export interface Period {
  workspaceId: number;
  from: string;
  until: string;
  previousFrom: string;
  previousUntil: string;
  ofTeam: RawBuilder<unknown>;
  ofTickets: RawBuilder<unknown>;
}
