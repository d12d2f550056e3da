/** The entry point for other features. */
export { acceptInviteOf } from './invites/accept-invite.ts';
