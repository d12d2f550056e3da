/** Opens tickets of the shown list. */
interface TicketOpener {
  /** Opens the ticket after another one. */
  openAfter(ticket: string): void;
  open(ticket: string): void;
}

let opener: TicketOpener | null = null;

/** Called after the user has resolved or closed a ticket: the list opens the next one. */
export function openTicketAfter(ended: string): void {
  opener?.openAfter(ended);
}

/** Called after the user has undone that: the list opens the ticket again. */
export function openTicketAgain(ticket: string): void {
  opener?.open(ticket);
}

/** Sets what opens tickets. Returns a function that removes it. */
export function setTicketOpener(next: TicketOpener): () => void {
  opener = next;
  return () => {
    if (opener === next) opener = null;
  };
}
