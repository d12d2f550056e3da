import { type Macro, type MacroVariable, replaceVariables, type TicketWithCan } from '@firmdesk/contract';

export type VariableValues = Record<MacroVariable, string>;

export function valuesOf(
  { number, subject, trader }: Pick<TicketWithCan, 'number' | 'subject' | 'trader'>,
  agent: string,
  firm: string,
): VariableValues {
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

/** Returns a macro's text with its variables filled. A variable without a value stays, so that the writer replaces it. */
export function fillText(text: string, values: VariableValues): string {
  return replaceVariables(text, (name, written) => values[name].trim() || written);
}

/** Returns the first variable that a text still has, as it is written. */
export function variableIn(text: string): string | null {
  let first: string | null = null;
  replaceVariables(text, (_name, written) => {
    first ??= written;
    return written;
  });
  return first;
}

/** Returns the text in a language: exactly (`pt-BR`), in the same one (`pt`), otherwise in the macro’s first language. */
export function textIn({ texts }: Pick<Macro, 'texts'>, language: string): Macro['texts'][number] {
  const [base] = language.toLowerCase().split('-');
  return (
    texts.find((text) => text.language.toLowerCase() === language.toLowerCase()) ??
    texts.find((text) => text.language.toLowerCase().split('-')[0] === base) ??
    texts[0]!
  );
}

function firstOf(name: string): string {
  return name.trim().split(/\s+/)[0] ?? '';
}
