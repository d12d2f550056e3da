/** A ticket that a mail names, by an id in its `References` or by its number. */
export interface NamedTicket {
  id: string;
  /** The address of its trader. */
  trader: string;
  /** The `Message-ID`, or the number without `#`. */
  name: string;
}

/** How many numbers of a subject are looked up. */
const MAX_NUMBERS = 5;

/** Returns the numbers of tickets in a subject, without `#`, as tickets have them. */
export function numbersIn(subject: string): string[] {
  const found = [...subject.matchAll(/#([0-9a-z]{6})(?![0-9a-z])/gi)].map(([, number]) =>
    number!.toUpperCase(),
  );
  return [...new Set(found)].slice(0, MAX_NUMBERS);
}

/**
 * Returns the ticket that a mail continues: that of the nearest message to which it replies, else that of the first number in its subject. Only
 * a ticket of its sender counts, and no number for a sender of whom it is unknown whether the mail is theirs. Null: it starts a new one.
 */
export function chooseTicket(
  mail: { from: string; references: readonly string[]; subject: string; isTrusted: boolean },
  named: { byReference: readonly NamedTicket[]; byNumber: readonly NamedTicket[] },
): string | null {
  const isOwn = ({ trader }: NamedTicket) => trader.toLowerCase() === mail.from.toLowerCase();
  const first = (names: readonly string[], tickets: readonly NamedTicket[]) =>
    names.flatMap((name) => tickets.filter((ticket) => ticket.name === name && isOwn(ticket))).at(0)?.id ??
    null;
  return (
    first(mail.references.toReversed(), named.byReference) ??
    (mail.isTrusted ? first(numbersIn(mail.subject), named.byNumber) : null)
  );
}
