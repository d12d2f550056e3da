import { appRouter } from '@firmdesk/domain';
import { declaredProcedures } from './http/routes.ts';
import { guardCases } from './testing/common-cases.ts';
import { suiteGateway } from './testing/suite-gateway.ts';

// An undeclared code, or a fault of ours, is logged as an error, which this does not let pass.
const gateway = await suiteGateway();

// A new procedure is covered without being listed.
for (const { name, spec } of declaredProcedures(appRouter)) {
  if (spec.kind !== 'subscription') guardCases(gateway, name);
}
