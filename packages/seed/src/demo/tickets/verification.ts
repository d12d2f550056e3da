import { screenshot } from '../pictures.ts';
import {
  ai,
  announced,
  byEmail,
  commanded,
  commandFailed,
  noted,
  replied,
  said,
  type Ticket,
  ticket,
} from './conversation.ts';

export const verificationTickets: Ticket[] = [
  ticket(
    'passport-glare',
    'arjun',
    'Passport rejected four times',
    { status: 'awaiting_admin', priority: 'high', assignee: 'lena', team: 'support', tags: ['kyc'] },
    said(
      'P2DT3H',
      `Your verification rejects my passport every time: "glare detected". I tried by the window, with a lamp, without a lamp. This is the fourth time and I passed phase 2 a week ago.`,
      {
        image_url: screenshot('Verification', 'Document rejected: glare detected'),
        image_name: 'rejected.svg',
      },
    ),
    ai(
      'P2DT2H59M',
      `I am sorry about the repeated rejections. Photos taken without flash on a dark, matt surface work best. If that fails too, a person can check your document by hand; shall I pass the ticket on?`,
    ),
    said('P2DT1H', `Yes please, a person.`),
    replied(
      'P2D',
      'lena',
      `Hi Arjun, a person it is. New Indian passports have a laminate that the check takes for glare. Please upload a scan (not a photo) at 300 dpi under Documents, and I will have it reviewed by hand.`,
    ),
    said('P1D', `Uploaded yesterday evening.`),
    noted('PT22H', 'lena', `Scan is fine. Vendor has to lift the lock first, case VC-7741.`),
    said('PT1H', `Good morning, is there any news? My funded account cannot start without it.`),
  ),
  ticket(
    'proof-of-address',
    'olivia',
    'Proof of address: is a phone bill all right?',
    { status: 'resolved', tags: ['kyc'] },
    said(
      'P16D',
      `I live in a house share and the utilities are not in my name. Will a mobile phone bill do?`,
    ),
    ai(
      'P15DT23H59M',
      `Yes, a mobile phone bill is accepted when it is not older than three months and shows your full name and address. A bank statement works as well.`,
    ),
    said('P15DT23H', `Great, uploaded it, and it went through. Thanks!`),
  ),
  ticket(
    'name-order',
    'kenji',
    '氏名の表記について',
    { status: 'awaiting_admin', priority: 'normal', team: 'support', tags: ['kyc'] },
    said(
      'PT20H',
      `お世話になります。本人確認の際、パスポートの表記(WATANABE KENJI)と登録名の順序が違うため、審査が止まっています。登録名をローマ字に変更していただけますか。`,
    ),
    ai(
      'PT19H59M',
      `ご連絡ありがとうございます。登録名の変更は担当者が行いますので、サポートチームに引き継ぎました。パスポートの写真のページをもう一度アップロードしていただけますと、手続きが早く進みます。`,
    ),
    said('PT18H', `アップロードしました。よろしくお願いいたします。`),
  ),
  ticket(
    'married-name',
    'katrin',
    'Neuer Nachname nach Heirat',
    { status: 'awaiting_trader', assignee: 'lena', team: 'support', tags: ['kyc'] },
    said(
      'P5D',
      `Hallo, ich habe geheiratet und heiße jetzt Vogel-Steiner. Mein Ausweis ist schon neu, mein Bankkonto auch. Was muss ich bei euch ändern, damit die nächste Auszahlung nicht hängen bleibt?`,
    ),
    replied(
      'P4DT22H',
      'lena',
      `Hallo Katrin, herzlichen Glückwunsch! Bitte lade den neuen Ausweis und die Heiratsurkunde unter Dokumente hoch. Ich ändere dann den Namen im Konto und im Vertrag, und erst danach trägst du das neue Bankkonto ein, in dieser Reihenfolge.`,
    ),
    said('P4D', `Der Ausweis ist oben, die Urkunde bekomme ich nächste Woche.`),
    replied(
      'P3DT22H',
      'lena',
      `Alles klar, ich lasse das Ticket offen. Melde dich einfach hier, wenn sie da ist.`,
    ),
  ),
  ticket(
    'second-account-id',
    'marcus',
    'Can my brother use the same computer?',
    { status: 'closed', assignee: 'tom', team: 'risk', tags: ['kyc', 'rules'] },
    said(
      'P52D',
      `My brother wants to start a challenge. We share a flat and a computer. Will that get both of us banned?`,
    ),
    ai(
      'P51DT23H59M',
      `Two people of one household may each have accounts, but both must be verified, and trades may not be copied between them. To be safe, please let the team know before he starts.`,
    ),
    said('P51DT23H58M', `That is what I am doing :)`),
    replied(
      'P51DT20H',
      'tom',
      `And we appreciate it. I have noted both names and the shared address. Use separate browser profiles and do not trade the same setup at the same minute, then the checks stay quiet.`,
    ),
    noted('P51DT19H59M', 'tom', `Household with brother (Dorian Reid), cleared with Nadia.`),
    said('P51D', `Will do, thanks Tom.`),
    announced('P44D', `This ticket was closed after seven days without an answer.`),
  ),
  ticket(
    'kimlik-onayi',
    'emre',
    'Kimlik doğrulama ne kadar sürer?',
    { status: 'awaiting_admin', tags: ['kyc'] },
    said(
      'PT2H',
      `Merhaba, kimliğimi dün akşam yükledim, hâlâ "incelemede" görünüyor. İkinci aşamayı geçtim ve hesabımı bekliyorum. Ne kadar sürer?`,
    ),
    ai(
      'PT1H59M',
      `Merhaba Emre, tebrikler! Doğrulama genellikle 24 saat içinde tamamlanır. Belgeniz ulaştı ve sırada; sonuç e-posta ile bildirilecek.`,
    ),
    said('PT50M', `Teşekkürler, bekliyorum. Hafta sonu da çalışıyor musunuz?`),
  ),
  ticket(
    'contract-not-arriving',
    'noah',
    'Contract link has expired',
    { status: 'awaiting_admin', priority: 'normal', tags: ['kyc'] },
    said(
      'PT6H',
      `Hey, the link to sign the trader agreement says "expired". I only opened it today because I was travelling. Could you send me a new one?`,
      byEmail,
    ),
    commanded('PT5H', 'tom', `tell him a new link is on its way and is valid for seven days`),
    commandFailed('PT4H59M', `The assistant did not answer in time. Nothing was sent to the trader.`),
    said('PT2H', `Hello? My account is supposed to start on Monday.`, byEmail),
  ),
  ticket(
    'underage',
    'yusuf',
    'Doğrulama reddedildi: yaş',
    { status: 'closed', priority: 'low', assignee: 'maya', ai_blocked: true, tags: ['kyc'] },
    said('P33D', `17 yaşındayım ama babam izin veriyor. Onun kimliğiyle devam edebilir miyim?`),
    ai(
      'P32DT23H59M',
      `Üzgünüm, program yalnızca 18 yaşını doldurmuş kişilere açıktır ve hesap başka bir kişi adına kullanılamaz.`,
    ),
    said('P32DT23H58M', `Ama 3 ay sonra 18 oluyorum, hesabı o zamana kadar dondurun lütfen lütfen`),
    said('P32DT23H57M', `Cevap verin`),
    replied(
      'P32DT20H',
      'maya',
      `Merhaba Yusuf, seni anlıyorum, ama kural herkes için aynı. Ödediğin ücreti bugün iade ettik. 18 yaşına girdiğinde bize yaz, ilk denemen bizden.`,
    ),
  ),
];
