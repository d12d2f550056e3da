import { Link } from '@tanstack/react-router';
import { SetupSteps, useSetup } from '../settings/setup-steps.tsx';

/** What can be prepared in a firm without tickets until the first trader writes. */
export function FirstSteps() {
  const setup = useSetup();
  return (
    <div className="m-auto w-full max-w-md space-y-4 p-4 lg:p-8">
      {setup && <SetupSteps setup={setup} />}
      <Link
        to="/account/sessions"
        hash="time-zone"
        className="inline-block min-h-6 text-accent hover:underline"
      >
        Choose your time zone and notifications
      </Link>
    </div>
  );
}
