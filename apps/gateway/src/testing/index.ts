/** What tests outside the gateway are given of its own: `@firmdesk/gateway/testing`. */
export { type App, createApp } from '../app.ts';
export { readConsole } from '../http/console.ts';
export { openApiDocument } from '../http/document.ts';
export { declaredProcedures } from '../http/routes.ts';
export { type ApnsServer, CERTIFICATE_FILE, KEY_FILE, openApnsServer } from './apns-server.ts';
export {
  type Cast,
  castOf,
  neededPermissions,
  neededScopes,
  openCast,
  otherScopes,
} from './cast.ts';
export { layersOf } from './common-cases.ts';
export { type Desk, openDesk } from './desk.ts';
export { apnsVariables, openProvider, phoneOf, TOPICS } from './phones.ts';
export { closed, generalHeaders, type Json, operationOf, published, resolved } from './published.ts';
export { openSocket, type RawSocket } from './raw-socket.ts';
export { openSilentClient, silentClients } from './silent-clients.ts';
export { someone } from './someone.ts';
export { suiteAssistant } from './suite-assistant.ts';
export { suiteGateway } from './suite-gateway.ts';
export {
  type Answer,
  openTestGateway,
  type RequestOptions,
  request,
  type TestGateway,
} from './test-gateway.ts';
export { type Viewer, view } from './viewer.ts';
