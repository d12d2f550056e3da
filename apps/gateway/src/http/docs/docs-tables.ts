import {
  errorTable,
  MAX_CALENDARS_OWNED,
  MAX_EVENTS_PER_CALENDAR,
  MAX_MACROS,
  MAX_PUSHES_LISTED,
  MAX_RECIPIENTS,
  MAX_RULE_EFFECTS,
  MAX_RULES,
  MAX_SESSIONS,
  MAX_SESSIONS_LISTED,
  MAX_WINDOW_DAYS,
  MAX_WINDOW_OCCURRENCES,
  scopes,
} from '@firmdesk/contract';
import { type AppRouter, declaredProcedures, type ProcedureSpec } from '@firmdesk/domain';
import { z } from 'zod';
import type { Json } from './document-components.ts';

/** The functions that return the tables of the guides as Markdown, by the name of the table. */
export const tables: Record<string, (router: AppRouter) => string> = {
  errors: errorsTable,
  'body-limits': bodyLimits,
  'field-limits': fieldLimits,
  'list-limits': listLimits,
  scopes: scopesTable,
  'platform-procedures': platformProcedures,
};

function errorsTable(router: AppRouter): string {
  const specs = declaredProcedures(router).map(({ spec }) => spec);
  const total = specs.filter(({ rest }) => rest).length;
  const paragraphs = Object.entries(errorTable).map(([code, { status, queryStatus, message, replayed }]) => {
    const returning = specs.filter(({ rest, errors }) => rest && errors.includes(code as never));
    const where =
      returning.length === total
        ? 'every call'
        : returning.length > 5
          ? `${returning.length} of ${total} operations`
          : returning.map(({ rest }) => `\`${rest!.method} ${rest!.path}\``).join(', ') ||
            'typed RPC, or any path';
    const statuses =
      queryStatus === null ? `Status ${status}` : `Status ${queryStatus} for a query, ${status} for a body`;
    const stored = replayed ? ' A call with the same idempotency key gets this answer again.' : '';
    return `### \`${code}\`\n\n${statuses}. ${message}${stored}\n\nReturned by ${where}.`;
  });
  return paragraphs.join('\n\n');
}

function scopesTable(router: AppRouter): string {
  const procedures = declaredProcedures(router);
  const rows = scopes.map((scope) => {
    const needing = procedures.filter(({ spec: { access } }) => 'scope' in access && access.scope === scope);
    const rest = needing.flatMap(({ spec }) =>
      spec.rest ? [`\`${spec.rest.method} ${spec.rest.path}\``] : [],
    );
    const others = needing.length - rest.length;
    const users = [...rest, ...(others > 0 ? [`${others} of typed RPC`] : [])];
    return [`\`${scope}\``, users.join('<br>') || 'none'];
  });
  return table(['Scope', 'Required by'], rows).replaceAll('<br>', ', ');
}

/** Lists the operations of REST that take a body, with the largest body of each. */
function bodyLimits(router: AppRouter): string {
  const rows = restOperations(router)
    .filter(({ spec }) => spec.input === 'body')
    .map(({ spec, target }) => [target, `${spec.bodyLimit.toLocaleString('en')} bytes`]);
  return table(['Operation', 'Largest body'], rows);
}

/** Lists the fields and parameters of REST that have a limit. */
function fieldLimits(router: AppRouter): string {
  const rows = restOperations(router).flatMap(({ meta, target }) => {
    const schema = z.toJSONSchema(meta.input, { io: 'input', unrepresentable: 'any' });
    return Object.entries((schema.properties ?? {}) as Record<string, Json>).flatMap(([name, field]) => {
      const limit = limitOf(field);
      return limit === null ? [] : [[target, `\`${name}\``, limit]];
    });
  });
  return table(['Operation', 'Field', 'Limit'], rows);
}

/** Returns the limit of a field in words; null for a field without one, such as an id or one of a few values. */
function limitOf({ maxLength, maxItems, minimum, maximum }: Json): string | null {
  if (maxLength !== undefined) return `at most ${number(Number(maxLength))} characters`;
  if (maxItems !== undefined) return `at most ${number(Number(maxItems))} items`;
  const hasMaximum = maximum !== undefined && Number(maximum) < INTEGER_MAX;
  return hasMaximum ? `between ${number(Number(minimum ?? 0))} and ${number(Number(maximum))}` : null;
}

