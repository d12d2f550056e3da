import * as z from 'zod';
import { IanaZone } from '../account/devices.ts';
import { Language, LogoUrl, VisibleLine } from '../values/fields.ts';
import { MAX_AUDIT_DAYS, MAX_AVATAR_URL, MIN_AUDIT_DAYS } from '../values/limits.ts';

const settings = {
  name: VisibleLine.max(100),
  /** Of the mail to people who have no account yet, and of accounts that join with an invite. */
  language: Language.max(35),
  timezone: IanaZone,
  /** Whether pushes show who writes and about what. */
  push_content: z.enum(['full', 'none']),
  /** For how many days the audit log is kept. */
  audit_days: z.int().min(MIN_AUDIT_DAYS).max(MAX_AUDIT_DAYS),
};

/** The general settings of a firm. */
export const FirmSettings = z.object({
  object: z.literal('firm_settings'),
  ...settings,
  logo_url: LogoUrl,
});
export type FirmSettings = z.infer<typeof FirmSettings>;

/** What is left out stays. `logo`: a picture as a `data:` URL, or null for none. It is shrunk to at most 512 by 256 pixels. */
export const SetFirmSettingsInput = z
  .object({
    ...settings,
    logo: z
      .string()
      .regex(/^data:image\/(png|jpeg|webp);base64,/, 'must be a picture as a data: URL')
      .max(MAX_AVATAR_URL)
      .nullable(),
  })
  .partial();

/** What a new firm sets up, in the order in which it is shown. */
export const setupSteps = ['members', 'teams', 'mailboxes', 'knowledge', 'macros', 'sla'] as const;
export type SetupStep = (typeof setupSteps)[number];

/** Which steps the firm has done. `mailboxes`: mail to an address of the firm opens tickets. */
export const FirmSetup = z.object({ object: z.literal('firm_setup'), done: z.array(z.enum(setupSteps)) });
export type FirmSetup = z.infer<typeof FirmSetup>;
