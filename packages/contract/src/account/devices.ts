import * as z from 'zod';
import { Line, Timestamp } from '../values/fields.ts';
import { idOf } from '../values/ids.ts';
import { deviceApps, pushApps, pushEnvironments } from '../values/schema-enumerations.ts';

/** A push provider's device token: 32 to 100 bytes in hexadecimal, stored in lower case. */
export const PushToken = z
  .string()
  .regex(/^([0-9a-fA-F]{2}){32,100}$/, 'must have between 64 and 200 hexadecimal digits, in pairs')
  .toLowerCase();

/** The IANA name of a time zone, or an alias of it. A UTC offset is rejected. */
export const IanaZone = z
  .string()
  .max(64)
  .refine(isIanaZone, 'must be an IANA time zone, such as "Europe/Berlin"');

/** Contract §4.4. */
export const RegisterDeviceInput = z.object({
  app: z.enum(deviceApps).meta({ description: 'The app that is registered' }),
  environment: z
    .enum(pushEnvironments)
    .meta({ description: 'The environment of Apple’s push service for which the app was built' }),
  token: PushToken.meta({ description: 'The device token from Apple’s push service, in hexadecimal' }),
  locale: Line.max(100)
    .optional()
    .meta({
      description: 'The language of the phone, a BCP 47 tag',
      examples: ['en-GB'],
    }),
  timezone: IanaZone.optional().meta({ description: 'Calendar reminders state times in it' }),
  app_version: Line.max(100).optional().meta({ description: 'The version of the app' }),
  os_version: Line.max(100)
    .optional()
    .meta({
      description: 'The version of the phone’s system',
      examples: ['26.1'],
    }),
});
export type RegisterDeviceInput = z.output<typeof RegisterDeviceInput>;

/** Contract §2.3. The push token is never shown. */
export const PushDevice = z.object({
  object: z.literal('push_device'),
  app: z.enum(deviceApps).meta({ description: 'The app that is registered' }),
  environment: z
    .enum(pushEnvironments)
    .meta({ description: 'The environment of Apple’s push service for which the app was built' }),
  created_at: Timestamp.meta({ description: 'The time of the first registration' }),
  last_seen_at: Timestamp.meta({ description: 'The time of the latest registration' }),
});
export type PushDevice = z.infer<typeof PushDevice>;

/** A registration with its session, for the console. */
export const DeviceRegistration = PushDevice.extend({
  app: z.enum(pushApps).meta({ description: 'The app that is registered; `browser` is the console' }),
  session: idOf('token'),
  current: z.boolean().meta({ description: 'Whether the session is the caller’s own' }),
  locale: z.string().nullable(),
  timezone: z.string().nullable(),
  app_version: z.string().nullable(),
  os_version: z.string().nullable(),
});
export type DeviceRegistration = z.infer<typeof DeviceRegistration>;

/** Base64url without padding, of so many bytes. */
const bytes = (length: number) =>
  z
    .string()
    .regex(/^[\w-]+$/, 'must be base64url without padding')
    .length(Math.ceil((length * 4) / 3), `must be ${length} bytes in base64url`);

/** The subscription of a browser to its push service (Push API), for pushes to the calling session. */
export const RegisterBrowserInput = z.object({
  endpoint: Line.max(2_000).meta({
    description: 'The URL of the subscription, which its push service made',
    examples: ['https://push.example.com/v1/subscription'],
  }),
  keys: z
    .object({
      p256dh: bytes(65).meta({
        description: 'The public key of the subscription',
        examples: ['BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'],
      }),
      auth: bytes(16).meta({
        description: 'The authentication secret of the subscription',
        examples: ['BTBZMqHH6r4Tts7J_aSIgg'],
      }),
    })
    .meta({ description: 'Pushes are encrypted for them, so that the push service reads none (RFC 8291)' }),
  timezone: IanaZone.optional().meta({ description: 'Calendar reminders state times in it' }),
});
export type RegisterBrowserInput = z.output<typeof RegisterBrowserInput>;

/** The keys that pushes to a browser are encrypted for. */
export type BrowserKeys = RegisterBrowserInput['keys'];

/** What a browser needs to subscribe. */
export const BrowserPushKey = z.object({
  object: z.literal('browser_push_key'),
  public_key: z.string().nullable().meta({
    description: 'The `applicationServerKey` (VAPID); null: this installation sends no pushes to browsers',
  }),
});
export type BrowserPushKey = z.infer<typeof BrowserPushKey>;

/** The registration to end. */
export const RemoveDeviceInput = z.object({
  app: z.enum(pushApps),
  session: idOf('token').meta({ description: 'The session of the account whose registration it is' }),
});

export const DeviceRemoved = z.object({
  object: z.literal('push_device_removed'),
  app: z.enum(pushApps),
  session: idOf('token'),
});
export type DeviceRemoved = z.infer<typeof DeviceRemoved>;

/** A test push to the caller's own devices: to all, or to those of one app or one session. */
export const PushTestInput = z.object({
  app: z.enum(pushApps).optional(),
  session: idOf('token').optional(),
});
export type PushTestInput = z.output<typeof PushTestInput>;

export const PushTestQueued = z.object({
  object: z.literal('push_test'),
  devices: z.int().meta({ description: 'The number of registrations that it is sent to' }),
});
export type PushTestQueued = z.infer<typeof PushTestQueued>;

/** A push of a sandbox, which was recorded and not sent. */
export const RecordedPush = z.object({
  object: z.literal('recorded_push'),
  id: z.guid().meta({
    description: 'The id of the push, which a sent one would have as its `apns-id`',
    examples: ['6f8c2f0e-8a53-4a7e-9d0b-3c1f5e7a9b24'],
  }),
  app: z.enum(pushApps).meta({ description: 'The app that would get it', examples: ['mail'] }),
  payload: z
    .record(z.string(), z.unknown())
    .nullable()
    .meta({
      description: 'What the phone would get; null for a push that was dropped',
      examples: [{ aps: { alert: { title: 'Ann', body: 'Hello' } } }],
    }),
  dropped: z
    .string()
    .nullable()
    .meta({
      description: 'Why it would not be sent: such as `muted` or `own`; null for a recorded push',
      examples: ['muted'],
    }),
  created_at: Timestamp.meta({ description: 'When it was queued' }),
});
export type RecordedPush = z.infer<typeof RecordedPush>;

function isIanaZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}
