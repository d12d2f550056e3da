/** The gateway's test helpers for other packages: `@firmdesk/gateway/testing`. */
export { type App, createApp } from '../../../../apps/gateway/src/app.ts';
export { declaredProcedures } from '@firmdesk/domain';
export { readTrustedProxies } from '../../../../apps/gateway/src/http/client-address.ts';
export { readConsole } from '../../../../apps/gateway/src/http/console.ts';
export { UUID_FUNCTION } from '../../../../apps/gateway/src/http/docs/docs-layout.ts';
export { openApiDocument } from '../../../../apps/gateway/src/http/docs/document.ts';
export {
  type Actors,
  actorsOf,
  createActors,
  type Firm,
  kindsOf,
  neededPermissions,
  neededScopes,
  otherScopes,
} from '../cases/actors.ts';
export {
  type ApnsScript,
  type ApnsServer,
  CERTIFICATE_FILE,
  KEY_FILE,
  openApnsServer,
} from '../stand-ins/apns-server.ts';
export { openAssistantGateway } from './assistant-gateway.ts';
export { calendarCalls, meeting, windowCalls } from './calendar-calls.ts';
export { checkCodesOf as layersOf, commonCases } from '../cases/common-cases.ts';
export { createMailUser } from './create-mail-user.ts';
export { runLoad } from '../load/load-thread.ts';
export { lockTicketRow } from './lock-ticket-row.ts';
export { measureEventLoop } from '../load/measure-event-loop.ts';
export { closed, generalHeaders, type Json, operationOf, published, resolved } from '../cases/published.ts';
export { apnsVariables, createTestProvider, type Phone, registerPhone, TOPICS } from './push-devices.ts';
export { openSocket, type RawSocket } from './raw-socket.ts';
export { createUserWithPassword, PASSWORD, signInAt } from './sign-in.ts';
export { openSilentClient, silentClients } from '../load/silent-clients.ts';
export { suiteGateway, suitePushGateway } from './suite-gateway.ts';
export {
  type Answer,
  openTestGateway,
  type RequestOptions,
  type RpcAnswer,
  request,
  type TestGateway,
} from './test-gateway.ts';
export { notificationsOf, ticketCalls } from './ticket-calls.ts';
export { createTicketFixture, type TicketFixture } from './ticket-fixture.ts';
export { createUserWithToken, tokenOf, type UserWithToken } from './user-with-token.ts';
export { type Follower, follow, followTicket, type Viewer } from './viewer.ts';
