import type { Permission, Scope, SignInMethod, TokenEnvironment, TokenKind } from '@firmdesk/contract';

export interface WorkspaceRef {
  id: number;
  slug: string;
  name: string;
}

/** How a session was opened, and when the person last proved who holds it. Null for an API key. */
export interface SignInProof {
  method: SignInMethod | null;
  verifiedAt: Date | null;
}

/** The account and scopes of a valid token. */
export interface Identity {
  tokenId: string;
  kind: TokenKind;
  environment: TokenEnvironment;
  scopes: readonly Scope[];
  signIn: SignInProof;
  user: { id: string; name: string; email: string; language: string; timezone: string; isStaff: boolean };
  /** The workspace that the token was issued for; `me` endpoints act there. */
  home: WorkspaceRef;
}

/** The account's rights in the workspace of its token, and the firm that a call names. */
export interface MembershipInfo {
  /** Whether the account is an active member of the firm, or staff if the token is of the platform. */
  belongsToWorkspace: boolean;
  /** Whether the account is an administrator of the firm, or staff if the token is of the platform. */
  administersWorkspace: boolean;
  /** The account's permissions in the firm; empty for staff, who hold every permission in the firms in which they may act. */
  permissions: readonly Permission[];
  /** The firm that `Service-Workspace` names, if the token may act for it. `isEntered`: a session of the staff has given a reason for it. */
  namedFirm: (WorkspaceRef & { isSuspended: boolean; isEntered: boolean }) | null;
}
