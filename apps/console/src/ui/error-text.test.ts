import { FirmdeskError, type FirmdeskErrorCode } from '@firmdesk/client';
import { errorTable } from '@firmdesk/contract';
import { expect, test } from 'vitest';
import { errorText, fieldText, reportId } from './error-text.ts';

/** Words of the API, which people do not know. */
const API_WORDS = /resource|token|scope|header|workspace|\bgot\b|cursor|body|\bcall\b|"|_/i;
/** Errors that the console's own calls cannot cause, or handles itself. */
const HANDLED = new Set<string>([
  'missing_idempotency_key',
  'nothing_to_mark',
  'not_a_draft',
  'invalid_date',
  'invalid_window',
  'window_too_wide',
  'workspace_required',
  'invalid_sort',
  'invalid_limit',
  'invalid_status',
  'invalid_token',
  'revoked_token',
  'expired_token',
  'method_not_allowed',
  'unsupported_media_type',
  'idempotency_key_in_use',
  'newer_messages',
  'fresh_sign_in_required',
]);

test.each(Object.entries(errorTable).filter(([code]) => !HANDLED.has(code)))(
  'says %s without a word of the API',
  (code, { message, status }) => {
    const error = new FirmdeskError(code as FirmdeskErrorCode, { message, status, requestId: 'req_1' });
    expect(errorText(error)).not.toMatch(API_WORDS);
    expect(reportId(error)).toBe(status >= 500 ? 'req_1' : null);
  },
);

test('names a field by its label, without the value that was sent', () => {
  const field = { path: 'to[1]', message: '"to[1]" must be an email address, got "a, got b".' };
  expect(fieldText(field, 'An address')).toBe('An address must be an email address.');
  expect(fieldText(field)).toBe('To must be an email address.');
  expect(
    errorText(
      new FirmdeskError('validation_failed', {
        message: 'A field is missing or invalid.',
        fields: [
          { path: 'first_name', message: '"first_name" must not be empty, got "".' },
          { path: 'add_tags[0]', message: '"add_tags[0]" must be the id of a tag of this firm.' },
        ],
      }),
    ),
  ).toBe('First name must not be empty. Add tags must be a tag of this firm.');
});

test('says of an id that is none that nothing has it', () => {
  const message = '"id" must be an id that begins with "msg_", got "x".';
  const error = new FirmdeskError('validation_failed', { message, fields: [{ path: 'id', message }] });
  expect(errorText(error)).not.toMatch(API_WORDS);
});

test('keeps a sentence of its own that is more precise', () => {
  const message = 'Add a less common word or another filter.';
  expect(errorText(new FirmdeskError('unavailable', { message, status: 503 }))).toBe(message);
  expect(errorText(new Error('It was not sent within three days.'))).toBe(
    'It was not sent within three days.',
  );
});
