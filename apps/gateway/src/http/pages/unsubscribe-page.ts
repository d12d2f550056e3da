import { readUnsubscribePage, type Services, unsubscribeByLink } from '@firmdesk/domain';
import express, { type Router } from 'express';
import { pageSecurity } from '../page-security.ts';
import { allowOnly } from '../send.ts';
import { pageWords } from './page-words.ts';
import { escapeHtml, GONE, sendPage } from './plain-page.ts';

/**
 * Serves the page that stops the weekly mail of reports, at the link of the mail. Only its form stops the mail, because scanners of mail follow
 * links. Programs of mail send the form by themselves (RFC 8058); what it contains does not matter.
 */
export function unsubscribeRouter(services: Services): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  router.use(pageSecurity({ 'style-src': ["'unsafe-inline'"], 'form-action': ["'self'"] }));
  router
    .route('/:link')
    .get(async (req, res) => {
      const page = await readUnsubscribePage(services, req.params.link);
      if (!page) return sendPage(res, 404, GONE);
      const words = pageWords(page.language);
      sendPage(res, 200, {
        language: words.language,
        title: words.weeklyReport,
        body: `<h1>${words.weeklyReport}</h1>
<p>${words.stop(escapeHtml(page.firm))}</p>
<form method="post"><button type="submit">${words.stopButton}</button></form>`,
      });
    })
    .post(async (req, res) => {
      const page = await unsubscribeByLink(services, req.params.link);
      if (!page) return sendPage(res, 404, GONE);
      const words = pageWords(page.language);
      sendPage(res, 200, {
        language: words.language,
        title: words.weeklyReport,
        body: `<h1>${words.stopped}</h1><p>${words.again}</p>`,
      });
    })
    .all(allowOnly('GET', 'HEAD', 'POST'));
  return router;
}
