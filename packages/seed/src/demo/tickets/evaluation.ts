import {
  ai,
  announced,
  byEmail,
  commanded,
  noted,
  replied,
  said,
  type Ticket,
  ticket,
} from './conversation.ts';

export const evaluationTickets: Ticket[] = [
  ticket(
    'phase-two-account',
    'ravi',
    'Passed phase 1, where is my new account?',
    { status: 'open' },
    said(
      'PT1H',
      `Hello, I passed phase 1 yesterday and got the certificate. When will I get the login for phase 2?`,
    ),
    ai(
      'PT59M',
      `Congratulations, Ravi! The phase 2 account is created once the trades of phase 1 were reviewed, usually within one working day. You will get a mail, and the login appears under Accounts.`,
    ),
  ),
  ticket(
    'inactivity',
    'kenji',
    '口座の休止について',
    { status: 'resolved', priority: 'low', assignee: 'lena' },
    said(
      'P26D',
      `来月手術のため三週間ほど取引できません。30日間取引がないと口座が閉鎖されると読みましたが、休止は可能でしょうか。`,
    ),
    ai('P25DT23H59M', `お大事になさってください。口座の休止は可能です。担当者に引き継ぎます。`),
    replied(
      'P25DT20H',
      'lena',
      `Dear Watanabe-san, your account is paused until the end of next month; nothing counts until then. Please take all the time you need. 一日も早いご回復をお祈りしております。`,
    ),
    said('P25D', `迅速なご対応、誠にありがとうございます。`),
  ),
  ticket(
    'scaling-plan',
    'anders',
    'Scaling plan: which months count?',
    { status: 'awaiting_trader', assignee: 'maya', tags: ['vip', 'rules'] },
    said(
      'P9DT4H',
      `I was profitable in three of the last four months, average 3.1 %. Does the paused month count as a month without profit?`,
    ),
    replied(
      'P9D',
      'maya',
      `Hi Anders, a paused month does not count at all, so you have three of three. That qualifies you for the first step, from 100K to 130K, with the 90 % split. Shall I start it with the next cycle?`,
    ),
    said('P8DT22H', `Yes please! Do I have to close my positions for it?`),
    replied(
      'P8DT20H',
      'maya',
      `Only for a minute, when the balance is changed: choose any moment outside your trading hours and tell us here, please.`,
    ),
  ),
  ticket(
    'reset-price',
    'yusuf',
    'Reset ücreti ne kadar?',
    { status: 'closed', priority: 'low', tags: ['billing'] },
    said('P62D', `Hesabım kapandı, sıfırlamak ne kadar?`),
    ai(
      'P61DT23H59M',
      `Sıfırlama, ilk ücretin %10 indirimlisidir ve kapanıştan sonraki 14 gün içinde yapılabilir.`,
    ),
    announced('P55D', `This ticket was closed after seven days without an answer.`),
  ),
  ticket(
    'certificate-name',
    'lucia',
    'El certificado tiene mi nombre mal escrito',
    { status: 'awaiting_admin', priority: 'low' },
    said(
      'PT28H',
      `Hola, en mi certificado pone "Lucia Navaro". Soy Lucía Navarro, con tilde y dos erres. ¿Lo podéis corregir? Lo quiero enmarcar :)`,
    ),
  ),
  ticket(
    'demo-or-live',
    'thuy',
    'Are funded accounts real money?',
    { status: 'resolved' },
    said('P38D', `Honest question: is a funded account connected to the real market, or is it a demo?`),
    ai(
      'P37DT23H59M',
      `It is a simulated account with real market prices. Your payouts are real money, paid by the firm, and the trades of consistent traders are mirrored in the firm's own accounts.`,
    ),
    said('P37DT23H58M', `Thank you for the honest answer.`),
  ),
  ticket(
    'angry-review',
    'jamal',
    'I will post this everywhere',
    { status: 'closed', priority: 'high', assignee: 'maya', ai_blocked: true, tags: ['rules'] },
    said(
      'P31D',
      `Third account gone because of your RIDICULOUS spreads. Scam. I am writing reviews right now.`,
    ),
    ai('P30DT23H59M', `I am sorry that you feel this way. May I look at the trades in question with you?`),
    said('P30DT23H58M', `No bots. A human, now.`),
    replied(
      'P30DT22H',
      'maya',
      `Hi Jamal, human here, I lead the support team. I went through the last account: 31 trades, and in two of them the spread was wider than we promise. Neither changed the result, but I do not like it either, so I have refunded this fee. May I call you tomorrow?`,
    ),
    said('P30DT20H', `Ok. I did not expect that. Tomorrow after 4 pm Chicago.`),
    noted(
      'P29DT20H',
      'maya',
      `Good call, 25 minutes. He risks 3 % per trade, so three bad trades end it. Sent him the position size sheet, he starts again with a 25K.`,
    ),
    replied(
      'P29DT19H59M',
      'maya',
      `Thanks for the talk. The sheet is attached to your account under Documents. Good luck with the 25K!`,
    ),
    said('P29D', `Appreciate it Maya. I deleted the review.`),
  ),
  ticket(
    'leverage',
    'rafael',
    'Alavancagem na conta swing',
    { status: 'open', priority: 'normal', tags: ['rules'] },
    said('PT33M', `Qual é a alavancagem do ouro na conta swing? No site diz 1:15, na plataforma vejo 1:10.`),
    ai(
      'PT32M',
      `Olá, Rafael! Na conta swing a alavancagem do ouro é de 1:10 desde o início do mês. A página do site será atualizada. Sinto muito pela confusão.`,
    ),
  ),
  ticket(
    'group-discount',
    'sanne',
    'Group challenge for twelve people?',
    { status: 'awaiting_admin', priority: 'low', assignee: 'maya' },
    said(
      'P3DT8H',
      `Hi! Our student trading club would like to start twelve challenges together, as a competition. Is there a group price, and a way to see everyone's progress?`,
      byEmail,
    ),
    replied(
      'P3D',
      'maya',
      `Hi Sanne, what a nice idea. For ten or more we give 20 %, and I can set up a leaderboard with nicknames. When would you like to start, and do all twelve agree that the others see their results?`,
    ),
    said(
      'P1DT12H',
      `Start would be the first Monday of next month. All agree! One is 17 until then, could she take part without an account?`,
      byEmail,
    ),
  ),
  ticket(
    'long-forgotten',
    'chloe',
    'Question sur le plan de croissance',
    { status: 'awaiting_trader', assignee: 'greg', tags: ['challenge-v1'] },
    said(
      'P85D',
      `Bonjour, est-ce que l'ancien plan de croissance reste valable pour mon compte de l'année dernière ?`,
    ),
    replied(
      'P84D',
      'greg',
      `Hello Chloé, yes, accounts opened under the old plan keep it. Would you like to switch to the new one anyway? It is better from the third step on.`,
    ),
  ),
  ticket(
    'feature-request',
    'piotr',
    'Dark mode for the statement PDF',
    { status: 'resolved', priority: 'low' },
    said('P22D', `I know, first world problem, but a white PDF at 2 am hurts.`),
    commanded(
      'P21DT23H59M',
      'tom',
      `friendly: passed on to the product team, a dark PDF would be a pain to print, meanwhile most readers can invert colours`,
    ),
    ai(
      'P21DT23H58M',
      `We feel you! Your wish is with the product team, together with a note that some people print these. Until then most PDF readers can invert colours: look for "night mode" in the view menu.`,
    ),
    said('P21DT20H', `Works in mine. You may close this.`),
  ),
];
