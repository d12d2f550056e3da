import { archived, conversation, correspondence, spam, trashedFrom, unread } from './conversation.ts';
import { harborDesk, lena, maya, operations, priya, tom } from './mailboxes.ts';

const hers = correspondence(maya);

const mayaMail = [
  ...conversation(
    maya,
    'handover',
    'Handover for the night shift',
    hers.got(
      'PT1H',
      'tom',
      `Hi Maya,

three things for tonight:
1. Aisha's payout went to the wrong network, finance is on it, she is understandably nervous.
2. The two Germans with the frozen terminal are waiting for the bridge vendor.
3. I answered everything in Verification, nothing left there.

Have a quiet one,
Tom`,
      unread,
    ),
  ),
  ...conversation(
    maya,
    'interview',
    'Second interview: support agent (Spanish)',
    hers.got(
      'P1D',
      'Carla Jiménez <carla.jimenez@example.com>',
      `Dear Maya,

thank you for the pleasant conversation on Monday. I have attached the two sample answers you asked for. I am free on Thursday and Friday afternoon for the second interview.

Kind regards
Carla`,
    ),
    hers.sent(
      'PT23H',
      'Carla Jiménez <carla.jimenez@example.com>',
      `Dear Carla,

your answers read very well, especially the one to the angry trader. Thursday at 15:00 London time it is; Lena and Diego will join us. You will get the invitation from our calendar.

Maya`,
      { cc: [{ email: 'diego@northgate.example', name: 'Diego Fuentes' }] },
    ),
  ),
  ...conversation(
    maya,
    'board-report',
    'Support numbers for the board',
    hers.draft(
      'PT5H',
      'priya',
      `Hi Priya,

first response under 30 minutes: 91 %
Solved by the assistant alone: 38 %
What still hurts: payout questions on Mondays. I would like to `,
    ),
  ),
  ...conversation(
    maya,
    'macro-ideas',
    'New wording for the drawdown answer',
    hers.got(
      'P3D',
      'lena',
      `Hallo Maya,

half of the drawdown questions come from people who read "balance" and think "equity". My proposal for the macro: show the calculation with their own numbers, in three lines, and only then the link to the rules. I will try it for a week. OK?

Lena`,
    ),
    hers.sent(
      'P2DT23H58M',
      'lena',
      `Very much OK. Could you keep count of how many come back with a second question? Maya`,
    ),
    hers.got('P1DT6H', 'lena', `Interim result after three days: 4 of 31. Before it was about a third.`),
  ),
  ...conversation(
    maya,
    'vendor-renewal',
    'Your verification contract renews in 60 days',
    hers.got(
      'P8D',
      'Verity Checks <accounts@veritychecks.example>',
      `Dear Ms Lindqvist, your plan (5,000 checks a year) renews automatically. You used 4,310 checks so far. Reply to this mail to change your plan.`,
      archived,
    ),
  ),
  ...conversation(maya, 'empty-draft', '', hers.draft('PT20M', undefined, '')),
  ...conversation(
    maya,
    'dentist',
    'Reminder: your appointment on Thursday',
    hers.got(
      'P10D',
      'Lakeside Dental <reception@lakesidedental.example>',
      `We look forward to seeing you on Thursday at 08:30.`,
      trashedFrom('inbox'),
    ),
  ),
  ...conversation(
    maya,
    'lottery',
    'You have been selected',
    hers.got('P6D', 'Prize Office <win@prize-office.example>', `Claim your prize of 850,000 today.`, spam),
  ),
];

const his = correspondence(tom);
const lenas = correspondence(lena);
const priyas = correspondence(priya);

const colleaguesMail = [
  ...conversation(
    tom,
    'rota-swap',
    'Swap Saturday?',
    his.got(
      'P1DT4H',
      'lena',
      `Hi Tom, my sister visits on the weekend. Would you take my Saturday, and I take your next two Fridays? Lena`,
    ),
    his.sent('P1DT3H', 'lena', `Deal. I have changed the rota. Tom`),
  ),
  ...conversation(
    tom,
    'bridge-vendor',
    'Case 55120: terminals freeze after update',
    his.got(
      'PT6H',
      'Tradelink Support <cases@tradelink.example>',
      `Hello Tom,

we can reproduce the freeze with two monitors of different scaling. A fix is planned for the end of the week. Until then: turn off "detached charts" in the settings.

Tradelink Support`,
      unread,
    ),
  ),
  ...conversation(
    lena,
    'uebersetzung',
    'Übersetzung der neuen Regeln',
    lenas.got(
      'P2D',
      'maya',
      `Hi Lena, could you read the German version of the news trading rule before Friday? I do not trust "Nachrichtenhandel". Maya`,
    ),
    lenas.draft(
      'PT9H',
      'maya',
      `Hi Maya, "Handel rund um Wirtschaftsnachrichten" is what people say. My other remarks: `,
    ),
  ),
  ...conversation(
    priya,
    'auditor',
    'Sample of forty payouts',
    priyas.got(
      'PT30H',
      'Graham Pell <g.pell@pell-audit.example>',
      `Dear Priya, attached is the sample. For each we need the request, the approval and the bank's confirmation. Two weeks from today would suit us.`,
      unread,
    ),
  ),
];

const desk = correspondence(harborDesk);
const ops = correspondence(operations);

const elsewhere = [
  ...conversation(
    harborDesk,
    'welcome-pack',
    'Welcome pack arrived damaged',
    desk.got(
      'P2D',
      'samuel',
      `Hi, the mug came in six pieces. The mouse pad is great though. Samuel`,
      unread,
    ),
  ),
  ...conversation(
    harborDesk,
    'spreads',
    'Spreads at rollover',
    desk.got('P6D', 'nora', `Hej, why is the spread on gold ten times wider at 23:00? Nora`),
    desk.sent(
      'P5DT23H58M',
      'nora',
      `Hej Nora, that is the rollover: for about ten minutes there are hardly any quotes. Ruth`,
    ),
  ),
  ...conversation(
    operations,
    'onboarding',
    'Blue Anchor Markets: go-live on the first',
    ops.got(
      'PT11H',
      'jon',
      `Iris, they have paid and would like to go live on the first. Data import is 40,000 traders from their old system; I have the export. Shall we rehearse it this week? Jon`,
      unread,
    ),
  ),
];

export const personalMail = [...mayaMail, ...colleaguesMail, ...elsewhere];
