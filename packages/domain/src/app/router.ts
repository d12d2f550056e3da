import { accountRouter, pingProcedure, sessionsRouter } from '../account/router.ts';
import { signInRouter } from '../account/sign-in/router.ts';
import { singleSignOnRouter } from '../account/single-sign-on/router.ts';
import { affiliatesRouter } from '../affiliates/router.ts';
import { knowledgeRouter } from '../assistant/knowledge/router.ts';
import { assistantRouter } from '../assistant/router.ts';
import { attachmentsRouter } from '../attachments/router.ts';
import { calendarRouter } from '../calendar/router.ts';
import { devicesRouter } from '../devices/router.ts';
import { invitesRouter } from '../firm/invites/router.ts';
import { firmRouter } from '../firm/router.ts';
import { macrosRouter } from '../macros/router.ts';
import { mailRouter } from '../mail/router.ts';
import { notificationsRouter } from '../notifications/router.ts';
import { mergeRouters, router } from '../procedures/trpc.ts';
import { reportsRouter } from '../reports/router.ts';
import { satisfactionRouter } from '../satisfaction/router.ts';
import { templatesRouter } from '../templates/router.ts';
import { ticketsRouter } from '../tickets/router.ts';
import { streamsRouter } from '../tickets/streams/stream-router.ts';
import { tradersRouter } from '../traders/router.ts';
import { firmDataRouter } from './data/router.ts';
import { staffRouter } from './firms/staff-router.ts';

/** All procedures: over `/trpc`, and over `/v1` if they declare a route. */
export const appRouter = router({
  mail: mailRouter,
  ping: pingProcedure,
  account: accountRouter,
  sessions: sessionsRouter,
  signIn: signInRouter,
  singleSignOn: singleSignOnRouter,
  devices: devicesRouter,
  notifications: notificationsRouter,
  affiliates: affiliatesRouter,
  attachments: attachmentsRouter,
  calendar: calendarRouter,
  traders: tradersRouter,
  firm: mergeRouters(firmRouter, firmDataRouter),
  invites: invitesRouter,
  macros: macrosRouter,
  reports: reportsRouter,
  knowledge: knowledgeRouter,
  satisfaction: satisfactionRouter,
  mailTemplates: templatesRouter,
  staff: staffRouter,
  tickets: mergeRouters(ticketsRouter, assistantRouter, streamsRouter),
});
export type AppRouter = typeof appRouter;
