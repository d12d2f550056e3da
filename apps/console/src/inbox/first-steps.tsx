import { Link } from '@tanstack/react-router';
import { SetupSteps, useSetup } from '../settings/setup-steps.tsx';

/** Shown beside the list of a firm without tickets: what can be prepared until the first trader writes. */
export function FirstSteps() {
  const setup = useSetup();
  return (
    <div className="flex h-full flex-col overflow-y-auto p-8">
      <div className="m-auto w-full max-w-md space-y-4">
        {setup && <SetupSteps setup={setup} />}
        <Link
          to="/account/sessions"
          hash="time-zone"
          className="inline-block min-h-6 text-accent hover:underline"
        >
          Choose your time zone and notifications
        </Link>
      </div>
    </div>
  );
}
