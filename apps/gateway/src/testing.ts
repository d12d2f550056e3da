/** What `@firmdesk/testing` and tests of other packages use. */
export { type App, createApp } from './app.ts';
export { DEFAULT_SOCKETS_PER_ADDRESS } from './config.ts';
export { NO_PROXIES, readTrustedProxies, type TrustedProxies } from './http/client-address.ts';
export { readConsole } from './http/console.ts';
export { type AllowedOrigins, NO_ORIGINS } from './http/cors.ts';
export { UUID_FUNCTION } from './http/docs/docs-layout.ts';
export { openApiDocument } from './http/docs/document.ts';
