import { expect, onTestFinished, test } from 'vitest';
import { announce, announcement, onAnnouncement } from './announcer.tsx';

/** Returns the texts that are shown from now on. */
function shownTexts(): string[] {
  const shown: string[] = [];
  onTestFinished(onAnnouncement(() => queueMicrotask(() => shown.push(announcement().trim()))));
  return shown;
}

test('shows texts that come at once one after the other, also the same one twice', async () => {
  const shown = shownTexts();
  for (const text of ['3 selected', 'Selection cleared', 'Selection cleared']) announce(text);
  await expect.poll(() => shown).toEqual(['3 selected', 'Selection cleared', 'Selection cleared']);
  const last = announcement();
  announce('Selection cleared');
  await expect.poll(() => announcement()).not.toBe(last);
});

test('drops texts that later ones have overtaken', async () => {
  const shown = shownTexts();
  for (let count = 1; count <= 40; count++) announce(`${count} selected`);
  await expect.poll(() => shown.at(-1)).toBe('40 selected');
  expect(shown.length).toBeLessThanOrEqual(4);
});
