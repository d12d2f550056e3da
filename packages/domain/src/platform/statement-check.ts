type StatementCheck = (text: string) => void;

let check: StatementCheck | undefined;

/** Sets a function that gets each statement before it is sent, and may throw. Tests check statements with it. */
export function setStatementCheck(next: StatementCheck): void {
  check = next;
}

/** Passes a statement to the function of {@link setStatementCheck}, if there is one. */
export function checkStatement(text: string): void {
  check?.(text);
}
