/** Returns the zone of a firm's days, which is that of its business hours if it has some. `id` is an SQL expression. */
export function zoneOfFirm(id: string): string {
  return `(select coalesce(sla_policy -> 'hours' ->> 'timezone', timezone) from workspaces where id = ${id})`;
}