/** The largest integer id: a field with this maximum has no other limit. */
const INTEGER_MAX = 2_147_483_647;

/** Lists the limits of responses and of stored rows that the contract package exports. */
function listLimits(): string {
  return table(
    ['What', 'Limit', 'Beyond it'],
    [
      ['rows of a page (`limit`)', '100', 'counts as 100'],
      ['days of a calendar window', String(MAX_WINDOW_DAYS), '`window_too_wide`'],
      ['occurrences of a calendar window', number(MAX_WINDOW_OCCURRENCES), '`meta.truncated` is `true`'],
      ['events of a calendar', number(MAX_EVENTS_PER_CALENDAR), '`event_limit_reached`'],
      [
        'calendars that an account owns in a workspace',
        String(MAX_CALENDARS_OWNED),
        '`calendar_limit_reached`',
      ],
      ['macros of a firm', String(MAX_MACROS), '`macro_limit_reached`'],
      ['rules of a firm', String(MAX_RULES), '`rule_limit_reached`'],
      ['effects of a firm’s rules in an hour', number(MAX_RULE_EFFECTS), 'the rules wait for the next hour'],
      [
        'recipients of a message, in `to`, `cc` and `bcc` together',
        String(MAX_RECIPIENTS),
        '`validation_failed`',
      ],
      ['sessions of an account in a firm', String(MAX_SESSIONS), 'the one not used for longest ends'],
      ['sessions in the list', String(MAX_SESSIONS_LISTED), 'the most recently used ones'],
      ['recorded pushes in the list', String(MAX_PUSHES_LISTED), 'the newest ones'],
    ],
  );
}

function number(value: number): string {
  return value.toLocaleString('en');
}

function restOperations(router: AppRouter) {
  return declaredProcedures(router).flatMap(({ spec, meta }) =>
    spec.rest ? [{ spec, meta, target: `\`${spec.rest.method} ${spec.rest.path}\`` }] : [],
  );
}

/** Describes each procedure of the platform's internal API: a heading, its input, and its error codes. */
function platformProcedures(router: AppRouter): string {
  return declaredProcedures(router)
    .filter(({ spec: { access } }) => 'scope' in access && access.scope === 'platform:write')
    .map(({ name, spec, meta }) => {
      const { properties = {}, required = [] } = z.toJSONSchema(meta.input, {
        io: 'input',
        unrepresentable: 'any',
      }) as { properties?: Record<string, Json>; required?: string[] };
      const rows = Object.entries(properties).map(([field, schema]) => [
        `\`${field}\``,
        typeOf(schema),
        required.includes(field) ? 'yes' : '',
        cell(String(schema['description'] ?? '')),
      ]);
      return [
        `### ${name}`,
        `${spec.summary}. ${spec.description ?? ''}`.trim(),
        table(['Field', 'Type', 'Required', 'Description'], rows),
        `${firmOf(spec)} Error codes: ${ownCodes(spec)}.`,
      ].join('\n\n');
    })
    .join('\n\n');
}

function firmOf({ access }: ProcedureSpec): string {
  return access.level === 'workspace'
    ? 'Acts in one firm: a token of the platform names it in `Service-Workspace`.'
    : 'Acts in the token’s own workspace; the input says where.';
}

/** Returns the error codes that are specific to the procedure, as opposed to those of every mutation. */
function ownCodes(spec: ProcedureSpec): string {
  const common = [
    'internal_error',
    'rate_limited',
    'unavailable',
    'payload_too_large',
    'unsupported_media_type',
  ];
  return spec.errors
    .filter((code) => !common.includes(code))
    .map((code) => `\`${code}\``)
    .join(', ');
}

function typeOf(schema: Json): string {
  const forms = (schema['anyOf'] as Json[] | undefined)?.map(typeOf);
  if (forms) return [...new Set(forms)].join(' or ');
  const values = schema['enum'] as string[] | undefined;
  if (values) return values.map((value) => `\`${value}\``).join(', ');
  if (schema['items']) return `array of ${typeOf(schema['items'] as Json)}`;
  const most = schema['maxLength'] ?? schema['maximum'];
  const isBounded = typeof most === 'number' && most < Number.MAX_SAFE_INTEGER;
  return `${schema['format'] ?? schema['type'] ?? 'any'}${isBounded ? `, at most ${most}` : ''}`;
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
