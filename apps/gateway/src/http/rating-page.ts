import {
  ApiError,
  RATING_LINK_DAYS,
  type RatingPage,
  rateByLink,
  readRatingPage,
  type Services,
} from '@firmdesk/domain';
import express, { type Response, type Router } from 'express';
import { pageSecurity } from './page-security.ts';
import { allowOnly } from './send.ts';

/** The longest form: a score, and a comment whose characters are encoded. */
const MAX_FORM = '32kb';

/**
 * Serves the page on which a trader rates a ticket, at the link of a mail. The link shows the page; only its form records, because
 * scanners of mail follow links.
 */
export function ratingRouter(services: Services): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  router.use(pageSecurity({ 'style-src': ["'unsafe-inline'"], 'form-action': ["'self'"] }));
  router
    .route('/:link')
    .get(async (req, res) => {
      const page = await readRatingPage(services, req.params.link);
      const wanted = new URLSearchParams(req.originalUrl.split('?')[1]).get('score');
      if (!page) send(res, 404, GONE);
      else if (page.isExpired) send(res, 410, EXPIRED);
      else send(res, 200, page.score === null ? formOf(page, wanted, null) : thanksOf(page));
    })
    .post(express.urlencoded({ extended: false, limit: MAX_FORM, parameterLimit: 10 }), async (req, res) => {
      const { score, comment } = (req.body ?? {}) as Record<string, unknown>;
      try {
        const page = await rateByLink(services, req.params.link, { score, comment });
        if (!page) send(res, 404, GONE);
        else if (page.isExpired) send(res, 410, EXPIRED);
        else send(res, 200, thanksOf(page));
      } catch (error) {
        if (!(error instanceof ApiError) || error.apiCode !== 'validation_failed') throw error;
        const page = await readRatingPage(services, req.params.link);
        if (!page) send(res, 404, GONE);
        else if (page.isExpired) send(res, 410, EXPIRED);
        else
          send(
            res,
            422,
            formOf(page, null, 'Choose a number from 1 to 5, and write at most 2,000 characters.'),
          );
      }
    })
    .all(allowOnly('GET', 'HEAD', 'POST'));
  return router;
}

const LABELS = ['Very dissatisfied', 'Dissatisfied', 'Neither', 'Satisfied', 'Very satisfied'];

const GONE = '<h1>This link does not work</h1><p>It is not complete, or what it was about was deleted.</p>';
const EXPIRED = `<h1>This link has expired</h1><p>It could be used for ${RATING_LINK_DAYS} days. Write to us if you want to add something.</p>`;

function formOf({ firm, subject }: RatingPage, wanted: string | null, problem: string | null): string {
  const scores = LABELS.map(
    (label, i) =>
      `<label><input type="radio" name="score" value="${i + 1}" required${wanted === String(i + 1) ? ' checked' : ''}> ${i + 1} – ${label}</label>`,
  );
  return `<h1>How satisfied were you with our answers?</h1>
<p>${escapeHtml(firm)}: ${escapeHtml(subject)}</p>
${problem === null ? '' : `<p role="alert">${problem}</p>`}
<form method="post">
<fieldset><legend>Your rating</legend>${scores.join('')}</fieldset>
<label>What could have been better? (optional)<textarea name="comment" rows="4" maxlength="2000"></textarea></label>
<button type="submit">Send</button>
</form>`;
}

function thanksOf({ firm }: RatingPage): string {
  return `<h1>Thank you</h1><p>${escapeHtml(firm)} has received your rating.</p>`;
}

function send(res: Response, status: number, body: string): void {
  res.set({ 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' });
  res
    .status(status)
    .type('html')
    .send(`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Your rating</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
main { max-width: 32rem; margin: 3rem auto; padding: 0 1rem }
fieldset { border: 1px solid; border-radius: 6px; margin: 1rem 0 }
label { display: block; padding: 4px 0 }
textarea { display: block; width: 100%; box-sizing: border-box; font: inherit }
button { font: inherit; margin-top: 1rem; padding: 6px 20px }
</style></head>
<body><main>${body}</main></body>
</html>`);
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`);
}
