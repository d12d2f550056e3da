import type { MemberRole, Permission } from '@firmdesk/contract';
import { defineEntity, p } from '@mikro-orm/core';
import { Workspace } from '../workspaces/workspace.entity.ts';

/** An account, identified by its email address. */
export const UserSchema = defineEntity({
  name: 'User',
  tableName: 'users',
  properties: {
    id: p.text().primary(),
    email: p.text(),
    /** Whether who uses the account was shown to own the address (see `prove-address.ts`). */
    emailProved: p.boolean().default(true),
    name: p.text(),
    /** argon2id in PHC form; null if the account has no password and cannot sign in. */
    passwordHash: p.text().nullable().lazy(),
    /** See `avatar.ts`. */
    avatarUrl: p.text().nullable(),
    avatarHash: p.text().nullable(),
    language: p.text().default('en'),
    timezone: p.text().default('UTC'),
    /** Whether the account belongs to the service's own staff, and whether it may act in every firm. */
    isStaff: p.boolean().default(false),
    staffOfAllFirms: p.boolean().default(false),
    createdAt: p.datetime(3),
    deletedAt: p.datetime(3).nullable(),
    /** Since when the account cannot sign in or act. It keeps its memberships. */
    deactivatedAt: p.datetime(3).nullable(),
  },
});
export class User extends UserSchema.class {}
UserSchema.setClass(User);

/** A firm in which a member of the staff may act, if not in all. */
export const StaffWorkspaceSchema = defineEntity({
  name: 'StaffWorkspace',
  tableName: 'staff_firms',
  properties: {
    userId: p.manyToOne(User).mapToPk().primary().fieldName('user_id'),
    workspaceId: p.manyToOne(Workspace).mapToPk().primary().fieldName('workspace_id'),
  },
});
export class StaffWorkspace extends StaffWorkspaceSchema.class {}
StaffWorkspaceSchema.setClass(StaffWorkspace);

/** The membership of an account in a firm. A dismissal makes it inactive. */
export const MembershipSchema = defineEntity({
  name: 'Membership',
  tableName: 'memberships',
  properties: {
    workspaceId: p.manyToOne(Workspace).mapToPk().primary().fieldName('workspace_id'),
    userId: p.manyToOne(User).mapToPk().primary().fieldName('user_id'),
    role: p.text().$type<MemberRole>(),
    active: p.boolean().default(true),
    permissions: p.array().$type<Permission[]>().columnType('text[]').default([]),
    createdAt: p.datetime(3),
    /** Whether the account gets the weekly mail of reports. */
    getsWeeklyReport: p.boolean().default(false),
    /** The Monday of the last weekly mail. */
    weeklyReportOn: p.date().nullable(),
  },
});
export class Membership extends MembershipSchema.class {}
MembershipSchema.setClass(Membership);
