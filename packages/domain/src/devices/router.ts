import {
  BrowserPushKey,
  DeviceRegistration,
  DeviceRemoved,
  idOf,
  PushDevice,
  PushTestInput,
  PushTestQueued,
  RecordedPush,
  RegisterBrowserInput,
  RegisterDeviceInput,
  RemoveDeviceInput,
} from '@firmdesk/contract';
import { z } from 'zod';
import { accountProcedure, NoInput, router } from '../procedures/trpc.ts';
import { sendTestPush } from '../push/index.ts';
import { listRecordedPushes } from './list-recorded-pushes.ts';
import { listRegistrations } from './list-registrations.ts';
import { registerBrowser } from './register-browser.ts';
import { type Registration, registerDevice } from './register-device.ts';
import { removeDevice } from './remove-device.ts';

export const devicesRouter = router({
  register: accountProcedure({
    rest: 'POST /v1/me/devices',
    tag: 'Devices',
    summary: 'Register a push token',
    description:
      'Each session has one registration per app: a repeated call replaces it (200). Sessions of different accounts, or of one ' +
      'account in different firms, may register the same push token, and each gets its own pushes. Another session of the same ' +
      'account and firm takes over the push token. Sign out before the app switches accounts.',
    status: [201, 200],
    scope: null,
    input: RegisterDeviceInput,
    output: PushDevice,
    answer: ({ device, replaced }: Registration) => ({ output: device, status: replaced ? 200 : 201 }),
  }).mutation(({ ctx, input }) => registerDevice(ctx, input)),

  list: accountProcedure({
    tag: 'Devices',
    summary: 'List the push registrations of the account’s sessions',
    scope: null,
    input: z.object({ session: idOf('token').optional() }),
    output: z.array(DeviceRegistration),
  }).query(({ ctx, input }) => listRegistrations(ctx, input)),

  pushes: accountProcedure({
    rest: 'GET /v1/me/devices/pushes',
    tag: 'Devices',
    summary: 'List the pushes that a test token’s devices would have got',
    description:
      'With a test token: the newest 100 pushes to the registrations of this token, as they would have been sent. Pushes of the ' +
      'test environment are recorded, and never sent to a phone. Kept for seven days. With a live token the list is empty.',
    scope: null,
    input: NoInput,
    output: z.array(RecordedPush),
    conditional: true,
  }).query(({ ctx }) => listRecordedPushes(ctx)),

  browserKey: accountProcedure({
    tag: 'Devices',
    summary: 'Get the key with which a browser subscribes to pushes',
    scope: null,
    input: NoInput,
    output: BrowserPushKey,
  }).query(({ ctx }) => ({
    object: 'browser_push_key' as const,
    public_key: ctx.services.browserPush?.publicKey ?? null,
  })),

  registerBrowser: accountProcedure({
    tag: 'Devices',
    summary: 'Register a browser for pushes to the calling session',
    description:
      'The browser gets the pushes of an `admin` device, encrypted for it, until its session ends. An account has at most 20 browsers: one ' +
      'more ends the one that was seen the longest ago.',
    scope: null,
    errors: ['resource_not_found'],
    input: RegisterBrowserInput,
    output: DeviceRegistration,
  }).mutation(({ ctx, input }) => registerBrowser(ctx, input)),

  remove: accountProcedure({
    tag: 'Devices',
    summary: 'End pushes to one of the account’s devices',
    description: 'Its session stays signed in. An app that registers again gets pushes again.',
    scope: null,
    errors: ['resource_not_found'],
    input: RemoveDeviceInput,
    output: DeviceRemoved,
  }).mutation(({ ctx, input }) => removeDevice(ctx, input)),

  pushTest: accountProcedure({
    tag: 'Devices',
    summary: 'Send a test push to the account’s own devices',
    scope: null,
    errors: ['resource_not_found'],
    input: PushTestInput,
    output: PushTestQueued,
  }).mutation(({ ctx, input }) =>
    sendTestPush(ctx, { userId: ctx.identity.user.id, environment: ctx.identity.environment, ...input }),
  ),
});
