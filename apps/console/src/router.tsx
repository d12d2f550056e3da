import {
  type AuditKind,
  auditKinds,
  type BrowserSession,
  isWebPath,
  type WebhookDeliveryState,
  type WebhookEventType,
} from '@firmdesk/contract';
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouteComponent,
  redirect,
} from '@tanstack/react-router';
import { queryClient } from './api.ts';
import { type CalendarView, calendarViews, isDay } from './calendar/views/days.ts';
import { preloadTicket } from './inbox/list/preload-ticket.ts';
import { parseInboxSearch } from './inbox/search/inbox-search.ts';
import { lastView, rememberView } from './inbox/views/last-view.ts';
import { FIRST_VIEW } from './inbox/views/views.ts';
import { unsavedDrafts } from './mail/drafts/unsaved-drafts.ts';
import { openOutbox } from './outbox/outbox.ts';
import { outboxSenderOf } from './outbox/outbox-sender.ts';
import { parseReportSearch } from './reports/report-period.ts';
import { isSignedOut, loadAccount } from './session/account.ts';
import { AccountProvider } from './session/account-provider.tsx';
import { browserSessionsQuery } from './session/browser-sessions.ts';
import { chooseFirm, rememberFirm } from './session/choose-firm.ts';
import { firm } from './session/firm.ts';
import { firmPath } from './session/firm-path.ts';
import { FirmErrorPage, FirmPicker, NoFirmChosenError } from './session/firm-picker.tsx';
import type { AuditFilters } from './settings/audit/export-audit.ts';
import type { DeliveryFilters } from './settings/webhooks/deliveries.tsx';
import { Frame } from './shell/frame.tsx';
import { firstDestination, sectionPage } from './shell/navigation.ts';
import { ErrorState, LoadingRows } from './ui/states.tsx';
import { whenIdle } from './when-idle.ts';

const root = createRootRoute({ component: Outlet });

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: lazyRouteComponent(() => import('./session/sign-in-page.tsx'), 'SignInPage'),
  validateSearch: (search): { back?: string | undefined; ended?: boolean | undefined } => {
    const { back, ended } = search as Record<string, unknown>;
    // `undefined` must be explicit: the router merges in the search of the root route.
    return {
      back: typeof back === 'string' && isWebPath(back) ? back : undefined,
      ended: ended === true || undefined,
    };
  },
});

/** The firms, for the service's own staff. */
const staff = createRoute({
  getParentRoute: () => root,
  path: '/staff',
  beforeLoad: async ({ location }) => void (await ensureSession(location.publicHref)),
  component: lazyRouteComponent(() => import('./staff/staff-page.tsx'), 'StaffPage'),
});

/** The page of an invite's link, whose key is the hash. */
const join = createRoute({
  getParentRoute: () => root,
  path: '/join/$workspace/$invite',
  component: lazyRouteComponent(() => import('./session/join-page.tsx'), 'JoinPage'),
});

const provider = createRoute({
  getParentRoute: () => root,
  path: '/sign-in/provider',
  component: lazyRouteComponent(() => import('./session/provider-page.tsx'), 'ProviderPage'),
});

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: lazyRouteComponent(() => import('./session/reset-password-page.tsx'), 'ResetPasswordPage'),
});

const firms = createRoute({
  getParentRoute: () => root,
  path: '/firms/$',
  beforeLoad: async ({ location }) => void (await ensureSession(location.publicHref)),
  component: () => <FirmPicker />,
});

/** Every page that needs a session and a firm. */
const firmPages = createRoute({
  getParentRoute: () => root,
  id: 'firm',
  component: () => (
    <AccountProvider>
      <Frame />
    </AccountProvider>
  ),
  errorComponent: FirmErrorPage,
  async beforeLoad({ location }) {
    if (firm === null) {
      const chosen = chooseFirm(await ensureSession(location.publicHref));
      if (chosen === null) throw new NoFirmChosenError();
      // The service was too slow for the first query of the sessions, or failed.
      await leaveTo(firmPath(chosen, location.publicHref));
    }
    try {
      const { user, permissions, needs_reason } = await loadAccount();
      // The staff say on their own page why they act in a firm.
      if (needs_reason)
        return leaveTo(`/staff?enter=${firm}&back=${encodeURIComponent(location.publicHref)}`);
      // That of another account: the page's first module would ask for its tickets.
      if (!permissions.includes('view_tickets')) rememberView(firm, null);
      openOutbox(user.id, outboxSenderOf(user.id));
      saveKeptDraftsWhenOnline();
      rememberFirm(firm);
    } catch (error) {
      if (isSignedOut(error)) await ensureSession(location.publicHref);
      throw error;
    }
  },
});

