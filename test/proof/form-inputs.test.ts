import { asFirmdeskError } from '@firmdesk/client';
import { appRouter, declaredProcedures } from '@firmdesk/domain';
import { expect, test } from 'vitest';
import { checkInput } from '../../apps/console/src/forms/check-input.ts';
import { formInputs } from '../../apps/console/src/forms/form-inputs.ts';
import { invalidInputError } from '../../packages/domain/src/procedures/to-api-error.ts';

const specs = new Map(declaredProcedures(appRouter).map(({ name, spec }) => [name, spec]));

test.each(Object.entries(formInputs))('the form of %s is checked as the service does', (name, schema) => {
  const spec = specs.get(name)!;
  expect(spec.inputSchema).toBe(schema);
  for (const input of [{}, { name: '', email: 'nobody', password: '', code: 7 }, null]) {
    const { success } = schema.safeParse(input);
    const refused = checkInput(name, input);
    expect(refused === null).toBe(success);
    if (success) continue;
    const { apiCode, message, fields } = invalidInputError(spec, input);
    expect(asFirmdeskError(refused)).toMatchObject({ code: apiCode, status: 422, message, fields });
  }
});

test('a procedure that no form calls is left to the service', () => {
  expect(checkInput('tickets.reply', {})).toBeNull();
  expect(checkInput('constructor', {})).toBeNull();
});
