import type { TraderProfile as ProfileOfContract } from '@firmdesk/contract';
import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../access/accounts/user.entity.ts';

/** What the platform says about a trader. */
export const TraderProfileSchema = defineEntity({
  name: 'TraderProfile',
  tableName: 'trader_profiles',
  properties: {
    workspaceId: p.integer().primary(),
    userId: p.manyToOne(User).mapToPk().primary().fieldName('user_id'),
    country: p.text().nullable(),
    language: p.text().nullable(),
    timezone: p.text().nullable(),
    verification: p.text().$type<NonNullable<ProfileOfContract['verification']>>().nullable(),
    data: p.json().$type<ProfileOfContract['data']>(),
    /** How the console shows the data. */
    layout: p.json().$type<ProfileOfContract['layout']>(),
    updatedAt: p.datetime(3),
  },
});
export class TraderProfile extends TraderProfileSchema.class {}
TraderProfileSchema.setClass(TraderProfile);
