import { screenshot } from '../pictures.ts';
import { ai, announced, commanded, noted, replied, said, type Ticket, ticket } from './conversation.ts';

export const ruleTickets: Ticket[] = [
  ticket(
    'daily-drawdown-equity',
    'jamal',
    'Breached daily drawdown while I was in profit??',
    { status: 'awaiting_admin', priority: 'urgent', team: 'risk', tags: ['rules'] },
    said(
      'PT3H',
      `My 50K account was closed for daily drawdown, but I ended the day PLUS 600 dollars. How can I break a loss limit with a profit? Please reopen it right away, the New York session is running.`,
    ),
    ai(
      'PT2H59M',
      `I can explain the calculation: the daily limit is 5 % of the equity at the start of the day, and open losses count. If your floating loss reached that line at any moment, the account is closed even if the trade came back later. I have passed your ticket to the team so that a person checks the exact values.`,
    ),
    said('PT2H58M', `So I am punished for a trade that was a WINNER`),
    said('PT1H', `Hello? I lose money every minute you do not answer.`),
  ),
  ticket(
    'drawdown-explained',
    'liam',
    'How exactly is the trailing drawdown calculated?',
    { status: 'awaiting_trader', assignee: 'lena', tags: ['rules'] },
    said(
      'P1DT9H',
      `Hi, I have read the page three times and still don't get the trailing drawdown on the instant account. Does it trail the balance or the equity? And does it ever stop?`,
    ),
    ai(
      'P1DT8H59M',
      `It trails the highest closed balance, not the equity, and it stops for good once it reaches your starting balance.`,
    ),
    said(
      'P1DT8H',
      `OK so with 25K and 6 %: limit at 23,500. I make 1,000, limit at 24,500. I make another 800, limit at...?`,
    ),
    replied(
      'P1DT6H',
      'lena',
      `Hi Liam, with your numbers:\n\nstart 25,000, limit 23,500\nafter +1,000: limit 24,500\nafter +800 more: limit 25,000, and there it stays\n\nFrom then on you can lose everything you made, but nothing of the 25,000.`,
    ),
  ),
  ticket(
    'news-rule-gold',
    'tyler',
    'Does the news rule apply to gold?',
    { status: 'resolved', tags: ['rules'] },
    said('P11D', `Quick one: is XAUUSD restricted around CPI?`),
    ai(
      'P10DT23H59M',
      `Yes. On funded accounts no position in USD pairs, indices or gold may be opened or closed from two minutes before until two minutes after a high-impact US release such as CPI. In the evaluation phases there is no such rule.`,
    ),
    said('P10DT23H58M', `👍`),
  ),
  ticket(
    'consistency-rule',
    'carlos',
    'Regla de consistencia: ¿por qué no puedo retirar?',
    { status: 'awaiting_admin', priority: 'normal', assignee: 'tom', tags: ['rules', 'payout'] },
    said(
      'P1D',
      `Hola, tengo 4.200 USD de ganancia y el botón de retiro está gris. Dice "regla de consistencia: 52 %". ¿Qué significa?`,
    ),
    ai(
      'PT23H59M',
      `Hola, Carlos. La regla de consistencia pide que tu mejor día no sea más del 40 % de la ganancia total. Tu mejor día representa ahora el 52 %, así que hacen falta algunas ganancias más en otros días.`,
    ),
    said(
      'PT20H',
      `Pero mi mejor día fue un solo trade con el NFP, no fue a propósito. ¿Se puede hacer una excepción?`,
    ),
    commanded(
      'PT19H',
      'tom',
      `in Spanish: no exception possible, but compute what total profit he needs: best day 2,184 / 0.4 = 5,460`,
    ),
    ai(
      'PT18H59M',
      `Hola, Carlos. No podemos hacer excepciones con esta regla, pero te falta menos de lo que parece: tu mejor día fue de 2.184 USD, así que con una ganancia total de 5.460 USD se desbloquea el retiro. Te faltan 1.260 USD en otros días.`,
    ),
    said('PT5H', `Entendido. ¿Y si cierro hoy con pérdida, el número sube otra vez?`),
  ),
  ticket(
    'copy-trading',
    'eliot',
    'Account closed for copy trading',
    { status: 'closed', assignee: 'nadia', team: 'risk', ai_blocked: true, tags: ['rules'] },
    said(
      'P60D',
      `You closed my account because of "copy trading". I do not know the other account. I follow a public signal channel like a thousand others.`,
    ),
    noted(
      'P59DT20H',
      'nadia',
      `212 of 214 trades within one second of account 77102, same volume ratio. Also same payout wallet as an account closed in March. Not a signal channel.`,
    ),
    replied(
      'P59DT18H',
      'nadia',
      `Hello, we compared your trades with those of the other account. They agree to the second and in volume over several weeks, which public signals do not explain. The decision stands; the details are in the letter we sent you. You may appeal within thirty days.`,
    ),
    said('P59D', `This is theft. Delete my account and all of my data.`),
    replied(
      'P58DT20H',
      'maya',
      `We have passed your request to our data protection officer. Records that the law obliges us to keep will be kept for that time, everything else will be deleted within thirty days.`,
    ),
    announced('P40D', `The trader deleted their account.`),
  ),
  ticket(
    'weekend-holding',
    'hannah',
    'Holding over the weekend on a swing account',
    { status: 'resolved', priority: 'low', tags: ['rules'] },
    said('P19D', `Am I right that swing accounts may hold over the weekend, and the normal ones may not?`),
    ai(
      'P18DT23H59M',
      `Exactly. On normal accounts open positions are closed on Friday at 21:45 server time; on swing accounts they may stay open, with half the leverage.`,
    ),
    said('P18DT21H', `Ta!`),
  ),
  ticket(
    'ea-allowed',
    'ravi',
    'Is my EA allowed?',
    { status: 'awaiting_trader', assignee: 'tom', team: 'risk', tags: ['rules'] },
    said(
      'P4D',
      `Hello, I built an expert advisor that opens a grid of limit orders around the Asian range. No martingale, fixed stop. Is that allowed on funded accounts?`,
    ),
    replied(
      'P3DT20H',
      'tom',
      `Hi Ravi, nice work. Grids are fine as long as each order has a stop and the total risk stays under 2 %. How many orders can be open at once, and what happens when the platform loses the connection?`,
    ),
    said('P3D', `Max 6 orders, 0.3 % each. Stops are on the server, so nothing happens.`),
    noted(
      'P2DT23H',
      'nadia',
      `Fine from my side. Please ask him to keep the magic number constant, it makes our checks easier.`,
    ),
    replied(
      'P2DT20H',
      'tom',
      `Then it is allowed. Please keep its magic number the same on all accounts, and tell us when you change the logic. Could you post the number here?`,
    ),
  ),
  ticket(
    'breach-by-spread',
    'mateo',
    'Cuenta perdida por el spread del rollover',
    {
      status: 'awaiting_admin',
      priority: 'high',
      assignee: 'lena',
      team: 'risk',
      tags: ['rules', 'platform'],
    },
    said(
      'P2DT8H',
      `Perdí la cuenta de 100K a las 23:00 porque el spread de GBPJPY pasó de 1,2 a 31 pips. Mi stop se ejecutó a 29 pips de distancia. Eso no es una pérdida de trading.`,
      {
        image_url: screenshot('GBPJPY', 'spread 31.4  |  stop filled 29.1 pips away'),
        image_name: 'spread.svg',
      },
    ),
    replied(
      'P2DT4H',
      'lena',
      `Hola, Mateo. Gracias por la captura. En el rollover el spread siempre se abre, pero 31 pips es demasiado también para nosotros. He pedido los ticks de todos los proveedores para ese minuto.`,
    ),
    said('P2DT3H', `Gracias, Lena. Espero.`),
    noted(
      'P1DT20H',
      'lena',
      `Ticks: one provider sent 31, the others 9 to 12. Looks like our aggregator did not filter it.`,
    ),
    noted(
      'P1DT2H',
      'nadia',
      `Agreed, bad tick. I recommend to restore the account with the balance before the trade. Maya, your decision.`,
    ),
    said('PT7H', `Buenos días, ¿hay alguna novedad?`),
  ),
];
