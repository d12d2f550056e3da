/** Runs in the page: scrolls to the end as fast as rows are drawn. Returns every row by its position. */
export async function walkList(
  list: Element,
  by: number,
): Promise<{ seen: [number, string][]; mostRows: number }> {
  const seen = new Map<number, string>();
  let mostRows = 0;
  const rows = () => [...list.querySelectorAll('[role=option]')];
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const isDrawn = () => {
    const { top, bottom } = list.getBoundingClientRect();
    const shown = rows().map((row) => row.getBoundingClientRect());
    return shown.length > 0 && shown[0]!.top <= top + 1 && shown.at(-1)!.bottom >= bottom - 1;
  };
  for (let isEnd = false; !isEnd; ) {
    while (!isDrawn()) await frame();
    const drawn = rows();
    mostRows = Math.max(mostRows, drawn.length);
    for (const row of drawn) {
      seen.set(Number(row.getAttribute('aria-posinset')), /Case \d+/.exec(row.textContent ?? '')![0]);
    }
    isEnd = drawn.at(-1)!.getAttribute('aria-setsize') === drawn.at(-1)!.getAttribute('aria-posinset');
    list.scrollBy(0, by);
    await frame();
  }
  return { seen: [...seen].sort(([a], [b]) => a - b), mostRows };
}
