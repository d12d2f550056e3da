import * as z from 'zod';
import { Language, VisibleLine, VisibleText } from '../values/fields.ts';
import {
  mailTemplateKinds,
  mailTemplateVariables,
  partialMailLinks,
  unknownMailVariables,
} from './mail-template-kinds.ts';

/** Maximum length of the subject and the text of a template. */
export const MAX_TEMPLATE_SUBJECT = 200;
export const MAX_TEMPLATE_TEXT = 10_000;
/** Maximum number of languages in which a firm writes a kind of mail. */
export const MAX_TEMPLATE_LANGUAGES = 20;

const MailTemplateKind = z.enum(mailTemplateKinds);
const TemplateLanguage = Language.max(35);

/** The wording of one kind of mail in one language. `text` is Markdown. Variables, such as `{{firm_name}}`, get their values when the mail is written. */
export const MailTemplate = z.object({
  object: z.literal('mail_template'),
  kind: MailTemplateKind,
  language: TemplateLanguage,
  subject: z.string(),
  text: z.string(),
  /** Whether the firm has written it. If not, it is the built-in wording. */
  is_custom: z.boolean(),
  variables: z.array(z.string()),
});
export type MailTemplate = z.infer<typeof MailTemplate>;

/** All wordings of a firm: the built-in one of each kind in English unless the firm has its own, and its own in other languages. */
export const MailTemplateList = z.object({
  object: z.literal('mail_template_list'),
  templates: z.array(MailTemplate),
});
export type MailTemplateList = z.infer<typeof MailTemplateList>;

export const SaveMailTemplateInput = z
  .object({
    kind: MailTemplateKind,
    language: TemplateLanguage,
    subject: VisibleLine.max(MAX_TEMPLATE_SUBJECT),
    text: VisibleText.max(MAX_TEMPLATE_TEXT),
  })
  .superRefine(({ kind, ...texts }, { addIssue }) => {
    for (const field of ['subject', 'text'] as const) {
      for (const name of partialMailLinks(texts[field]))
        addIssue({
          code: 'custom',
          path: [field],
          message: `must have "{{${name}}}" alone, or as the whole address of a link`,
        });
      for (const { name, line } of unknownMailVariables(kind, texts[field]))
        addIssue({
          code: 'custom',
          path: [field],
          message: `has the unknown variable "{{${name}}}" in line ${line}. The variables are ${mailTemplateVariables[kind].join(', ')}`,
        });
    }
  });
export type SaveMailTemplateInput = z.output<typeof SaveMailTemplateInput>;

export const MailTemplateRef = z.object({ kind: MailTemplateKind, language: TemplateLanguage });
export type MailTemplateRef = z.output<typeof MailTemplateRef>;

/** A template with made-up values, as a mail would have it. */
export const MailTemplatePreview = z.object({
  object: z.literal('mail_template_preview'),
  subject: z.string(),
  html: z.string(),
  text: z.string(),
});
export type MailTemplatePreview = z.infer<typeof MailTemplatePreview>;
