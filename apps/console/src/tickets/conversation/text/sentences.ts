const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * Returns the complete sentences of a text that is being streamed: the last one counts once more text follows. `units` is
 * their length in UTF-16 units.
 */
export function completeSentences(text: string, isFinal: boolean): { sentences: string[]; units: number } {
  const segments = [...segmenter.segment(text)].map(({ segment }) => segment);
  if (!isFinal) segments.pop();
  return {
    sentences: segments.map((sentence) => sentence.trim()).filter((sentence) => sentence !== ''),
    units: segments.join('').length,
  };
}
