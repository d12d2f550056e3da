import { ai, announced, noted, replied, said, type Ticket, ticket } from './conversation.ts';

export const affiliateTickets: Ticket[] = [
  ticket(
    'commission-missing',
    'mateo',
    'Two referrals are missing in my report',
    { status: 'awaiting_admin', team: 'support', tags: ['affiliate'] },
    said(
      'P1DT11H',
      `Hi, two friends of mine bought with my link last week, I sat next to one of them. The report shows only one sale. Could a cookie have been blocked?`,
    ),
    ai(
      'P1DT10H59M',
      `That is possible: without the cookie the sale is only counted if the code was entered. Please send us the order number or the mail address of your friend, with their consent, and the team will look it up.`,
    ),
    said('P1D', `Order 51877, he agrees.`),
  ),
  ticket(
    'change-code',
    'wei',
    'New affiliate code',
    { status: 'awaiting_trader', priority: 'low', assignee: 'diego', tags: ['affiliate', 'vip'] },
    said(
      'P1DT2H',
      `I would like NGWEI instead of WEI2024, the year looks old in videos. What happens to links that are out there?`,
    ),
    replied(
      'PT22H',
      'diego',
      `Hi Wei, the old code keeps working and counts for you, for as long as you like. NGWEI is short enough to be mistaken for one of ours, so I have to ask compliance. Would WEITRADES be an alternative?`,
    ),
  ),
  ticket(
    'become-affiliate',
    'hannah',
    'How do I become an affiliate?',
    { status: 'resolved', tags: ['affiliate'] },
    said(
      'PT11H',
      `I write a newsletter about trading psychology and would like to recommend you. Is there a programme?`,
    ),
    ai(
      'PT10H59M',
      `There is: apply under Affiliates in your dashboard. You receive 15 % of each fee paid through your link; the team answers applications within two working days.`,
    ),
    said('PT9H', `Applied. Thanks!`),
  ),
  ticket(
    'commission-threshold',
    'arjun',
    'Commission below the threshold',
    { status: 'closed', priority: 'low', tags: ['affiliate'] },
    said('P47D', `I have $41 of commission. The minimum for a payout is $100. Does it expire?`),
    ai('P46DT23H59M', `No, it stays and adds up until you reach the minimum.`),
    announced('P40D', `This ticket was closed after seven days without an answer.`),
  ),
  ticket(
    'self-referral',
    'tyler',
    'Commission cancelled',
    { status: 'awaiting_admin', priority: 'normal', team: 'risk', tags: ['affiliate', 'rules'] },
    said(
      'PT14H',
      `You cancelled $86 of my commission as "self-referral". That was my girlfriend's account. We live together but she is a real person with her own account!`,
    ),
    noted('PT13H', 'tom', `Same card for both purchases. Nadia, could you have a look? I believe him.`),
  ),
  ticket(
    'banner-material',
    'amelie',
    'Bannières en français ?',
    { status: 'awaiting_admin', priority: 'low', tags: ['affiliate'] },
    said(
      'PT5H',
      `Bonjour, existe-t-il des bannières en français pour mon blog ? Je ne trouve que l'anglais.`,
    ),
    ai(
      'PT4H59M',
      `Bonjour Amélie, les bannières françaises se trouvent sous Affiliation, Matériel, filtre « Langue ». Il y en a huit, dont deux au format carré.`,
    ),
    said('PT1H', `Merci, trouvées ! Est-ce que je peux changer la couleur du fond ?`),
  ),
];
