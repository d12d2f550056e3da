import type { PreRegistrationStatus } from '@firmdesk/contract';
import { defineEntity, p } from '@mikro-orm/core';
import { Workspace } from '../access/workspaces/workspace.entity.ts';

/** Reserves a referral code for an affiliate (contract §2.7). `pending` past `expiresAt` counts as `expired`. */
export const PreRegistrationSchema = defineEntity({
  name: 'PreRegistration',
  tableName: 'affiliate_pre_registrations',
  properties: {
    workspaceId: p.manyToOne(Workspace).mapToPk().primary().fieldName('workspace_id'),
    id: p.text().primary(),
    email: p.text(),
    referralCode: p.text(),
    referralUrl: p.text(),
    status: p.text().$type<PreRegistrationStatus>(),
    source: p.text(),
    metadata: p.json().$type<Record<string, unknown>>().default('{}'),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3).nullable(),
    claimedAt: p.datetime(3).nullable(),
    lastSentAt: p.datetime(3),
  },
});
export class PreRegistration extends PreRegistrationSchema.class {}
PreRegistrationSchema.setClass(PreRegistration);
