import { appRouter } from '@firmdesk/domain';
import { guardCases } from '../../../packages/testing/src/cases/common-cases.ts';
import { suiteGateway } from '../../../packages/testing/src/gateway/suite-gateway.ts';

// The suite fails on logged errors: undeclared error codes and internal errors.
const gateway = await suiteGateway();

// Covers new procedures without listing them.
for (const { name, spec } of declaredProcedures(appRouter)) {
  if (spec.kind !== 'subscription') guardCases(gateway, name);
}
