/** The variables of a text, as `{{trader.name}}`. They get their values when the macro is inserted. */
export const macroVariables = [
  'trader.name',
  'trader.first_name',
  'ticket.id',
  'ticket.subject',
  'firm.name',
  'agent.name',
  'agent.first_name',
] as const;
export type MacroVariable = (typeof macroVariables)[number];

const VARIABLE = /\{\{([^{}]*)\}\}/g;

/** Replaces each variable of a text by what `fill` returns. Unknown variables stay as they are. */
export function replaceVariables(
  text: string,
  fill: (name: MacroVariable, written: string) => string,
): string {
  return text.replace(VARIABLE, (written, inner: string) => {
    const name = inner.trim();
    return isVariable(name) ? fill(name, written) : written;
  });
}

/** Returns the variables of a text that do not exist. */
export function unknownVariables(text: string): string[] {
  return [...text.matchAll(VARIABLE)].map(([, inner]) => inner!.trim()).filter((name) => !isVariable(name));
}

function isVariable(name: string): name is MacroVariable {
  return macroVariables.some((known) => known === name);
}
