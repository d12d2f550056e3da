import type { AssistantGuideSettings, SlaPolicySettings } from '@firmdesk/contract';
import { defineEntity, p } from '@mikro-orm/core';

/** A firm, the reserved workspace `platform` of the service's own staff, or the sandbox of either. */
export const WorkspaceSchema = defineEntity({
  name: 'Workspace',
  tableName: 'workspaces',
  properties: {
    id: p.integer().primary(),
    slug: p.text(),
    name: p.text(),
    /** The workspace of which this is the sandbox; null for a firm and for `platform`. */
    sandboxOf: p.integer().nullable(),
    /** Of mail to people without an account, and of accounts that join with an invite. */
    language: p.text().default('en'),
    timezone: p.text().default('UTC'),
    /** For how many days the audit trail is kept; null for the default. */
    auditDays: p.integer().nullable(),
    /** A picture as a `data:` URL, and its hash (`logo.ts`); null without one. */
    logo: p.text().nullable().lazy(),
    logoHash: p.text().nullable(),
    pushContent: p.text().$type<'full' | 'none'>().default('full'),
    assistantEnabledForTeam: p.boolean().default(true),
    assistantMonthlyAllowance: p.integer().default(1000),
    /** The SLA policy; null if the firm has set none. */
    slaPolicy: p.json().$type<SlaPolicySettings>().nullable(),
    /** The firm's wordings of mail, by kind and language (`templates/mail-templates.ts`). */
    mailTemplates: p
      .json()
      .$type<Record<string, unknown>>()
      .default('{}')
      // Instead of the default, which a new entity would take for a text.
      .onCreate(() => ({}))
      .lazy(),
    /** Tone, rules, languages and hand-over of the assistant; null if the firm has set none. */
    assistantGuide: p.json().$type<AssistantGuideSettings>().nullable().lazy(),
    /** Whether traders are asked how satisfied they were. */
    asksSatisfaction: p.boolean().default(false),
    /** How many bytes the files may take; null without a limit. */
    storageLimit: p.bigint('number').nullable(),
    /** The last share of it, in percent, of which the firm was told; 0 while the files take less. */
    storageWarned: p.smallint().default(0),
    /** What a change of a ticket must start (`tickets/automation`); null for nothing. */
    ticketAutomation: p.json().$type<Record<string, unknown>>().nullable().lazy(),
    createdAt: p.datetime(3),
    /** Since when the calls, streams, jobs and pushes of the firm wait; null while it is served. */
    suspendedAt: p.datetime(3).nullable(),
    /** When the firm is deleted, and the account that has asked for it; null while it is not to be deleted. */
    deletionDueAt: p.datetime(3).nullable(),
    deletionRequestedBy: p.text().nullable(),
    /** Since when the firm is being deleted. */
    deletionStartedAt: p.datetime(3).nullable(),
  },
});

export class Workspace extends WorkspaceSchema.class {}
WorkspaceSchema.setClass(Workspace);
