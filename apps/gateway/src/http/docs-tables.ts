import { errorTable, scopes } from '@firmdesk/contract';
import type { AppRouter, ProcedureSpec } from '@firmdesk/domain';
import { z } from 'zod';
import type { Json } from './document-components.ts';
import { declaredProcedures } from './routes.ts';

/** The functions that return the tables of the guides as Markdown, by the name of the table. */
export const tables: Record<string, (router: AppRouter) => string> = {
  errors: errorsTable,
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
