import { NoteInput, ReplyInput } from '@firmdesk/contract';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { appRouter } from '../../app/router.ts';
import { newId } from '../../platform/process/ids.ts';
import { declaredProcedures } from '../trpc.ts';

/** Texts of any number of lines. */
const LINES = [
  ...['body', 'texts[].text', 'instruction', 'description', 'location', 'signature', 'absence.text'],
  ...['mailTemplates.preview: text', 'mailTemplates.save: text', 'satisfaction.rate: comment'],
  ...['knowledge.create: text', 'knowledge.update: text', 'knowledge.setGuide: rules'],
];
/** Kept as their author types them: the rules apply when they are sent. */
const DRAFTS = [
  'mail.saveDraft: subject',
  'tickets.saveDraft: image_name',
  'mail.saveDraft: body',
  'tickets.saveDraft: text',
  'tickets.saveDraft: html',
];
/** HTML, which is cleaned when it is stored or shown. */
const HTML = [
  'mail.send: body',
  'tickets.reply: body_html',
  'tickets.holdReply: body_html',
  'tickets.addNote: body_html',
];
/** Values that are compared or parsed, and not shown as they came. */
const OPAQUE = [
  ...[
    'password',
    'key',
    'current_password',
    'new_password',
    'device',
    'challenge',
    'client_secret',
    'domain',
    'issuer',
    'query',
    'code',
    'link',
    'starting_after',
    'draft_id',
    'base',
    'q',
    'raw',
  ],
  ...['mailbox', 'email', 'team', 'add_tags[]', 'assignee', 'calendars[][]', 'image_url'],
  ...['from', 'until', 'starts_at', 'ends_at', 'timezone', 'recurrence_rule'],
];

/** Returns the strings of a schema with their paths. */
function* stringsOf(schema: z.core.$ZodType, path: string): Generator<[string, z.ZodType]> {
  const { def } = schema._zod as unknown as { def: Record<string, never> & { type: string } };
  if (def.type === 'string') yield [path, schema as z.ZodType];
  else if (def.type === 'object') {
    for (const [key, field] of Object.entries<z.ZodType>(def['shape']!))
      yield* stringsOf(field, path === '' ? key : `${path}.${key}`);
  } else if (def.type === 'array') yield* stringsOf(def['element']!, `${path}[]`);
  else if (def.type === 'record') yield* stringsOf(def['valueType']!, `${path}{}`);
  else if (def.type === 'pipe') yield* stringsOf(def['in']!, path);
  else if (def.type === 'union')
    for (const option of def['options']! as z.ZodType[]) yield* stringsOf(option, path);
  else if (def['innerType']) yield* stringsOf(def['innerType'], path);
}

const procedures = declaredProcedures(appRouter);
const fields = procedures.flatMap(({ name, meta }) =>
  [...stringsOf(meta.input, '')].map(([path, schema]) => ({ name, path, schema })),
);
const isOneOf = (paths: string[], path: string) =>
  paths.some((one) => path === one || path.endsWith(`.${one}`));

test('every text is one line unless it is known to have several, and empty if nothing of it is visible', () => {
  expect(fields.length).toBeGreaterThan(150);
  const wrong = fields.filter(({ name, path, schema }) => {
    if (isOneOf(OPAQUE, path) || [...DRAFTS, ...HTML].includes(`${name}: ${path}`)) return false;
    const isEmptied = ['\u200b', '\u2060\u3164', '\u0301', '\u2800'].every((nothing) => {
      const { success, data } = schema.safeParse(nothing);
      return !success || data === '';
    });
    const isLine = ['a\nb', 'a\u2028b', 'a\u0085b', 'a\u202eb'].every((lines) => {
      const { success, data } = schema.safeParse(lines);
      return !success || !/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(data as string);
    });
    return !isEmptied || (!isLine && !isOneOf(LINES, path) && !LINES.includes(`${name}: ${path}`));
  });
  expect(wrong.map(({ name, path }) => `${name}: ${path}`)).toEqual([]);
});

test.each([ReplyInput, NoteInput])(
  'a message of the team without a visible character needs a file',
  (schema) => {
    const message = { ticket: newId('ticket', new Date()), body: ' \u200b\u2060\n', seen_message_id: null };
    expect(schema.safeParse(message).error?.issues).toMatchObject([{ path: ['body'] }]);
    const attachments = [newId('attachment', new Date())];
    expect(schema.parse({ ...message, attachments })).toMatchObject({ body: '', attachments });
  },
);
