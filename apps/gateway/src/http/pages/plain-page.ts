import type { Response } from 'express';

/** What a link says that does not work any more, in English: nothing says whose it was. */
export const GONE = {
  language: 'en',
  title: 'This link does not work',
  body: '<h1>This link does not work</h1><p>It is not complete, or what it was about was deleted.</p>',
};

/** Sends a page without scripts, which a link of a mail opens. */
export function sendPage(
  res: Response,
  status: number,
  { language, title, body }: { language: string; title: string; body: string },
): void {
  res.set({ 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' });
  res
    .status(status)
    .type('html')
    .send(`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
main { max-width: 32rem; margin: 3rem auto; padding: 0 1rem }
img { display: block; max-width: 240px; max-height: 64px }
fieldset { border: 1px solid; border-radius: 6px; margin: 1rem 0 }
label { display: block; padding: 4px 0 }
textarea { display: block; width: 100%; box-sizing: border-box; font: inherit }
button { font: inherit; margin-top: 1rem; padding: 6px 20px }
</style></head>
<body><main>${body}</main></body>
</html>`);
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`);
}
