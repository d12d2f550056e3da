import { foldSearchText } from '@firmdesk/contract';
import {
  type Operator,
  operatorAtEnd,
  type SearchScope,
  searchOperators,
  valuesOf,
  written,
} from './search-operators.ts';

/** What the search field offers. `text` is the whole text of the field with it. */
export interface Suggestion {
  kind: 'recent' | 'operator' | 'value';
  text: string;
  label: string;
  hint?: string;
}

const MAX_VALUES = 8;

/** Returns what can be chosen for a text: earlier searches and operators for an empty one, otherwise values of the operator at its end. */
export function suggestionsFor(text: string, recent: readonly string[], scope: SearchScope): Suggestion[] {
  if (text === '') {
    const operators = Object.entries(searchOperators) as [Operator, string][];
    return [
      ...recent.map((each): Suggestion => ({ kind: 'recent', text: each, label: each })),
      ...operators.map(
        ([name, hint]): Suggestion => ({ kind: 'operator', text: `${name}:`, label: `${name}:`, hint }),
      ),
    ];
  }
  const last = operatorAtEnd(text);
  if (!last) return [];
  const sought = foldSearchText(last.value);
  const values = valuesOf(last.operator, scope).filter((value) => foldSearchText(value).includes(sought));
  // What is typed whole needs no choice.
  if (values.length === 1 && foldSearchText(values[0]!) === sought) return [];
  return values.slice(0, MAX_VALUES).map((value) => ({
    kind: 'value',
    text: `${text.slice(0, last.at)}${written(last.operator, value)} `,
    label: value,
  }));
}
