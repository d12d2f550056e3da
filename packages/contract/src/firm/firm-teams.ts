import * as z from 'zod';
import { VisibleLine } from '../values/fields.ts';
import { IntegerId, idOf } from '../values/ids.ts';
import { MAX_TEAM_NAME } from '../values/limits.ts';

/** A team of the firm. `open_tickets`: those that are not ended, counted up to a bound. `macros` and `views` are only for it. */
export const FirmTeam = z.object({
  object: z.literal('firm_team'),
  id: z.int(),
  name: z.string(),
  members: z.array(z.object({ id: idOf('user'), name: z.string() })),
  open_tickets: z.int(),
  macros: z.int(),
  views: z.int(),
});
export type FirmTeam = z.infer<typeof FirmTeam>;

/** Sorted by name. */
export const FirmTeams = z.object({ data: z.array(FirmTeam) });

const TeamName = VisibleLine.max(MAX_TEAM_NAME);
const members = z.array(idOf('user')).max(500);

export const CreateTeamInput = z.object({ name: TeamName, members: members.default([]) });

/** `members` replaces those of the team. What is left out stays. */
export const UpdateTeamInput = z.object({
  id: IntegerId,
  name: TeamName.optional(),
  members: members.optional(),
});

/** `reassign_to`: the team that gets the tickets that are not ended, and the macros; null for none. */
export const DeleteTeamInput = z.object({ id: IntegerId, reassign_to: IntegerId.nullable() });

/** `bulk_change`: the change that assigns the tickets in the background; null if there is none. */
export const TeamDeleted = z.object({
  object: z.literal('team_deleted'),
  id: z.int(),
  bulk_change: idOf('bulkChange').nullable(),
});
