import type { RuleProperty, RuleTrigger } from '@firmdesk/contract';

/**
 * What changes of a firm's tickets start (`workspaces.ticket_automation`). It is derived from the firm's teams and rules, and read with each
 * locked ticket: so a firm without them pays nothing.
 */
export interface TicketAutomation {
  /** The teams whose tickets are assigned automatically. */
  assigns: readonly number[];
  /** What the rules that are on wait for. */
  on: readonly RuleTrigger['on'][];
  /** The properties whose changes start a rule. */
  properties: readonly RuleProperty[];
  /** The times after which a rule runs for a waiting ticket. */
  waits: readonly { for: 'team' | 'trader'; minutes: number }[];
}
