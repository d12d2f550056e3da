import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../accounts/user.entity.ts';
import { Workspace } from '../workspaces/workspace.entity.ts';

/** The OpenID provider of a firm. */
export const SignInProviderSchema = defineEntity({
  name: 'SignInProvider',
  tableName: 'sign_in_providers',
  properties: {
    workspaceId: p.manyToOne(Workspace).mapToPk().primary().fieldName('workspace_id'),
    issuer: p.text(),
    clientId: p.text(),
    /** Sealed (see `seal.ts`). */
    clientSecret: p.blob(),
    /** Whether members can sign in to the firm only by the provider. */
    isRequired: p.boolean().default(false),
    /** The one administrator who may still sign in without it. */
    breakGlassUserId: p.manyToOne(User).mapToPk().fieldName('break_glass_user_id').nullable(),
    updatedAt: p.datetime(3),
  },
});

/** A domain of mail that a firm says it owns. `proof` is the text that its DNS must have. */
export const SignInDomainSchema = defineEntity({
  name: 'SignInDomain',
  tableName: 'sign_in_domains',
  properties: {
    workspaceId: p.manyToOne(Workspace).mapToPk().primary().fieldName('workspace_id'),
    domain: p.text().primary(),
    proof: p.text(),
    createdAt: p.datetime(3),
    verifiedAt: p.datetime(3).nullable(),
  },
});

/** An account at a firm's provider, and ours to which it is linked. */
export const ProviderAccountSchema = defineEntity({
  name: 'ProviderAccount',
  tableName: 'provider_accounts',
  properties: {
    workspaceId: p.manyToOne(Workspace).mapToPk().primary().fieldName('workspace_id'),
    issuer: p.text().primary(),
    subject: p.text().primary(),
    userId: p.manyToOne(User).mapToPk().fieldName('user_id'),
    createdAt: p.datetime(3),
  },
});
