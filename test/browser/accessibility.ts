import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const axe = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The windows in which pages are checked. */
export const phone = { width: 390, height: 844 };
export const viewports = { 'a wide screen': { width: 1440, height: 900 }, 'a phone': phone };

/** The folder for screenshots. Without it, the tests take none. */
const screenshots = process.env['SCREENSHOTS'];

const CONTRAST = ['color-contrast', 'link-in-text-block'];

/** Expects no axe violation on the current page: WCAG 2.2 AA and axe's best practices. */
export function expectAccessible(page: Page): Promise<void> {
  return expectNoViolation(page);
}

/** Expects no axe violation in the menus and dialogs that are open, whose selector is given, nor focusable content that they hide. */
async function expectOverlayAccessible(page: Page, within: string): Promise<void> {
  await expectNoViolation(page, { within });
  await expectNoViolation(page, { rules: ['aria-hidden-focus'] });
}

/** Expects that all text on the current page, or within a selector, has enough contrast. */
export function expectContrast(page: Page, within?: string): Promise<void> {
  return expectNoViolation(page, { within, rules: CONTRAST });
}

/** Checks the page, or the open overlays, in both themes. They differ only in colours. The pages behind overlays are checked as pages. */
export async function expectAccessibleInBothThemes(
  page: Page,
  name: string,
  overlays?: string,
): Promise<void> {
  const shoot = async (theme: string) => {
    if (screenshots) await page.screenshot({ path: `${screenshots}/${name}-${theme}.png` });
  };
  await (overlays ? expectOverlayAccessible(page, overlays) : expectAccessible(page));
  await shoot('light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectContrast(page, overlays);
  await shoot('dark');
  await page.emulateMedia({ colorScheme: 'light' });
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
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })!;
    /** Returns the luminance of a pixel that these colours are drawn on, one over another. */
    const luminanceOf = (colours: readonly string[]) => {
      for (const colour of colours) {
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
      }
      const [red, green, blue] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) => {
        const part = value / 255;
        return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      }) as [number, number, number, number];
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    /**
     * Returns the contrast of the text of an element on the backgrounds of the elements around it. axe does not judge a text that a link
     * covers, that is cut off, or that is a single character.
     */
    const contrastOf = (element: Element): number => {
      const backgrounds: string[] = [];
      for (let each: Element | null = element; each; each = each.parentElement)
        backgrounds.unshift(getComputedStyle(each).backgroundColor);
      const ground = luminanceOf(['Canvas', ...backgrounds]);
      const text = luminanceOf(['Canvas', ...backgrounds, getComputedStyle(element).color]);
      return (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
    };
    try {
      // biome-ignore lint/suspicious/noExplicitAny: axe is a global of the page
      const { violations, incomplete } = await (globalThis as any).axe.run(within ?? document, {
        resultTypes: ['violations', 'incomplete'],
        ...(rules && { runOnly: rules }),
      });
      type Finding = {
        id: string;
        help: string;
        nodes: { html: string; target: string[]; failureSummary: string }[];
      };
      const unjudged = (incomplete as Finding[])
        .filter(({ id }) => id === 'color-contrast')
        .flatMap(({ nodes }) => nodes)
        .flatMap(({ target: [selector], html }) => {
          // It may be gone since.
          const element = document.querySelector(selector!);
          return element ? [{ html, ratio: contrastOf(element) }] : [];
        })
        .filter(({ ratio }) => ratio < 4.5);
      return [
        ...(violations as Finding[]).map((violation) => ({
          rule: violation.id,
          help: violation.help,
          where: violation.nodes.slice(0, 3).map((node) => `${node.html}\n${node.failureSummary}`),
        })),
        ...unjudged,
      ];
    } finally {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== still);
    }
  }, checked);
  expect(findings).toEqual([]);
}
