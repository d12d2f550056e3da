import type { RawBuilder } from 'kysely';

/** A firm's days and those before, and the conditions for the team: on counted rows, on those of each team, and on tickets. */
export interface Period {
  workspaceId: number;
  from: string;
  until: string;
  previousFrom: string;
  previousUntil: string;
  ofTeam: RawBuilder<unknown>;
  eachTeam: RawBuilder<unknown>;
  ofTickets: RawBuilder<unknown>;
}
