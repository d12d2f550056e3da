import {
  ApiError,
  RATING_LINK_DAYS,
  type RatingPage,
  rateByLink,
  readRatingPage,
  type Services,
} from '@firmdesk/domain';
import express, { type Router } from 'express';
import { originOf, pageSecurity } from '../page-security.ts';
import { allowOnly } from '../send.ts';
import { pageWords } from './page-words.ts';
import { escapeHtml, GONE, sendPage } from './plain-page.ts';

/** The longest form: a score, and a comment whose characters are encoded. */
const MAX_FORM = '32kb';

/**
 * Serves the page on which a trader rates a ticket, at the link of a mail. The link shows the page; only its form records, because
 * scanners of mail follow links.
 */
export function ratingRouter(services: Services): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  router.use(
    pageSecurity({
      'style-src': ["'unsafe-inline'"],
      'form-action': ["'self'"],
      'img-src': [() => originOf(services.publicUrl())],
    }),
  );
  router
    .route('/:link')
    .get(async (req, res) => {
      const page = await readRatingPage(services, req.params.link);
      const wanted = new URLSearchParams(req.originalUrl.split('?')[1]).get('score');
      if (!page) sendPage(res, 404, GONE);
      else if (page.isExpired) sendPage(res, 410, expiredOf(page));
      else sendPage(res, 200, page.score === null ? formOf(page, wanted, false) : thanksOf(page));
    })
    .post(express.urlencoded({ extended: false, limit: MAX_FORM, parameterLimit: 10 }), async (req, res) => {
      const { score, comment } = (req.body ?? {}) as Record<string, unknown>;
      try {
        const page = await rateByLink(services, req.params.link, { score, comment });
        if (!page) sendPage(res, 404, GONE);
        else if (page.isExpired) sendPage(res, 410, expiredOf(page));
        else sendPage(res, 200, thanksOf(page));
      } catch (error) {
        if (!(error instanceof ApiError) || error.apiCode !== 'validation_failed') throw error;
        const page = await readRatingPage(services, req.params.link);
        if (!page) sendPage(res, 404, GONE);
        else if (page.isExpired) sendPage(res, 410, expiredOf(page));
        else sendPage(res, 422, formOf(page, null, true));
      }
    })
    .all(allowOnly('GET', 'HEAD', 'POST'));
  return router;
}

function formOf({ firm, logo, subject, language }: RatingPage, wanted: string | null, hasProblem: boolean) {
  const words = pageWords(language);
  const scores = words.scores.map(
    (label, i) =>
      `<label><input type="radio" name="score" value="${i + 1}" required${wanted === String(i + 1) ? ' checked' : ''}> ${i + 1} – ${label}</label>`,
  );
  return {
    language: words.language,
    title: words.yourRating,
    body: `${logoOf(logo)}<h1>${words.question}</h1>
<p>${escapeHtml(firm)}: ${escapeHtml(subject)}</p>
${hasProblem ? `<p role="alert">${words.problem}</p>` : ''}
<form method="post">
<fieldset><legend>${words.yourRating}</legend>${scores.join('')}</fieldset>
<label>${words.comment}<textarea name="comment" rows="4" maxlength="2000"></textarea></label>
<button type="submit">${words.send}</button>
</form>`,
  };
}

function thanksOf({ firm, logo, language }: RatingPage) {
  const words = pageWords(language);
  return {
    language: words.language,
    title: words.yourRating,
    body: `${logoOf(logo)}<h1>${words.thanks}</h1><p>${words.received(escapeHtml(firm))}</p>`,
  };
}

function expiredOf({ logo, language: tag }: RatingPage) {
  const { language, expired, late } = pageWords(tag);
  return {
    language,
    title: expired,
    body: `${logoOf(logo)}<h1>${expired}</h1><p>${late(RATING_LINK_DAYS)}</p>`,
  };
}

/** The firm is named in the text. */
function logoOf(url: string | null): string {
  return url === null ? '' : `<img src="${escapeHtml(url)}" alt="">`;
}
