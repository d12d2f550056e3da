import { Link } from '@tanstack/react-router';

const steps = [
  {
    to: '/settings/assistant',
    title: 'Choose what the assistant may do',
    text: 'Whether it answers traders first, and how many replies it may write a month.',
  },
  {
    to: '/settings/macros',
    title: 'Write the answers that you give often',
    text: 'A macro inserts a text and sets tags, priority and status.',
  },
  {
    to: '/settings/sla',
    title: 'Set until when traders are answered',
    text: 'Targets by priority, your business hours, and a warning before one is missed.',
  },
  {
    to: '/account/sessions',
    title: 'Choose your time zone and notifications',
    text: 'All times are shown in it. Each kind of notification can be switched off.',
  },
] as const;

/** Shown beside the list of a firm without tickets: what can be prepared until the first trader writes. */
export function FirstSteps({ mayManage }: { mayManage: boolean }) {
  return (
    <div className="flex h-full flex-col items-center justify-center overflow-y-auto p-8">
      <section aria-labelledby="first-steps" className="w-full max-w-md">
        <h2 id="first-steps" className="text-base font-semibold">
          Get ready for the first ticket
        </h2>
        <ol className="mt-3 divide-y divide-line rounded-lg border border-line bg-surface">
          {steps
            .filter(({ to }) => mayManage || to === '/account/sessions' || to === '/settings/macros')
            .map(({ to, title, text }) => (
              <li key={to}>
                <Link to={to} className="block px-4 py-3 hover:bg-hover">
                  <span className="block font-medium">{title}</span>
                  <span className="block text-muted">{text}</span>
                </Link>
              </li>
            ))}
        </ol>
      </section>
    </div>
  );
}
