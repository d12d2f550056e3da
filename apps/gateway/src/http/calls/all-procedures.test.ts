import { appRouter, declaredProcedures } from '@firmdesk/domain';
import { guardCases, suiteGateway } from '@firmdesk/testing/gateway';

// The suite fails on logged errors: undeclared error codes and internal errors.
const gateway = await suiteGateway();

// Covers new procedures without listing them.
for (const { name, spec } of declaredProcedures(appRouter)) {
  if (spec.kind !== 'subscription') guardCases(gateway, name);
}
