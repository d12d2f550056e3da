import {
  CreateTeamInput,
  DeleteTeamInput,
  FirmTeam,
  FirmTeams,
  TeamDeleted,
  UpdateTeamInput,
} from '@firmdesk/contract';
import { adminProcedure, NoInput, router } from '../../procedures/trpc.ts';
import { createTeam, deleteTeam, findTicketsOfTeam, updateTeam } from './change-teams.ts';
import { listTeams } from './list-teams.ts';

const access = { tag: 'Firm', permissions: ['manage_settings'] } as const;
const managing = { ...access, scope: 'admin:write' } as const;

export const teamsRouter = router({
  list: adminProcedure({
    ...access,
    scope: 'admin:read',
    summary: 'List the firm’s teams, with what belongs to each',
    input: NoInput,
    output: FirmTeams,
  }).query(async ({ ctx }) => ({ data: await listTeams(ctx) })),

  create: adminProcedure({
    ...managing,
    summary: 'Create a team',
    status: [201],
    input: CreateTeamInput,
    output: FirmTeam,
  }).mutation(({ ctx, input }) => createTeam(ctx, input)),

  update: adminProcedure({
    ...managing,
    summary: 'Rename a team, and replace its members',
    errors: ['resource_not_found'],
    input: UpdateTeamInput,
    output: FirmTeam,
  }).mutation(({ ctx, input }) => updateTeam(ctx, input)),

  delete: adminProcedure({
    ...managing,
    summary: 'Delete a team; its open tickets and macros go to another team',
    errors: ['resource_not_found', 'rate_limited'],
    input: DeleteTeamInput,
    output: TeamDeleted,
    prepare: findTicketsOfTeam,
  }).mutation(({ ctx, input }) => deleteTeam(ctx, input, ctx.prepared)),
});
