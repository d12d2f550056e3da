/** The kinds of mail that the product writes, each with the variables of its template. */
export const mailTemplateVariables = {
  pre_registration: ['firm_name', 'email', 'referral_code', 'referral_url', 'expires_at'],
  ticket_reply: ['firm_name', 'ticket_number', 'ticket_subject', 'author', 'message'],
  reminder: ['firm_name', 'title', 'starts_at', 'location', 'conference_url'],
  password_reset: ['firm_name', 'name', 'reset_url', 'expires_at'],
  member_invite: ['firm_name', 'invited_by', 'link', 'expires_at'],
  invitation: ['firm_name', 'organizer', 'title', 'starts_at', 'location', 'conference_url'],
  satisfaction: ['firm_name', 'ticket_number', 'ticket_subject', 'rating_url'],
  weekly_report: [
    'firm_name',
    'name',
    'from',
    'until',
    'created',
    'resolved',
    'replies',
    'first_response',
    'resolution',
    'by_assistant',
    'satisfaction',
    'report_url',
    'unsubscribe_url',
  ],
} as const;
export type MailTemplateKind = keyof typeof mailTemplateVariables;
export const mailTemplateKinds = Object.keys(mailTemplateVariables) as [
  MailTemplateKind,
  ...MailTemplateKind[],
];

/** The values of a kind's variables. One without a value is null: a line of the template that names it is left out. */
export type MailTemplateValues<Kind extends MailTemplateKind> = Record<
  (typeof mailTemplateVariables)[Kind][number],
  string | null
>;

const VARIABLE = /\{\{([^{}]*)\}\}/g;

/** Returns the names of the variables in a text, each as often as it is there, with its line from 1. */
export function mailVariablesIn(text: string): { name: string; line: number }[] {
  return text
    .split('\n')
    .flatMap((written, index) =>
      [...written.matchAll(VARIABLE)].map(([, inner]) => ({ name: inner!.trim(), line: index + 1 })),
    );
}

/** Returns the variables in a text that the kind does not have. */
export function unknownMailVariables(kind: MailTemplateKind, text: string): { name: string; line: number }[] {
  const known: readonly string[] = mailTemplateVariables[kind];
  return mailVariablesIn(text).filter(({ name }) => !known.includes(name));
}

/** The variables that are addresses of pages, some of which let in whoever opens them. */
const LINKS = new Set([
  'reset_url',
  'link',
  'rating_url',
  'referral_url',
  'conference_url',
  'unsubscribe_url',
]);

/**
 * Returns the addresses in a text that are a part of something else: `https://other.example/?to={{reset_url}}` would send a
 * person's link to another server when they open it.
 */
export function partialMailLinks(text: string): string[] {
  return [...text.matchAll(VARIABLE)]
    .filter(({ 0: { length }, 1: inner, index }) => {
      if (!LINKS.has(inner!.trim())) return false;
      const [before, after] = [text.charAt(index - 1), text.charAt(index + length)];
      if (before === '(') return text.charAt(index - 2) !== ']' || after !== ')';
      // What is before the text of a link, or a bracket, is before the address where a mail is read as plain text. Other blanks can be invisible.
      const isOpened = before === '[' || before === '<';
      return /[^ \t\r\n]/.test(isOpened ? text.charAt(index - 2) : before) || /[^\s\]>.,;:!?]/.test(after);
    })
    .map(([, inner]) => inner!.trim());
}

/** Replaces each variable of a text. */
export function replaceMailVariables(text: string, fill: (name: string) => string): string {
  return text.replace(VARIABLE, (_, inner: string) => fill(inner.trim()));
}
