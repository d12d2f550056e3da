import type { MemberRole, Permission, Scope, TokenEnvironment, TokenKind } from '@firmdesk/contract';

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

/** What the account is in the firm that a call acts for. */
export interface Standing {
  membership: { role: MemberRole; active: boolean; permissions: readonly Permission[] } | null;
  /** The firm that `Service-Workspace` names, when the caller is of the staff and may act in it. */
  named: WorkspaceRef | null;
}
