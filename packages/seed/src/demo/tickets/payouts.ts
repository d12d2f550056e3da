import { screenshot } from '../pictures.ts';
import { ai, byEmail, commanded, noted, replied, said, type Ticket, ticket } from './conversation.ts';

export const payoutTickets: Ticket[] = [
  ticket(
    'wrong-network',
    'aisha',
    'Payout sent to the wrong network',
    { status: 'awaiting_admin', priority: 'urgent', assignee: 'tom', team: 'payments', tags: ['payout'] },
    said(
      'PT5H',
      `Hello, my payout of 2,310 USDT is marked as paid since this morning but nothing is in my wallet. I gave you a TRC-20 address and the transaction you show is on Ethereum. Please tell me the money is not gone.`,
    ),
    ai(
      'PT4H59M',
      `I understand that this is worrying. A payout to an address on another network can often be recovered, but a person has to look at it. I have passed your ticket to our payments team.`,
    ),
    replied(
      'PT4H',
      'tom',
      `Hi Aisha, I am with you on this now. The address you entered is valid on both networks, and the order was sent as ERC-20. That is the good case: whoever holds the key of that address can reach the funds. Is it a wallet of your own, or a deposit address of an exchange?`,
    ),
    said(
      'PT3H',
      `It is my exchange account. Their support says they do not credit "other networks" automatically.`,
    ),
    noted(
      'PT2H',
      'tom',
      `Priya is asking the exchange for the recovery form, they want the transaction hash and a letter from us.`,
    ),
    said(
      'PT12M',
      `Any news? They say they need a letter from the sender and I only have until tomorrow to open the case.`,
    ),
  ),
  ticket(
    'approved-not-paid',
    'anders',
    'Approved on Monday, still nothing on my account',
    {
      status: 'awaiting_trader',
      priority: 'high',
      assignee: 'tom',
      team: 'payments',
      tags: ['payout', 'vip'],
    },
    said(
      'P6D',
      `Hi, my payout was approved on Monday and the dashboard says "in transfer". Usually it takes a day with you. Today is the third day. Could you have a look?`,
    ),
    noted('P5DT22H', 'tom', `Not in Thursday's batch although approved. Asked Priya.`),
    replied(
      'P5DT20H',
      'tom',
      `Hi Anders, thanks for your patience. You changed your IBAN on Monday afternoon, after the list for the batch was frozen, so your payout was held back rather than sent to the old account. It goes out with tomorrow's run.`,
    ),
    said(
      'P5DT19H',
      `Ah, that explains it. A word about it in the dashboard would have saved us both the mail :)`,
    ),
    replied('P5DT18H', 'tom', `Fair point, I have put it on the list for the dashboard.`),
    said('P3D', `Still "in transfer". The run was two days ago.`),
    noted('P2DT23H', 'tom', `Bank: returned, "account holder does not match". Payment 20417-B.`),
    replied(
      'P2DT22H',
      'tom',
      `The bank of the new account sent it back: the account is in two names, and ours is in one. Could you upload a statement that shows both holders? Then Priya can release it the same day.`,
    ),
  ),
  ticket(
    'first-payout-when',
    'grace',
    'When can I ask for my first payout?',
    { status: 'awaiting_admin', tags: ['payout'] },
    said(
      'PT18M',
      `Hi, my funded account started on the 2nd and I am up 3.4 %. When am I allowed to request the first payout, and is there a minimum?`,
    ),
    ai(
      'PT17M',
      `Congratulations on the start! The first payout can be requested fourteen days after your first trade on the funded account, and then every fourteen days. The minimum is $50 after the profit split. You find the button under Payouts as soon as the date is reached.`,
    ),
    said('PT4M', `And if I have an open position on that day?`),
  ),
  ticket(
    'split-after-scaling',
    'wei',
    'Profit split after the scaling step',
    { status: 'resolved', assignee: 'lena', team: 'payments', tags: ['payout', 'vip'] },
    said(
      'P24D',
      `My account was scaled from 100K to 130K. The payout preview still shows an 80 % split, but the scaling plan says 90 % from the first step.`,
    ),
    replied(
      'P23DT20H',
      'lena',
      `Hi Wei, you are right, and the preview is wrong: it reads the split at the start of the cycle. The payout itself uses the current one. You will receive 90 %.`,
    ),
    said('P23DT12H', `Good. Please confirm after the payout that it was really calculated with 90.`),
    replied('P14D', 'lena', `Done this morning: profit $5,210.00, your share $4,689.00, which is 90 %.`),
    said('P13DT22H', `Received. Thank you Lena.`),
  ),
  ticket(
    'bank-fee',
    'fatima',
    'Who pays the bank fee?',
    { status: 'resolved', tags: ['payout'] },
    said('P9D', `I received 1,465 instead of 1,500. Who took the 35?`),
    ai(
      'P8DT23H59M',
      `We send the full amount. On international transfers the banks in between may each take a fee, which we do not see beforehand. If you choose USDT or a local transfer in AED, no bank stands in between.`,
    ),
    said('P8DT22H', `OK, I will use the local transfer next time.`),
  ),
  ticket(
    'payout-denied',
    'viktor',
    'Payout denied without any reason!!',
    { status: 'awaiting_admin', priority: 'high', team: 'risk', tags: ['payout', 'rules'] },
    said(
      'P1DT2H',
      `You denied my payout of 3,900 USD with the sentence "trading behaviour under review". What behaviour? I trade the same way for eight months and you paid five times.`,
    ),
    replied(
      'P1D',
      'lena',
      `Hi Viktor, I can see why that sentence is not enough. The review was opened because a large part of the profit was made within two minutes of a release. Our risk team checks each of those trades against the news rule. I will ask them for the list.`,
    ),
    noted(
      'PT23H',
      'lena',
      `@Nadia can I send him the trade list? He is calm so far, and I think he really does not know that CPI counts as high impact for gold.`,
    ),
    noted(
      'PT21H',
      'nadia',
      `Yes, list is attached to the review. 4 of 19 trades are inside the window. The other 15 are fine and will be paid.`,
    ),
    said('PT2H', `It is a full day now. I would like to see this list.`),
  ),
  ticket(
    'auszahlung-steuer',
    'jonas',
    'Steuerbescheinigung für meine Auszahlungen',
    { status: 'awaiting_trader', assignee: 'lena', team: 'payments', tags: ['payout'] },
    said(
      'P3D',
      `Guten Tag, mein Steuerberater braucht eine Aufstellung aller Auszahlungen des letzten Jahres. Gibt es so etwas, oder muss ich die Einzelbelege nehmen? Viele Grüße, Jonas Becker`,
    ),
    replied(
      'P2DT22H',
      'lena',
      `Hallo Herr Becker, die Aufstellung gibt es: Auszahlungen, oben rechts "Jahresübersicht". Sie enthält Datum, Betrag und Empfängerkonto. Eine Steuerbescheinigung im deutschen Sinn dürfen wir nicht ausstellen, weil wir keine Bank sind. Reicht Ihrem Berater die Übersicht?`,
    ),
  ),
  ticket(
    'pagamento-pix',
    'rafael',
    'Pagamento via Pix não chegou',
    { status: 'awaiting_admin', priority: 'normal', tags: ['payout'] },
    said(
      'P1DT5H',
      `Oi pessoal, pedi meu saque por Pix ontem de manhã e até agora nada. O status diz "pago". A chave é meu CPF. Podem verificar?`,
      byEmail,
    ),
    ai(
      'P1DT4H59M',
      `Olá, Rafael! Um Pix costuma cair em poucos minutos. Como o status já é "pago", vou encaminhar seu caso à equipe de pagamentos para conferir o comprovante.`,
    ),
    said('PT8H', `Obrigado. Segue o extrato do meu banco, sem nenhum crédito ontem nem hoje.`, {
      image_url: screenshot('Extrato', 'Nenhum lançamento encontrado no período'),
      image_name: 'extrato.svg',
    }),
  ),
  ticket(
    'two-cycles-together',
    'sanne',
    'Can I take two cycles together?',
    { status: 'closed', priority: 'low', tags: ['payout'] },
    said(
      'P41D',
      `Hoi, I forgot to request my payout in the last cycle. Can I request both together now, or is the old one lost?`,
    ),
    ai(
      'P40DT23H59M',
      `Nothing is lost: profit that you do not withdraw stays on the account, and your next request covers all of it.`,
    ),
    said('P40DT20H', `Perfect, thanks`),
  ),
  ticket(
    'minimum-amount',
    'thuy',
    'Minimum payout and exchange rate',
    { status: 'awaiting_trader', assignee: 'tom', tags: ['payout'] },
    said(
      'PT30H',
      `Hello, is the minimum 50 USD before or after the split? And which exchange rate do you use for VND?`,
    ),
    commanded(
      'PT29H',
      'tom',
      `explain that the minimum is after the split, and that we pay in USD, so the rate is that of her bank`,
    ),
    ai(
      'P1DT4H59M',
      `Hello Thủy, the minimum of 50 USD is counted after the profit split. We pay out in USD; the rate into VND is the one your bank applies on the day the money arrives, so it may differ a little from the one you see online.`,
    ),
  ),
];
