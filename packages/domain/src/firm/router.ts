import {
  AuditPage,
  FirmSettings,
  FirmSetup,
  FirmStreamEvent,
  ListAuditInput,
  MAX_AVATAR_URL,
  SetFirmSettingsInput,
  StreamFirmInput,
} from '@firmdesk/contract';
import { FIRM } from '../access/workspaces/publish-change.ts';
import { streamTopic } from '../procedures/stream-topic.ts';
import { trackedStreamOf } from '../procedures/tracked-stream.ts';
import { adminProcedure, NoInput, router } from '../procedures/trpc.ts';
import { listAudit } from './audit/list-audit.ts';
import { firmInvitesRouter } from './invites/router.ts';
import { keysRouter } from './keys/router.ts';
import { mailboxesRouter } from './mailboxes/router.ts';
import { membersRouter } from './members/router.ts';
import { getFirmSettings, prepareLogo, setFirmSettings } from './settings.ts';
import { getFirmSetup } from './setup.ts';
import { tagsRouter } from './tags/router.ts';
import { teamsRouter } from './teams/router.ts';
import { webhooksRouter } from './webhooks/router.ts';

/** A logo, and the other settings. */
const SETTINGS_BODY_LIMIT = MAX_AVATAR_URL + 65_536;

export const firmRouter = router({
  settings: router({
    get: adminProcedure({
      tag: 'Firm',
      scope: 'admin:read',
      permissions: ['manage_settings'],
      liveOnly: true,
      summary: 'Get the general settings of the firm',
      input: NoInput,
      output: FirmSettings,
    }).query(({ ctx }) => getFirmSettings(ctx)),

    set: adminProcedure({
      tag: 'Firm',
      scope: 'admin:write',
      permissions: ['manage_settings'],
      liveOnly: true,
      summary: 'Change the general settings of the firm',
      largeBody: { limit: SETTINGS_BODY_LIMIT, maxConcurrent: 2 },
      input: SetFirmSettingsInput,
      output: FirmSettings,
      prepare: prepareLogo,
    }).mutation(({ ctx, input }) => setFirmSettings(ctx, input, ctx.prepared)),
  }),

  setup: adminProcedure({
    tag: 'Firm',
    scope: 'admin:read',
    permissions: ['manage_settings'],
    liveOnly: true,
    summary: 'Get what a new firm has set up',
    input: NoInput,
    output: FirmSetup,
  }).query(({ ctx }) => getFirmSetup(ctx)),

  members: membersRouter,

  invites: firmInvitesRouter,

  teams: teamsRouter,

  tags: tagsRouter,

  mailboxes: mailboxesRouter,

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
