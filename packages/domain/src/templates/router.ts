import {
  MailTemplate,
  MailTemplateList,
  MailTemplatePreview,
  MailTemplateRef,
  SaveMailTemplateInput,
} from '@firmdesk/contract';
import { adminProcedure, NoInput, router } from '../procedures/trpc.ts';
import {
  listMailTemplates,
  previewMailTemplate,
  resetMailTemplate,
  saveMailTemplate,
} from './mail-templates.ts';

/** As for the assistant's settings. */
const shared = { tag: 'Mail', permissions: ['manage_assistant'] } as const;

export const templatesRouter = router({
  list: adminProcedure({
    ...shared,
    scope: 'admin:read',
    summary: 'List the wordings of the firm’s mail',
    input: NoInput,
    output: MailTemplateList,
  }).query(({ ctx }) => listMailTemplates(ctx)),

  preview: adminProcedure({
    ...shared,
    scope: 'admin:read',
    summary: 'Show a wording as a mail with made-up values',
    input: SaveMailTemplateInput,
    output: MailTemplatePreview,
  }).query(({ input }) => previewMailTemplate(input)),

  save: adminProcedure({
    ...shared,
    scope: 'admin:write',
    summary: 'Change the wording of a kind of mail in one language',
    input: SaveMailTemplateInput,
    output: MailTemplate,
  }).mutation(({ ctx, input }) => saveMailTemplate(ctx, input)),

  reset: adminProcedure({
    ...shared,
    scope: 'admin:write',
    summary: 'Return to the built-in wording of a kind of mail',
    input: MailTemplateRef,
    output: MailTemplate,
  }).mutation(({ ctx, input }) => resetMailTemplate(ctx, input)),
});
