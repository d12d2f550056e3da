import { Migration } from '@mikro-orm/migrations';

/**
 * The permissions to run a firm. Administrators who held every permission get them; in a firm where nobody did, an operator grants them
 * (`ops user permissions`).
 */
export class SettingsPermissions extends Migration {
  override up(): void {
    this.addSql(`
      update memberships
      set permissions = permissions || '{manage_members,manage_settings,manage_tokens,view_audit,view_reports}'::text[]
      where role = 'admin' and not permissions && '{manage_members,manage_settings,manage_tokens,view_audit,view_reports}'::text[]
        and permissions @> '{view_tickets,manage_tickets,view_payouts,view_affiliates,manage_affiliates,view_risk,view_storage,view_mail_health,manage_assistant}'::text[]`);
  }
}
