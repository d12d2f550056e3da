import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const axe = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Expects no axe violation on the current page: WCAG 2.2 AA and axe's best practices. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(await axe);
  const findings = await page.evaluate(async () => {
    // What fades in or out has too little contrast meanwhile: show the page as it is after its animations.
    const still = new CSSStyleSheet();
    still.replaceSync('*, ::before, ::after { transition: none !important; animation: none !important; }');
    document.adoptedStyleSheets.push(still);
    try {
      // biome-ignore lint/suspicious/noExplicitAny: axe is a global of the page
      const { violations } = await (globalThis as any).axe.run(document, { resultTypes: ['violations'] });
      return violations.map(
        (violation: { id: string; help: string; nodes: { html: string; failureSummary: string }[] }) => ({
          rule: violation.id,
          help: violation.help,
          where: violation.nodes.slice(0, 3).map((node) => `${node.html}\n${node.failureSummary}`),
        }),
      );
    } finally {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== still);
    }
  });
  expect(findings).toEqual([]);
}
