import type { MailRecipient } from '@firmdesk/contract';

/** Recipients as a list shows them: `Ann Lee, bob@example.com`. */
export function recipientNames(recipients: readonly MailRecipient[]): string {
  return recipients.map(({ name, email }) => name || email).join(', ');
}

/** Recipients in full: `Ann Lee <ann@example.com>, bob@example.com`. */
export function recipientAddresses(recipients: readonly MailRecipient[]): string {
  return recipients.map(({ name, email }) => (name ? `${name} <${email}>` : email)).join(', ');
}

/** The addresses in what was typed: one a line, or with commas or semicolons between; of `Ann <ann@x.example>` the address. */
export function parseAddresses(text: string): string[] {
  return text
    .split(/[,;\n]/)
    .map((part) => (/<([^<>]*)>\s*$/.exec(part)?.[1] ?? part).trim())
    .filter((part) => part !== '');
}
