/**
 * The statements that read or write rows of all firms, each with the reason. Every other statement on a firm's table names the
 * firm; tests check it (`/statements/check-statements.ts`).
 */
export const statementsOfAllFirms = {
  retention: 'finds the oldest rows; each firm’s are deleted by a statement that names it',
  'pre-registrations': 'finds those that have expired; each firm’s are changed by a statement that names it',
  'job-requests':
    'finds the firms with requested jobs, and counts these for the metrics; each firm’s are moved by a statement that names it',
  'due-reminders': 'finds those that are due; each firm’s are handled in a transaction that names it',
  'due-warnings': 'finds tickets that are soon due; each firm’s are warned of in a transaction that names it',
  'waiting-assignments':
    'finds the firms with tickets that wait for an agent; each firm’s are assigned in transactions that name it',
  'rule-events':
    'finds tickets for which rules are due; each firm’s are handled in transactions that name it',
  'lost-runs': 'finds runs without a job; each is requeued in a transaction that names its firm',
  search: 'finds the firms that have pending texts or words',
  pushes: 'reads what a batch of pushes is about; if that fails, each firm’s pushes are read separately',
  'log-ends': 'finds the followed firms whose logs have new events',
  calendars: 'finds the firms of calendars that a command or an imported file names by id',
  audit: 'lists the latest changes in all firms',
  'account-rows': 'finds the firms whose rows name an account that is exported or erased',
  'former-members': 'checks whether members of a deleted firm have tickets in another one',
  import: 'checks that ids and unique keys of a file are not used yet, in any firm',
} as const;

/** Marks a statement of {@link statementsOfAllFirms}: put it into the statement's text. */
export function allFirms(statement: keyof typeof statementsOfAllFirms): string {
  return `/* all firms: ${statement} */`;
}
