/** A gateway in the process of the test, its callers, and the cases that every procedure passes. */
export { readTrustedProxies } from '@firmdesk/gateway/testing';
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
export { checkCodesOf as layersOf, commonCases, guardCases } from '../cases/common-cases.ts';
export {
  codesWithoutExample,
  commonErrors,
  type ExampleCall,
  exampleCalls,
  extraTokens,
  PROVIDER_ONLY,
  SECOND_FACTOR,
  SUSPENDED,
} from '../cases/example-calls.ts';
export { normalizeJson } from '../cases/normalize-json.ts';
export { closed, generalHeaders, type Json, operationOf, published, resolved } from '../cases/published.ts';
export { runLoad } from '../load/load-thread.ts';
export { measureEventLoop } from '../load/measure-event-loop.ts';
export { openSilentClient, silentClients } from '../load/silent-clients.ts';
export {
  type ApnsScript,
  type ApnsServer,
  CERTIFICATE_FILE,
  KEY_FILE,
  openApnsServer,
} from '../stand-ins/apns-server.ts';
export { openSealed, type Subscription, type WebPushServer } from '../stand-ins/web-push-server.ts';
export { openAssistantGateway } from './assistant-gateway.ts';
export {
  attachmentCalls,
  callAttachment,
  createAttachmentFixture,
  errorCodeOf,
  isStored,
  PDF,
  PNG,
  pruneKind,
  suspendAndDeleteFirm,
} from './attachment-calls.ts';
export { calendarCalls, meeting, windowCalls } from './calendar-calls.ts';
export { createMailUser } from './create-mail-user.ts';
export { lockTicketRow } from './lock-ticket-row.ts';
export {
  apnsVariables,
  createTestProvider,
  openTestBrowserPush,
  type Phone,
  registerPhone,
  TOPICS,
} from './push-devices.ts';
export { exchange } from './raw-http.ts';
export { openSocket, type RawSocket, refusedUpgrade } from './raw-socket.ts';
export { rpcInput } from './rpc-input.ts';
export { createUserWithPassword, PASSWORD, signInAt } from './sign-in.ts';
export { suiteGateway, suitePushGateway } from './suite-gateway.ts';
export {
  type Answer,
  openTestGateway,
  type RequestOptions,
  type RpcAnswer,
  request,
  type TestGateway,
} from './test-gateway.ts';
export { EFFECTS, gate, hasReached, LEAKED_SECRET, testRouter } from './test-router.ts';
export { notificationsOf, ticketCalls } from './ticket-calls.ts';
export { createTicketFixture, type TicketFixture } from './ticket-fixture.ts';
export { createUserWithToken, tokenOf, type UserWithToken } from './user-with-token.ts';
export { type Follower, follow, followTicket, type Viewer } from './viewer.ts';