/** Opens another document. The router waits meanwhile. */
function leaveTo(href: string): Promise<void> {
  window.location.replace(href);
  return new Promise(() => {});
}

/** Returns the sessions of this browser. Without one, redirects to the sign-in page, and back afterwards. */
async function ensureSession(back: string): Promise<BrowserSession[]> {
  const sessions = await queryClient.fetchQuery(browserSessionsQuery());
  if (sessions.length > 0) return sessions;
  throw redirect({ to: '/sign-in', search: { back }, replace: true });
}

const home = createRoute({
  getParentRoute: () => firmPages,
  path: '/',
  beforeLoad: async () => {
    const { permissions } = await loadAccount();
    const to = firstDestination(permissions);
    throw redirect({ to, ...(to === '/tickets' && { search: lastView(firm) ?? FIRST_VIEW }), replace: true });
  },
});

/** The list stays beside the open ticket. The URLs of both contain the filters. */
const inbox = createRoute({
  getParentRoute: () => firmPages,
  path: '/tickets',
  validateSearch: parseInboxSearch,
  component: lazyRouteComponent(() => import('./inbox/inbox-page.tsx'), 'InboxPage'),
});

const noTicketOpen = createRoute({
  getParentRoute: () => inbox,
  path: '/',
  component: lazyRouteComponent(() => import('./inbox/inbox-page.tsx'), 'NoTicket'),
});

const ticket = createRoute({
  getParentRoute: () => inbox,
  path: '/$ticket',
  // Also runs when the pointer is over a link to the ticket.
  loader: ({ params }) => preloadTicket(params.ticket),
  component: lazyRouteComponent(() => import('./tickets/ticket-page.tsx'), 'TicketPage'),
});

const mail = createRoute({
  getParentRoute: () => firmPages,
  path: '/mail',
  validateSearch: (
    search,
  ): {
    mailbox?: number;
    folder?: string;
    label?: number;
    unread?: true;
    q?: string | undefined;
    message?: string;
  } => ({
    ...(Number.isSafeInteger(search['mailbox']) && { mailbox: search['mailbox'] as number }),
    ...(typeof search['folder'] === 'string' && { folder: search['folder'] }),
    ...(Number.isSafeInteger(search['label']) && { label: search['label'] as number }),
    ...(search['unread'] === true && { unread: true as const }),
    ...(typeof search['q'] === 'string' && search['q'] !== '' && { q: search['q'] }),
    ...(typeof search['message'] === 'string' && { message: search['message'] }),
  }),
  component: lazyRouteComponent(() => import('./mail/mail-page.tsx'), 'MailPage'),
});

const calendar = createRoute({
  getParentRoute: () => firmPages,
  path: '/calendar',
  // `create` opens the form of a new calendar. `event` is what is looked for on the day.
  validateSearch: (search): { view?: CalendarView; day?: string; create?: true; event?: number } => {
    const view = calendarViews.find((each) => each === search['view']);
    return {
      ...(view && { view }),
      ...(isDay(search['day']) && { day: search['day'] }),
      ...(search['create'] === true && { create: true as const }),
      ...(Number.isSafeInteger(search['event']) && { event: search['event'] as number }),
    };
  },
  component: lazyRouteComponent(() => import('./calendar/calendar-page.tsx'), 'CalendarPage'),
});

const notifications = createRoute({
  getParentRoute: () => firmPages,
  path: '/notifications',
  // What a push is about: the page shows it instead.
  validateSearch: ({ open }): { open?: string } => (typeof open === 'string' ? { open } : {}),
  component: lazyRouteComponent(() => import('./notifications/notifications-page.tsx'), 'NotificationsPage'),
});

