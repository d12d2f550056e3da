export function searchTextOf(...texts: string[]): string {
  return texts.join('\n').normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
