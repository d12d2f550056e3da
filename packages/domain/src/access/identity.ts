import type { Permission, Scope, TokenEnvironment, TokenKind } from '@firmdesk/contract';

export interface WorkspaceRef {
  id: number;
  slug: string;
  name: string;
}

/** Who a valid token speaks for. */
export interface Identity {
  tokenId: string;
  kind: TokenKind;
  environment: TokenEnvironment;
  scopes: readonly Scope[];
  user: { id: string; name: string; email: string; language: string; timezone: string; isStaff: boolean };
  /** The workspace that the token was issued for; `me` endpoints act there. */
  home: WorkspaceRef;
}

/** What the account is in the workspace of its token, and in the firm that a call names. */
export interface MembershipInfo {
  /** Whether it is an active member, or of the staff where the token is of the platform. */
  belongs: boolean;
  /** Whether it helps run the workspace. */
  administers: boolean;
  /** In a firm; staff hold every permission in the firms they may act in. */
  permissions: readonly Permission[];
  /** The firm that `Service-Workspace` names, when the caller is of the staff and may act in it. */
  named: WorkspaceRef | null;
}