const preRegistrations = createRoute({
  getParentRoute: () => firmPages,
  path: '/pre-registrations',
  validateSearch: ({ status, q }): { status?: string; q?: string } => ({
    ...(typeof status === 'string' && { status }),
    ...(['string', 'number'].includes(typeof q) && { q: String(q) }),
  }),
  component: lazyRouteComponent(
    () => import('./affiliates/pre-registrations-page.tsx'),
    'PreRegistrationsPage',
  ),
});

const reports = createRoute({
  getParentRoute: () => firmPages,
  path: '/reports',
  validateSearch: parseReportSearch,
  component: lazyRouteComponent(() => import('./reports/reports-page.tsx'), 'ReportsPage'),
});

/** The pages of the settings, beside their list. */
const settings = createRoute({
  getParentRoute: () => firmPages,
  id: 'settings',
  component: lazyRouteComponent(() => import('./settings/settings-layout.tsx'), 'SettingsLayout'),
});

function settingsPage<const Path extends string>(path: Path, component: RouteComponent) {
  return createRoute({ getParentRoute: () => settings, path, component });
}

const assistantSettings = settingsPage(
  '/settings/assistant',
  lazyRouteComponent(
    () => import('./settings/assistant/assistant-settings-page.tsx'),
    'AssistantSettingsPage',
  ),
);

const general = settingsPage(
  '/settings/general',
  lazyRouteComponent(() => import('./settings/general-page.tsx'), 'GeneralPage'),
);

const members = settingsPage(
  '/settings/members',
  lazyRouteComponent(() => import('./settings/members/members-page.tsx'), 'MembersPage'),
);

const teams = settingsPage(
  '/settings/teams',
  lazyRouteComponent(() => import('./settings/teams/teams-page.tsx'), 'TeamsPage'),
);

const tags = settingsPage(
  '/settings/tags',
  lazyRouteComponent(() => import('./settings/tags/tags-page.tsx'), 'TagsPage'),
);

const sharedMailboxes = settingsPage(
  '/settings/shared-mailboxes',
  lazyRouteComponent(() => import('./settings/mailboxes/mailboxes-page.tsx'), 'SharedMailboxesPage'),
);

const calendars = settingsPage(
  '/settings/calendars',
  lazyRouteComponent(() => import('./settings/calendars/calendars-page.tsx'), 'CalendarsPage'),
);

const keys = settingsPage(
  '/settings/keys',
  lazyRouteComponent(() => import('./settings/keys/keys-page.tsx'), 'KeysPage'),
);

