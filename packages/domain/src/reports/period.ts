import type { RawBuilder } from 'kysely';
import type { OperationContext } from '../platform/database/context.ts';

/** The context of a report: that of a call, or of a job. */
export interface FirmContext extends OperationContext {
  workspace: { id: number };
}

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
