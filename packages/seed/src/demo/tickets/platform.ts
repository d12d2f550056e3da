import { screenshot } from '../pictures.ts';
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

export const platformTickets: Ticket[] = [
  ticket(
    'terminal-freezes',
    'jonas',
    'Terminal friert nach dem Update ein',
    {
      status: 'awaiting_admin',
      priority: 'high',
      assignee: 'tom',
      team: 'support',
      tags: ['platform', 'bug'],
    },
    said(
      'P1DT4H',
      `Seit dem Update von gestern friert das Terminal ein, sobald ich ein Chartfenster auf den zweiten Monitor ziehe. Neuinstallation hat nichts gebracht.`,
      {
        image_url: screenshot('Terminal', 'Keine Rückmeldung'),
        image_name: 'terminal.svg',
      },
    ),
    ai(
      'P1DT3H59M',
      `Das tut mir leid. Bitte prüfen Sie, ob der Fehler auch ohne eigene Indikatoren auftritt: Datei, Profil, Standard. Bleibt er bestehen, leite ich Ihr Ticket weiter.`,
    ),
    said(
      'P1DT3H',
      `Auch mit dem Standardprofil. Ich habe zwei Monitore mit unterschiedlicher Skalierung (100 und 150 %).`,
    ),
    noted(
      'PT7H',
      'tom',
      `Vendor reproduces it: different scaling. Case 55120, fix expected at the end of the week. Workaround: turn off detached charts.`,
    ),
    said('PT3H', `Gibt es schon etwas Neues? Ich kann so nicht handeln und meine 30 Tage laufen weiter.`),
  ),
  ticket(
    'terminal-freezes-too',
    'katrin',
    'Chart lässt sich nicht lösen',
    { status: 'awaiting_admin', team: 'support', tags: ['platform', 'bug'] },
    said('PT9H', `Servus, bei mir hängt sich alles auf, wenn ich den Chart ablöse. Bin ich die Einzige?`),
  ),
  ticket(
    'login-after-reset',
    'amelie',
    'Impossible de me connecter à la plateforme',
    { status: 'resolved', assignee: 'tom', tags: ['platform'] },
    said(
      'P6DT3H',
      `Bonjour, depuis la réinitialisation de mon mot de passe, la plateforme affiche « compte invalide ». Le tableau de bord, lui, fonctionne.`,
    ),
    ai(
      'P6DT2H59M',
      `Bonjour Amélie, le mot de passe de la plateforme est distinct de celui du tableau de bord. Vous pouvez le redéfinir sous Comptes, Identifiants.`,
    ),
    said('P6DT2H', `C'est justement ce que j'ai fait, deux fois.`),
    replied(
      'P6DT1H',
      'tom',
      `Bonjour Amélie, votre compte a été migré vers le serveur « Northgate-Live 2 » pendant le week-end. Choisissez ce serveur dans la liste et le mot de passe sera accepté.`,
    ),
    said('P6D', `Ça marche, merci ! Un petit e-mail avant la migration aurait été utile.`),
    replied(
      'P5DT22H',
      'tom',
      `Vous avez raison, il est parti dans les indésirables chez beaucoup de monde. Merci de votre patience !`,
    ),
  ),
  ticket(
    'orders-rejected',
    'piotr',
    'All orders rejected: "trade disabled"',
    { status: 'awaiting_trader', priority: 'high', assignee: 'tom', tags: ['platform'] },
    said(
      'PT26H',
      `Every order since 10:00 is rejected with "trade disabled". Account 88231. Other people in the chat trade normally.`,
      {
        image_url: screenshot('Order', 'Rejected: trade disabled'),
        image_name: 'order.svg',
      },
    ),
    replied(
      'PT25H',
      'tom',
      `Hi Piotr, found it: your account reached the profit target of phase 1 this morning, and trading stops so that you cannot lose it again. Congratulations! Your phase 2 account is being created and will be in your dashboard within the hour.`,
    ),
    said('P1DT59M', `Ha! I did not even notice. Great news, sorry for the noise.`),
    replied(
      'PT24H',
      'tom',
      `The best kind of noise. The new account is there; please confirm that you can log in, then I will close this.`,
    ),
  ),
  ticket(
    'two-factor-lost',
    'marcus',
    'Lost my phone, cannot get the two-factor code',
    { status: 'awaiting_admin', priority: 'urgent', assignee: 'tom', team: 'support', tags: ['platform'] },
    said(
      'PT4H',
      `My phone was stolen last night. I have two open positions and cannot get into anything, because of the code. I write from my wife's mail address.`,
      byEmail,
    ),
    noted(
      'PT3H',
      'tom',
      `Comes from another address. Asked for a video call before I touch the second factor.`,
    ),
    replied(
      'PT2H59M',
      'tom',
      `Hi Marcus, sorry to hear that. Since you write from another address I have to be sure that it is you: can you join a short video call with your passport? Here is a link for the next hour. Meanwhile I can close your positions if you want, for that a "close" from this address is enough.`,
    ),
    said('PT2H', `Joined, nobody there? Please leave the positions alone, they have stops.`, byEmail),
    said('PT22M', `Still waiting in the call.`, byEmail),
  ),
  ticket(
    'mobile-notifications',
    'sanne',
    'No alerts on the phone any more',
    { status: 'open', priority: 'low', tags: ['platform'] },
    said(
      'PT40M',
      `Since I have a new phone, price alerts do not come any more. The alerts are there in the list, they just make no sound or banner.`,
    ),
    ai(
      'PT39M',
      `After a change of phone the app has to be allowed to notify you again: phone settings, Notifications, switch the app on, then sign out of the app and in again so that it registers the new device.`,
    ),
  ),
  ticket(
    'latency-asia',
    'thuy',
    'High latency from Vietnam',
    { status: 'awaiting_trader', assignee: 'lena', tags: ['platform'] },
    said(
      'P8D',
      `Ping to the trading server is 290 ms, with my old firm it was 60. Do you have a server in Asia?`,
    ),
    ai(
      'P7DT23H59M',
      `Our trading servers are in London and New York. An access point in Singapore is planned.`,
    ),
    said('P7DT20H', `Planned when? I scalp, 290 ms is not usable.`),
    commanded('P7DT18H', 'lena', `say next month, offer the beta of the Singapore access point`),
    ai(
      'P7DT17H59M',
      `The access point in Singapore opens to everyone next month. You could join the beta today: choose "Northgate-SGP beta" in the server list. Please note that it may be restarted without notice on weekends.`,
    ),
    said('P7D', `Joined. Ping is 48 now, wow.`),
    replied(
      'P6DT22H',
      'lena',
      `Wonderful! Please tell us if you see any requotes there, that is what we are watching in the beta.`,
    ),
  ),
  ticket(
    'wrong-server-time',
    'grace',
    'Which time zone is the server time?',
    { status: 'resolved', priority: 'low', tags: ['platform'] },
    said(
      'P13D',
      `The daily limit resets at "00:00 server time". Which zone is that, and does it change in summer?`,
    ),
    ai(
      'P12DT23H59M',
      `Server time is that of New York plus seven hours, so that the trading day ends at 17:00 in New York all year. From Nairobi that is midnight in summer and one in the morning in winter.`,
    ),
    said('P12DT23H58M', `Very clear, asante!`),
  ),
  ticket(
    'dashboard-blank',
    'chloe',
    'Tableau de bord vide sur Safari',
    { status: 'closed', tags: ['platform', 'bug'] },
    said('P29D', `Bonjour, page blanche sur Safari, tout va bien sur Chrome.`),
    ai(
      'P28DT23H59M',
      `Bonjour Chloé, merci du signalement. Pouvez-vous essayer en désactivant les bloqueurs de contenu pour notre site ?`,
    ),
    said('P28DT23H58M', `Sans bloqueur ça marche. Mais c'est un bloqueur très courant…`),
    replied(
      'P28DT20H',
      'lena',
      `Merci Chloé, nous avons reproduit le problème : le bloqueur filtrait un fichier nommé « banner.js ». Il est renommé depuis ce matin.`,
    ),
    announced('P21D', `This ticket was closed after seven days without an answer.`),
  ),
];
