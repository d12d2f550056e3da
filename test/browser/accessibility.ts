import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const axe = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const CONTRAST = ['color-contrast', 'link-in-text-block'];

/** Expects no axe violation on the current page: WCAG 2.2 AA and axe's best practices. */
export function expectAccessible(page: Page): Promise<void> {
  return expectNoViolation(page);
}

/** Expects no axe violation in the menus and dialogs that are open, whose selector is given, nor focusable content that they hide. */
export async function expectOverlayAccessible(page: Page, within: string): Promise<void> {
  await expectNoViolation(page, { within });
  await expectNoViolation(page, { rules: ['aria-hidden-focus'] });
}

/** Expects that all text on the current page, or within a selector, has enough contrast. */
export function expectContrast(page: Page, within?: string): Promise<void> {
  return expectNoViolation(page, { within, rules: CONTRAST });
}

/** @param checked the elements to check, instead of the page, and the names of the rules, instead of all */
async function expectNoViolation(
  page: Page,
  checked: { within?: string | undefined; rules?: string[] } = {},
): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(await axe);
  const findings = await page.evaluate(async ({ within, rules }) => {
    // What fades in or out has too little contrast meanwhile: show the page as it is after its animations.
    const still = new CSSStyleSheet();
    still.replaceSync('*, ::before, ::after { transition: none !important; animation: none !important; }');
    document.adoptedStyleSheets.push(still);
    try {
      // biome-ignore lint/suspicious/noExplicitAny: axe is a global of the page
      const { violations } = await (globalThis as any).axe.run(within ?? document, {
        resultTypes: ['violations'],
        ...(rules && { runOnly: rules }),
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
  }, checked);
  expect(findings).toEqual([]);
}
