import type { Locator, Page } from 'playwright-core';

/** Waits until the editor has taken the place of the text box. */
export async function loadedEditor(page: Page, field: Locator): Promise<Locator> {
  await field.and(page.locator('[contenteditable=true]')).waitFor();
  return field;
}

/** Empties an editor by the keys of people. A selection that a program makes is known to the editor only after a while. */
export async function clearEditor(page: Page, field: Locator): Promise<void> {
  await loadedEditor(page, field);
  await field.press('Control+a');
  await field.press('Delete');
}

/** Waits until an editor knows where the last key has put the caret: the browser tells it before it draws again. */
export async function caretKnown(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null)))),
  );
}
