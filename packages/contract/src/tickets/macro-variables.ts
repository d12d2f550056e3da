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

/** The values of a macro's variables; empty for what is not known. */
export function macroValues(
  {
    number,
    subject,
    trader,
  }: { number: string; subject: string; trader: { name: string; deleted: boolean } },
  agent: string,
  firm: string,
): Record<MacroVariable, string> {
  const traderName = trader.deleted ? '' : trader.name;
  return {
    'trader.name': traderName,
    'trader.first_name': firstOf(traderName),
    'ticket.id': number,
    'ticket.subject': subject,
    'firm.name': firm,
    'agent.name': agent,
    'agent.first_name': firstOf(agent),
  };
}

function firstOf(name: string): string {
  return name.trim().split(/\s+/)[0] ?? '';
}

/** Returns the text in a language: exactly (`pt-BR`), in the same one (`pt`), otherwise in the macro’s first language. */
export function macroTextIn<Text extends { language: string }>(
  { texts }: { texts: readonly Text[] },
  language: string,
): Text {
  const [base] = language.toLowerCase().split('-');
  return (
    texts.find((text) => text.language.toLowerCase() === language.toLowerCase()) ??
    texts.find((text) => text.language.toLowerCase().split('-')[0] === base) ??
    texts[0]!
  );
}

/** Returns the variables of a text that do not exist. */
export function unknownVariables(text: string): string[] {
  return [...text.matchAll(VARIABLE)].map(([, inner]) => inner!.trim()).filter((name) => !isVariable(name));
}

function isVariable(name: string): name is MacroVariable {
  return macroVariables.some((known) => known === name);
}