const webhooks = createRoute({
  getParentRoute: () => settings,
  path: '/settings/webhooks',
  validateSearch: (search): DeliveryFilters => ({
    ...(typeof search['endpoint'] === 'string' && { endpoint: search['endpoint'] }),
    ...(typeof search['state'] === 'string' && { state: search['state'] as WebhookDeliveryState }),
    ...(typeof search['type'] === 'string' && { type: search['type'] as WebhookEventType }),
    ...(typeof search['q'] === 'string' && { q: search['q'] }),
    ...(search['sort'] === 'created_at' && { sort: 'created_at' }),
  }),
  component: lazyRouteComponent(() => import('./settings/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
});

const singleSignOn = settingsPage(
  '/settings/sign-in',
  lazyRouteComponent(() => import('./settings/single-sign-on/single-sign-on-page.tsx'), 'SingleSignOnPage'),
);

const audit = createRoute({
  getParentRoute: () => settings,
  path: '/settings/audit',
  validateSearch: (search): AuditFilters => ({
    ...(auditKinds.some((kind) => kind === search['kind']) && { kind: search['kind'] as AuditKind }),
    ...(typeof search['person'] === 'string' && { person: search['person'] }),
    ...(typeof search['target'] === 'string' && { target: search['target'] }),
    ...(isDay(search['since']) && { since: search['since'] }),
    ...(isDay(search['until']) && { until: search['until'] }),
  }),
  component: lazyRouteComponent(() => import('./settings/audit/audit-page.tsx'), 'AuditPage'),
});

const data = settingsPage(
  '/settings/data',
  lazyRouteComponent(() => import('./settings/data/data-page.tsx'), 'DataPage'),
);

const macros = settingsPage(
  '/settings/macros',
  lazyRouteComponent(() => import('./settings/macros/macros-page.tsx'), 'MacrosPage'),
);

const mailboxSettings = settingsPage(
  '/settings/mailboxes',
  lazyRouteComponent(() => import('./mail/settings/mailbox-settings-page.tsx'), 'MailboxSettingsPage'),
);

const sla = settingsPage(
  '/settings/sla',
  lazyRouteComponent(() => import('./settings/sla/sla-page.tsx'), 'SlaPage'),
);

const assignment = settingsPage(
  '/settings/assignment',
  lazyRouteComponent(() => import('./settings/rules/assignment-page.tsx'), 'AssignmentPage'),
);

const rules = settingsPage(
  '/settings/rules',
  lazyRouteComponent(() => import('./settings/rules/rules-page.tsx'), 'RulesPage'),
);

const mailTemplates = settingsPage(
  '/settings/mail',
  lazyRouteComponent(() => import('./settings/mail-templates/mail-templates-page.tsx'), 'MailTemplatesPage'),
);

const sessions = settingsPage(
  '/account/sessions',
  lazyRouteComponent(() => import('./account/account-page.tsx'), 'AccountPage'),
);

const notificationSettings = settingsPage(
  '/account/notifications',
  lazyRouteComponent(() => import('./account/notification-settings-page.tsx'), 'NotificationSettingsPage'),
);

const accountSignIn = settingsPage(
  '/account/sign-in',
  lazyRouteComponent(() => import('./account/sign-in-page.tsx'), 'AccountSignInPage'),
);

/** A path without a page opens the first page of its section. */
const unknown = createRoute({
  getParentRoute: () => firmPages,
  path: '/$',
  beforeLoad({ params }) {
    const page = sectionPage(params._splat ?? '');
    if (page !== null) throw redirect({ to: page, replace: true });
  },
  component: lazyRouteComponent(() => import('./shell/not-found-page.tsx'), 'NotFoundPage'),
});

const routeTree = root.addChildren([
  signIn,
  join,
  staff,
  provider,
  resetPassword,
  firms,
  firmPages.addChildren([
    home,
    inbox.addChildren([noTicketOpen, ticket]),
    mail,
    calendar,
    notifications,
    preRegistrations,
    reports,
    settings.addChildren([
      mailboxSettings,
      assistantSettings,
      general,
      members,
      teams,
      tags,
      sharedMailboxes,
      calendars,
      keys,
      webhooks,
      singleSignOn,
      audit,
      data,
      macros,
      sla,
      assignment,
      rules,
      mailTemplates,
      sessions,
      notificationSettings,
      accountSignIn,
    ]),
    unknown,
  ]),
]);

/** How long the router keeps a page that was left. */
const MATCH_MS = 5_000;

export const router = createRouter({
  routeTree,
  basepath: firm === null ? '/' : firmPath(firm, '/'),
  defaultPreload: 'intent',
  // The query cache keeps the data: a match that is not shown has none of its own.
  defaultGcTime: MATCH_MS,
  defaultPreloadGcTime: MATCH_MS,
  // The inbox restores the scroll position of each list itself. The router would apply the previous list's position.
  scrollRestoration: ({ location }) => !location.pathname.startsWith('/tickets'),
  defaultErrorComponent: ({ error, reset }) => <ErrorState error={error} onRetry={reset} />,
  defaultPendingComponent: () => <LoadingRows label="Loading" />,
});

let isSavingDrafts = false;

/** Saves the changes of mail drafts that earlier pages have left, now and when the line is back. */
function saveKeptDraftsWhenOnline(): void {
  if (isSavingDrafts) return;
  isSavingDrafts = true;
  const save = () =>
    void import('./mail/drafts/stored-drafts.ts').then(({ saveKeptDrafts }) => saveKeptDrafts());
  addEventListener('online', save);
  if (unsavedDrafts().length > 0) save();
}

/** Fetches the code of every page once the browser is idle, so that each page opens without a network. */
export function fetchPagesWhenIdle(): void {
  whenIdle(() => {
    if (!navigator.onLine) return;
    for (const route of Object.values(router.routesById)) void router.loadRouteChunk(route);
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
