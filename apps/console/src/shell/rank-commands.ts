import { foldSearchText } from '@firmdesk/contract';
/**
 * Returns the items whose name contains all words of the text, best first: the name begins with the text, a word of it does, each
 * word of the text begins a word, it contains the text. Items of the same rank keep their order.
 */
export function rankByName<Item extends { name: string }>(items: readonly Item[], text: string): Item[] {
  const sought = foldSearchText(text);
  if (sought === '') return [...items];
  return items
    .map((item, at) => ({ item, at, rank: rankOf(foldSearchText(item.name), sought) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank || a.at - b.at)
    .map(({ item }) => item);
}

function rankOf(name: string, sought: string): number {
  if (name.startsWith(sought)) return 4;
  if (name.includes(` ${sought}`)) return 3;
  const words = name.split(' ');
  const parts = sought.split(' ');
  if (parts.every((part) => words.some((word) => word.startsWith(part)))) return 2;
  return parts.every((part) => name.includes(part)) ? 1 : 0;
}
