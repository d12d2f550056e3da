import {
  CreateMacroInput,
  ListMacrosInput,
  MACRO_FILE_LIMIT,
  Macro,
  MacroDeleted,
  MacroFile,
  MacroMoved,
  MacroPage,
  MacroRef,
  MacroStreamEvent,
  MacrosImported,
  MoveMacroInput,
  StreamMacrosInput,
  UpdateMacroInput,
} from '@firmdesk/contract';
import { streamTopic } from '../procedures/stream-topic.ts';
import { trackedStreamOf } from '../procedures/tracked-stream.ts';
import { adminProcedure, NoInput, router } from '../procedures/trpc.ts';
import { deleteMacro } from './delete-macro.ts';
import { listMacros } from './list-macros.ts';
import { MACROS } from './lock-macros.ts';
import { exportMacros, importMacros } from './macro-file.ts';
import { moveMacro } from './move-macro.ts';
import { createMacro, updateMacro } from './write-macro.ts';

const tag = 'Tickets';
const viewing = { tag, scope: 'admin:read', permissions: ['view_tickets'] } as const;
/** As for the assistant's settings. */
const managing = { tag, scope: 'admin:write', permissions: ['manage_assistant'] } as const;

export const macrosRouter = router({
  list: adminProcedure({
    ...viewing,
    summary: 'List the firm’s macros',
    input: ListMacrosInput,
    output: MacroPage,
  }).query(({ ctx, input }) => listMacros(ctx, input)),

  create: adminProcedure({
    ...managing,
    summary: 'Create a macro',
    status: [201],
    errors: ['macro_limit_reached'],
    input: CreateMacroInput,
    output: Macro,
  }).mutation(({ ctx, input }) => createMacro(ctx, input)),

  update: adminProcedure({
    ...managing,
    summary: 'Replace a macro',
    errors: ['resource_not_found'],
    input: UpdateMacroInput,
    output: Macro,
  }).mutation(({ ctx, input }) => updateMacro(ctx, input)),

  move: adminProcedure({
    ...managing,
    summary: 'Move a macro in the firm’s list',
    errors: ['resource_not_found'],
    input: MoveMacroInput,
    output: MacroMoved,
  }).mutation(async ({ ctx, input }) => {
    await moveMacro(ctx, input);
    return { object: 'macro_moved' as const, id: input.id };
  }),

  delete: adminProcedure({
    ...managing,
    summary: 'Delete a macro',
    errors: ['resource_not_found'],
    input: MacroRef,
    output: MacroDeleted,
  }).mutation(async ({ ctx, input }) => {
    await deleteMacro(ctx, input);
    return { object: 'macro_deleted' as const, id: input.id };
  }),

  export: adminProcedure({
    ...viewing,
    summary: 'Export the firm’s macros as a file',
    // It contains addresses of agents.
    permissions: ['manage_assistant'],
    input: NoInput,
    output: MacroFile,
  }).query(({ ctx }) => exportMacros(ctx)),

  import: adminProcedure({
    ...managing,
    summary: 'Import macros from a file',
    errors: ['macro_limit_reached'],
    largeBody: { limit: MACRO_FILE_LIMIT, maxConcurrent: 1 },
    input: MacroFile,
    output: MacrosImported,
  }).mutation(({ ctx, input }) => importMacros(ctx, input)),

  live: adminProcedure({
    ...viewing,
    summary: 'Follow changes of the firm’s macros',
    input: StreamMacrosInput,
    output: trackedStreamOf(MacroStreamEvent),
  }).subscription(({ ctx, input, signal }) =>
    streamTopic<MacroStreamEvent>(ctx, { subject: MACROS }, input, signal!),
  ),
});
