import { AuditPage, FirmStreamEvent, ListAuditInput, StreamFirmInput } from '@firmdesk/contract';
import { streamTopic } from '../procedures/stream-topic.ts';
import { trackedStreamOf } from '../procedures/tracked-stream.ts';
import { adminProcedure, router } from '../procedures/trpc.ts';
import { listAudit } from './audit/list-audit.ts';
import { FIRM } from './firm-changes.ts';
import { firmInvitesRouter } from './invites/router.ts';
import { keysRouter } from './keys/router.ts';
import { membersRouter } from './members/router.ts';
import { tagsRouter } from './tags/router.ts';
import { teamsRouter } from './teams/router.ts';
import { webhooksRouter } from './webhooks/router.ts';

export const firmRouter = router({
  members: membersRouter,

  invites: firmInvitesRouter,

  teams: teamsRouter,

  tags: tagsRouter,

  keys: keysRouter,

  webhooks: webhooksRouter,

  audit: router({
    list: adminProcedure({
      tag: 'Firm',
      scope: 'admin:read',
      permissions: ['view_audit'],
      summary: 'List the changes in the firm’s audit log',
      input: ListAuditInput,
      output: AuditPage,
    }).query(({ ctx, input }) => listAudit(ctx, input)),
  }),

  live: adminProcedure({
    tag: 'Firm',
    scope: 'admin:read',
    permissions: [],
    summary: 'Follow changes of the firm’s settings',
    input: StreamFirmInput,
    output: trackedStreamOf(FirmStreamEvent),
  }).subscription(({ ctx, input, signal }) =>
    streamTopic<FirmStreamEvent>(ctx, { subject: FIRM }, input, signal!),
  ),
});
