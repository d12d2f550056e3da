import type { AppRouter } from '@firmdesk/domain';
import type { RequestHandler } from 'express';
import { sendJson } from '../send.ts';
import type { Json } from './document-components.ts';

/** The OpenAPI document of a router. */
export interface OpenApi {
  read: () => Promise<Json>;
  /** Sends the document. */
  send: RequestHandler;
}

/** Returns the document, which is generated when it is first needed. Few processes need it, and its modules are a fifteenth of all. */
export function openApi(router: AppRouter, publicUrl: () => string): OpenApi {
  let document: Promise<Json> | undefined;
  let text: string | undefined;
  const read = () =>
    (document ??= import('./document.ts').then(({ openApiDocument }) =>
      openApiDocument(router, publicUrl()),
    ));
  return {
    read,
    async send(_req, res) {
      text ??= JSON.stringify(await read());
      sendJson(res, 200, {}, text, { conditional: true });
    },
  };
}
