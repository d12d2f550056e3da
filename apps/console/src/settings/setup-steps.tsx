import type { SetupStep } from '@firmdesk/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Circle, CircleCheck } from 'lucide-react';
import { trpc } from '../api.ts';
import { useAccount } from '../session/account.ts';
import { isTestData } from '../session/firm-path.ts';
import { classNames } from '../ui/class-names.ts';
import { type SettingsPage, settingsFor } from './settings-pages.ts';

/** In the order in which they are shown. */
const steps: Record<SetupStep, { to: SettingsPage['to']; title: string; text: string }> = {
  members: {
    to: '/settings/members',
    title: 'Invite your colleagues',
    text: 'By mail or with a link, each with the permissions that they need.',
  },
  teams: {
    to: '/settings/teams',
    title: 'Make teams',
    text: 'Tickets wait in the queue of a team, or are assigned in it.',
  },
  mailboxes: {
    to: '/settings/shared-mailboxes',
    title: 'Let traders write by mail',
    text: 'A shared mailbox whose mail opens tickets.',
  },
  knowledge: {
    to: '/settings/assistant',
    title: 'Tell the assistant what it must know',
    text: 'Articles that it reads before it answers, and what it may do.',
  },
  macros: {
    to: '/settings/macros',
    title: 'Write the answers that you give often',
    text: 'A macro inserts a text and sets tags, priority and status.',
  },
  sla: {
    to: '/settings/sla',
    title: 'Set until when traders are answered',
    text: 'Targets by priority, your business hours, and a warning before one is missed.',
  },
};

/** Returns the steps that the account may do, and those that are done; undefined while they load and for whoever may not see them. */
export function useSetup() {
  const { permissions, workspace } = useAccount();
  const isTest = isTestData(workspace.slug);
  const mayRead = permissions.includes('manage_settings') && !isTest;
  const { data } = useQuery(trpc.firm.setup.queryOptions(undefined, { enabled: mayRead }));
  if (!data) return undefined;
  const pages = new Set(settingsFor(permissions, { isTest }).map(({ to }) => to));
  const shown = (Object.keys(steps) as SetupStep[]).filter((step) => pages.has(steps[step].to));
  return { shown, done: new Set(data.done.filter((step) => shown.includes(step))) };
}

/** What a new firm sets up, with what is done. */
export function SetupSteps({ setup: { shown, done } }: { setup: NonNullable<ReturnType<typeof useSetup>> }) {
  return (
    <section aria-labelledby="setup">
      <h2 id="setup" className="text-base font-semibold">
        Set up the firm
      </h2>
      <p className="text-muted">
        {done.size} of {shown.length} done
      </p>
      <ol className="mt-3 divide-y divide-line rounded-lg border border-line bg-surface">
        {shown.map((step) => {
          const { to, title, text } = steps[step];
          const isDone = done.has(step);
          const Icon = isDone ? CircleCheck : Circle;
          return (
            <li key={step}>
              <Link to={to} className="flex gap-3 px-4 py-3 hover:bg-hover">
                <Icon
                  size={18}
                  aria-label={isDone ? 'Done' : 'To do'}
                  role="img"
                  className={classNames('mt-0.5 shrink-0', isDone ? 'text-success' : 'text-muted')}
                />
                <span>
                  <span className={classNames('block font-medium', isDone && 'text-muted')}>{title}</span>
                  <span className="block text-muted">{text}</span>
                </span>
              </Link>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
