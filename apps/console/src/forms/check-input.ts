import { FirmdeskError, type FirmdeskRouter } from '@firmdesk/client';
import { fieldError, invalidFields } from '@firmdesk/contract';
import { TRPCClientError } from '@trpc/client';
import { formInputs } from './form-inputs.ts';

/** The status of the service's own answer to an invalid input. */
const INVALID = 422;

/** Returns the error with which the service would answer an input; null for a valid one, and for a procedure that no form calls. */
export function checkInput(procedure: string, input: unknown): TRPCClientError<FirmdeskRouter> | null {
  if (!Object.hasOwn(formInputs, procedure)) return null;
  const schema = formInputs[procedure as keyof typeof formInputs];
  const fields = invalidFields(schema, input).map((field) => fieldError(field));
  const [first] = fields;
  if (!first) return null;
  const { message } = first;
  return TRPCClientError.from(new FirmdeskError('validation_failed', { message, status: INVALID, fields }));
}
