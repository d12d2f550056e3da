import { DEFAULT_AUDIT_DAYS, type FirmSettings, type SetFirmSettingsInput } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { recordAudit } from '../access/audit/audit.ts';
import { Workspace } from '../access/workspaces/workspace.entity.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { beginChange } from './firm-changes.ts';

/** Returns the general settings of the firm. */
export async function getFirmSettings({ em, workspace }: AccountContext): Promise<FirmSettings> {
  return settingsOf(await em.findOneOrFail(Workspace, workspace.id));
}

/** Changes the general settings of the firm. Its sandbox has the same name and content of pushes. */
export async function setFirmSettings(
  caller: AccountContext,
  { name, language, timezone, push_content, audit_days }: z.output<typeof SetFirmSettingsInput>,
): Promise<FirmSettings> {
  const ctx = await beginChange(caller, 'settings');
  const { em, db, workspace } = ctx;
  const firm = await em.findOneOrFail(Workspace, workspace.id, { refresh: true });
  const before = settingsOf(firm);
  if (name !== undefined) firm.name = name;
  if (language !== undefined) firm.language = language;
  if (timezone !== undefined) firm.timezone = timezone;
  if (push_content !== undefined) firm.pushContent = push_content;
  if (audit_days !== undefined) firm.auditDays = audit_days;
  await em.flush();
  await sql`
    update workspaces set name = ${firm.name}, push_content = ${firm.pushContent} where sandbox_of = ${workspace.id}`.execute(
    db,
  );
  const after = settingsOf(firm);
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

function settingsOf({ name, language, timezone, pushContent, auditDays }: Workspace): FirmSettings {
  return {
    object: 'firm_settings',
    name,
    language,
    timezone,
    push_content: pushContent,
    audit_days: auditDays ?? DEFAULT_AUDIT_DAYS,
  };
}
