const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });

/**
 * The sentences of a text under way that are whole: the last counts once something follows it. `units`: how far they
 * reach, in UTF-16 units.
 */
export function completeSentences(text: string, isFinal: boolean): { sentences: string[]; units: number } {
  const segments = [...segmenter.segment(text)].map(({ segment }) => segment);
  if (!isFinal) segments.pop();
  return {
    sentences: segments.map((sentence) => sentence.trim()).filter((sentence) => sentence !== ''),
    units: segments.join('').length,
  };
}
