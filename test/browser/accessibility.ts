import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const axe = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Expects no axe violation on the current page: WCAG 2.2 AA and axe's best practices. */
export function expectAccessible(page: Page): Promise<void> {
  return expectNoViolation(page);
}

/** Expects that all text on the current page has enough contrast. */
export function expectContrast(page: Page): Promise<void> {
  return expectNoViolation(page, ['color-contrast', 'link-in-text-block']);
}

/** @param rules the names of the rules to check, instead of all */
async function expectNoViolation(page: Page, rules?: string[]): Promise<void> {
  await page.evaluate(await axe);
  const findings = await page.evaluate(async (runOnly) => {
    // What fades in or out has too little contrast meanwhile: show the page as it is after its animations.
    const still = new CSSStyleSheet();
    still.replaceSync('*, ::before, ::after { transition: none !important; animation: none !important; }');
    document.adoptedStyleSheets.push(still);
    try {
      // biome-ignore lint/suspicious/noExplicitAny: axe is a global of the page
      const { violations } = await (globalThis as any).axe.run(document, {
        resultTypes: ['violations'],
        ...(runOnly && { runOnly }),
      });
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
  }, rules);
  expect(findings).toEqual([]);
}
