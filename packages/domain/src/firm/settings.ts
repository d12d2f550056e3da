import { DEFAULT_AUDIT_DAYS, type FirmSettings, type SetFirmSettingsInput } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { avatarHash } from '../access/accounts/avatar.ts';
import { recordAudit } from '../access/audit/audit.ts';
import { drawLogo, logoUrl } from '../access/workspaces/logo.ts';
import { Workspace } from '../access/workspaces/workspace.entity.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { beginChange } from './firm-changes.ts';

/** Returns the general settings of the firm. */
export async function getFirmSettings({ em, services, workspace }: AccountContext): Promise<FirmSettings> {
  return settingsOf(services, await em.findOneOrFail(Workspace, workspace.id));
}

/** Returns the logo that the settings get; undefined if it does not change. Throws as {@link drawLogo}. */
export async function prepareLogo(
  { workspace }: AccountContext,
  { logo }: z.output<typeof SetFirmSettingsInput>,
): Promise<string | null | undefined> {
  return logo == null ? logo : await drawLogo(logo, workspace.id);
}

/** Changes the general settings of the firm, and its logo to one that is drawn. Its sandbox has the same name, logo and content of pushes. */
export async function setFirmSettings(
  caller: AccountContext,
  { name, language, timezone, push_content, audit_days }: z.output<typeof SetFirmSettingsInput>,
  drawn: string | null | undefined,
): Promise<FirmSettings> {
  const ctx = await beginChange(caller, 'settings');
  const { em, db, services, workspace } = ctx;
  const firm = await em.findOneOrFail(Workspace, workspace.id, { refresh: true });
  const before = settingsOf(services, firm);
  if (name !== undefined) firm.name = name;
  if (drawn !== undefined) {
    firm.logo = drawn;
    firm.logoHash = drawn && avatarHash(drawn);
  }
  if (language !== undefined) firm.language = language;
  if (timezone !== undefined) firm.timezone = timezone;
  if (push_content !== undefined) firm.pushContent = push_content;
  if (audit_days !== undefined) firm.auditDays = audit_days;
  await em.flush();
  await sql`
    update workspaces s set name = f.name, logo = f.logo, logo_hash = f.logo_hash, push_content = f.push_content
    from workspaces f where f.id = ${workspace.id} and s.sandbox_of = f.id`.execute(db);
  const after = settingsOf(services, firm);
  const changed = Object.keys(after).filter(
    (key) => before[key as keyof FirmSettings] !== after[key as keyof FirmSettings],
  ) as (keyof FirmSettings)[];
  const pick = (of: FirmSettings) => Object.fromEntries(changed.map((key) => [key, of[key]]));
  if (changed.length > 0)
    await recordAudit(ctx, workspace.id, {
      action: 'firm.settings_changed',
      target: { type: 'firm', id: workspace.slug },
      before: pick(before),
      after: pick(after),
    });
  return after;
}

function settingsOf(
  services: AccountContext['services'],
  { name, logoHash, language, timezone, pushContent, auditDays }: Workspace,
): FirmSettings {
  return {
    object: 'firm_settings',
    name,
    logo_url: logoUrl(services, logoHash ?? null),
    language,
    timezone,
    push_content: pushContent,
    audit_days: auditDays ?? DEFAULT_AUDIT_DAYS,
  };
}
