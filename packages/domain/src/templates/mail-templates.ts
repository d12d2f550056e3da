import {
  MAX_TEMPLATE_LANGUAGES,
  type MailTemplate,
  type MailTemplateKind,
  type MailTemplateList,
  type MailTemplatePreview,
  type MailTemplateRef,
  type MailTemplateValues,
  mailTemplateKinds,
  mailTemplateVariables,
  type SaveMailTemplateInput,
} from '@firmdesk/contract';
import { sql } from 'kysely';
import { recordAudit } from '../access/audit/audit.ts';
import { logoUrl } from '../access/workspaces/logo.ts';
import type { OperationContext } from '../platform/database/context.ts';
import { invalidField } from '../platform/process/errors.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { DEFAULT_LANGUAGE, defaultWordings, exampleValues, type Wording } from './default-wordings.ts';
import { type RenderedMail, renderWording } from './render-wording.ts';

/** The wordings of a firm, by kind and language. */
type Wordings = Partial<Record<MailTemplateKind, Record<string, Wording>>>;

/**
 * Writes a mail of a kind in the firm's wording: in the language, in a more general form of it (`pt` for `pt-BR`), in English, or else in the first
 * language in which the firm has written it. Values are text; one that is null has none.
 */
export async function renderTemplate<Kind extends MailTemplateKind>(
  ctx: Pick<OperationContext, 'db' | 'services'>,
  kind: Kind,
  firm: { id: number },
  language: string,
  values: MailTemplateValues<Kind>,
): Promise<RenderedMail> {
  const { own, logo } = await readFirm(ctx, firm.id);
  return (
    renderOwn(own, kind, language, values, logo) ??
    renderWording(defaultWordings[kind], DEFAULT_LANGUAGE, values, logo)
  );
}

/** {@link renderTemplate}, for mail that has a built-in text in each language: null if the firm has written none. */
export async function renderOwnTemplate<Kind extends MailTemplateKind>(
  ctx: Pick<OperationContext, 'db' | 'services'>,
  kind: Kind,
  firm: { id: number },
  language: string,
  values: MailTemplateValues<Kind>,
): Promise<RenderedMail | null> {
  const { own, logo } = await readFirm(ctx, firm.id);
  return renderOwn(own, kind, language, values, logo);
}

function renderOwn<Kind extends MailTemplateKind>(
  wordings: Wordings,
  kind: Kind,
  language: string,
  values: MailTemplateValues<Kind>,
  logo: string | null,
): RenderedMail | null {
  const own: Record<string, Wording> = wordings[kind] ?? {};
  const languages = [language, language.split('-')[0]!, DEFAULT_LANGUAGE, ...Object.keys(own)];
  const chosen = languages.find((each) => Object.hasOwn(own, each));
  return chosen === undefined ? null : renderWording(own[chosen]!, chosen, values, logo);
}

/** Returns all wordings of the firm. */
export async function listMailTemplates(ctx: AccountContext): Promise<MailTemplateList> {
  const own = await readWordings(ctx, ctx.workspace.id);
  const templates = mailTemplateKinds.flatMap((kind) => {
    const languages = new Set([DEFAULT_LANGUAGE, ...Object.keys(own[kind] ?? {})]);
    return [...languages].map((language) => toTemplate(own, { kind, language }));
  });
  return { object: 'mail_template_list', templates };
}

/** Stores the firm's wording of a kind in a language. Throws `validation_failed` beyond {@link MAX_TEMPLATE_LANGUAGES}. */
export async function saveMailTemplate(
  ctx: AccountContext,
  { kind, language, subject, text }: SaveMailTemplateInput,
): Promise<MailTemplate> {
  const own = await lockWordings(ctx);
  const languages = new Set([...Object.keys(own[kind] ?? {}), language]);
  if (languages.size > MAX_TEMPLATE_LANGUAGES)
    throw invalidField(
      'language',
      `must not be one more than the ${MAX_TEMPLATE_LANGUAGES} languages of a kind of mail`,
    );
  const after = { ...own, [kind]: { ...own[kind], [language]: { subject, text } } };
  await writeWordings(ctx, after, { kind, language });
  return toTemplate(after, { kind, language });
}

/** Deletes the firm's wording of a kind in a language. Returns the built-in wording. */
export async function resetMailTemplate(ctx: AccountContext, ref: MailTemplateRef): Promise<MailTemplate> {
  const own = await lockWordings(ctx);
  const { [ref.language]: deleted, ...others } = own[ref.kind] ?? {};
  const after = { ...own, [ref.kind]: others };
  if (deleted) await writeWordings(ctx, after, ref);
  return toTemplate(after, ref);
}

/** Returns a wording, which need not be stored, as a mail with made-up values. */
export function previewMailTemplate({ language, subject, text }: SaveMailTemplateInput): MailTemplatePreview {
  return { object: 'mail_template_preview', ...renderWording({ subject, text }, language, exampleValues) };
}

function toTemplate(own: Wordings, { kind, language }: MailTemplateRef): MailTemplate {
  const written = own[kind]?.[language];
  return {
    object: 'mail_template',
    kind,
    language,
    ...(written ?? defaultWordings[kind]),
    is_custom: written !== undefined,
    variables: [...mailTemplateVariables[kind]],
  };
}

/** Returns the wordings of a firm, and the URL of its logo. */
async function readFirm(
  { db, services }: Pick<OperationContext, 'db' | 'services'>,
  workspaceId: number,
): Promise<{ own: Wordings; logo: string | null }> {
  const { rows } = await sql<{ mail_templates: Wordings; logo_hash: string | null }>`
    select mail_templates, logo_hash from workspaces where id = ${workspaceId}`.execute(db);
  return { own: rows[0]?.mail_templates ?? {}, logo: logoUrl(services, rows[0]?.logo_hash ?? null) };
}

async function readWordings({ db }: Pick<OperationContext, 'db'>, workspaceId: number): Promise<Wordings> {
  const { rows } = await sql<{ mail_templates: Wordings }>`
    select mail_templates from workspaces where id = ${workspaceId}`.execute(db);
  return rows[0]?.mail_templates ?? {};
}

async function lockWordings(ctx: AccountContext): Promise<Wordings> {
  await sql`select from workspaces where id = ${ctx.workspace.id} for no key update`.execute(ctx.db);
  return readWordings(ctx, ctx.workspace.id);
}

async function writeWordings(
  ctx: AccountContext,
  wordings: Wordings,
  changed: MailTemplateRef,
): Promise<void> {
  const { db, workspace, identity } = ctx;
  await sql`
    update workspaces set mail_templates = ${JSON.stringify(wordings)}::jsonb
    where id = ${workspace.id}`.execute(db);
  const { kind, language } = changed;
  await recordAudit({ ...ctx, actor: { kind: 'account', id: identity.user.id } }, workspace.id, {
    action: 'firm.mail_template_changed',
    target: { type: 'firm', id: workspace.slug },
    after: { kind, language, is_custom: wordings[kind]?.[language] !== undefined },
  });
}
