import * as z from 'zod';
import {
  fieldErrorCodes,
  Language,
  Limit,
  pageOf,
  Timestamp,
  VisibleLine,
  VisibleText,
} from '../values/fields.ts';
import { ID_BODY, idPrefixes } from '../values/id-prefixes.ts';
import { IntegerId, idOf } from '../values/ids.ts';
import {
  MAX_MACRO_NAME,
  MAX_MACRO_TEXT,
  MAX_MACRO_TEXTS,
  MAX_MACRO_TOTAL,
  MAX_MACROS,
  MAX_TICKET_TAGS,
} from '../values/limits.ts';
import { LastEventId } from '../values/live.ts';
import { macroVariables, unknownVariables } from './macro-variables.ts';
import { Team, TicketPriority } from './tickets.ts';

const MacroName = VisibleLine.max(MAX_MACRO_NAME);

const MacroText = z.object({
  language: Language.max(35),
  text: VisibleText.max(MAX_MACRO_TEXT).superRefine((text, { addIssue }) => {
    for (const name of unknownVariables(text))
      addIssue(`has the unknown variable "{{${name}}}". The variables are ${macroVariables.join(', ')}`);
  }),
});

/** The text in each language. The first one is used for traders of other languages. */
const MacroTexts = z
  .array(MacroText)
  .min(1)
  .max(MAX_MACRO_TEXTS)
  .refine(
    (texts) => new Set(texts.map(({ language }) => language.toLowerCase())).size === texts.length,
    'must have each language once',
  )
  .refine(
    (texts) => texts.reduce((sum, { text }) => sum + text.length, 0) <= MAX_MACRO_TOTAL,
    `must have at most ${MAX_MACRO_TOTAL} characters in all languages together`,
  );

/** The statuses that a macro can set. A reply itself lets the ticket await the trader. */
const MacroStatus = z.enum(['awaiting_admin', 'resolved', 'closed']);

/** What is changed with the reply. `assignee`: `me` is the agent who sends it. */
const MacroActions = z.object({
  add_tags: z.array(IntegerId).max(MAX_TICKET_TAGS).default([]),
  status: MacroStatus.nullable().default(null),
  priority: TicketPriority.nullable().default(null),
  assignee: z
    .union([z.literal('me'), idOf('user')])
    .nullable()
    .default(null),
});

/**
 * A prepared reply of a firm, or of one of its teams. `used`: in how many sent replies. A tag that was deleted, and an assignee who
 * is no longer an agent, are left out.
 */
export const Macro = z.object({
  object: z.literal('macro'),
  id: idOf('macro'),
  name: z.string(),
  team: Team.nullable(),
  texts: z.array(z.object({ language: z.string(), text: z.string() })),
  actions: z.object({
    add_tags: z.array(IntegerId),
    status: MacroStatus.nullable(),
    priority: TicketPriority.nullable(),
    assignee: z.string().nullable(),
  }),
  used: z.int(),
  last_used_at: Timestamp.nullable(),
});
export type Macro = z.infer<typeof Macro>;

/** In the firm's order. `usable`: only those of the firm itself and of the caller's teams. */
export const ListMacrosInput = z.object({
  usable: z.boolean().default(false),
  limit: Limit,
  /** The place of a page's last macro, which stays valid if that macro is deleted. */
  starting_after: z
    .string()
    .regex(new RegExp(`^\\d{1,9}\\.${idPrefixes.macro}${ID_BODY}$`))
    .optional()
    .register(fieldErrorCodes, { code: 'invalid_cursor' }),
});
export const MacroPage = pageOf(Macro);

export const CreateMacroInput = z.object({
  name: MacroName,
  team: IntegerId.nullable().default(null),
  texts: MacroTexts,
  actions: MacroActions.prefault({}),
});

export const MacroRef = z.object({ id: idOf('macro') });

/** All fields are replaced. */
export const UpdateMacroInput = CreateMacroInput.extend({ id: idOf('macro') });

/** `before`: the macro that follows afterwards; null for the end of the list. */
export const MoveMacroInput = MacroRef.extend({ before: idOf('macro').nullable() });

export const MacroDeleted = z.object({ object: z.literal('macro_deleted'), id: idOf('macro') });
export const MacroMoved = z.object({ object: z.literal('macro_moved'), id: idOf('macro') });

/** A macro of a file: teams and tags by name, assignees by address, so that a file can go to another firm. */
const MacroOfFile = z.object({
  name: MacroName,
  team: z.string().nullable().default(null),
  texts: MacroTexts,
  actions: z
    .object({
      add_tags: z.array(z.string()).max(MAX_TICKET_TAGS).default([]),
      status: MacroStatus.nullable().default(null),
      priority: TicketPriority.nullable().default(null),
      assignee: z.string().nullable().default(null),
    })
    .prefault({}),
});
export type MacroOfFile = z.infer<typeof MacroOfFile>;

/** The file of an export and of an import (`docs/macros.md`). */
export const MacroFile = z.object({
  format: z.literal('firmdesk-macros'),
  version: z.literal(1),
  macros: z.array(MacroOfFile).max(MAX_MACROS),
});
export type MacroFile = z.infer<typeof MacroFile>;

export const MacrosImported = z.object({
  object: z.literal('macros_imported'),
  created: z.int(),
  updated: z.int(),
});

export const StreamMacrosInput = z.object({ lastEventId: LastEventId });

export const MacroStreamEvent = z.discriminatedUnion('type', [
  /** Macros were created, changed, moved or deleted: fetch the list again. */
  z.object({ type: z.literal('macros.changed') }),
  z.object({ type: z.literal('resync') }),
]);
export type MacroStreamEvent = z.infer<typeof MacroStreamEvent>;
