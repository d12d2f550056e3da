import type { MailRecipient } from '@firmdesk/contract';

/** Returns recipients as a list shows them: `Ann Lee, bob@example.com`. */
export function recipientNames(recipients: readonly MailRecipient[]): string {
  return recipients.map(({ name, email }) => name || email).join(', ');
}

/** Returns recipients with their addresses: `Ann Lee <ann@example.com>, bob@example.com`. */
export function recipientAddresses(recipients: readonly MailRecipient[]): string {
  return recipients.map(({ name, email }) => (name ? `${name} <${email}>` : email)).join(', ');
}

/** Returns the addresses in typed text, separated by commas, semicolons or lines. `Ann <ann@x.example>` gives the address. */
export function parseAddresses(text: string): string[] {
  return text
    .split(/[,;\n]/)
    .map((part) => (/<([^<>]*)>\s*$/.exec(part)?.[1] ?? part).trim())
    .filter((part) => part !== '');
}
