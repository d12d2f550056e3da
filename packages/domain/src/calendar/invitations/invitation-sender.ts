import type { SenderCheck } from '@firmdesk/contract';

/** The recipient of a mail with invitations. */
export interface Invitee {
  userId: string;
  workspaceId: number;
}

/** Who sent a mail with invitations. */
export interface InvitationSender {
  /** The address of the `From` header; empty if it has none. */
  from: string;
  /** The address of the `Sender` header. */
  sender: string | null;
  /** What was found out about `from`. If nobody has checked it, the headers count as they are. */
  check: SenderCheck['status'] | null;
}

/** The addresses that decide who may change an invitation. */
export interface InvitationOwner {
  /** Who sent it. Null for events that are older than this column. */
  sender?: string | null | undefined;
  organizer?: string | null | undefined;
}

/** Returns whether the sender of a mail may change an invitation: who sent it may, and its organizer. */
export function mayChange(
  { sender, organizer }: InvitationOwner,
  { from, sender: relay, check }: InvitationSender,
): boolean {
  if (check === 'failed') return false;
  const owners = [sender, organizer].flatMap((address) => normalAddress(address) || []);
  // No check of `From` says anything about `Sender`, where anybody can write the organizer.
  return [from, check === null ? relay : null].some((address) => owners.includes(normalAddress(address)));
}

/** Returns an address in the form in which addresses are compared; empty if there is none. */
export function normalAddress(address: string | null | undefined): string {
  return (address ?? '').normalize('NFC').trim().toLowerCase();
}
