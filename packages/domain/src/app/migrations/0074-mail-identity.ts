import { Migration } from '@mikro-orm/migrations';

/** What mail programs put before the subject of a reply, in lower case and, beyond ASCII, in upper case. */
const REPLY = [
  // English, German, Dutch, Scandinavian, Finnish and Estonian, French, Italian, Spanish, Portuguese
  ...[
    're',
    'aw',
    'antw',
    'antwort',
    'antwoord',
    'sv',
    'svar',
    'vs',
    'ref',
    'rif',
    'r',
    'ris',
    'rép',
    'RÉP',
    'rv',
    'res',
    'resp',
  ],
  // Polish and Czech, South Slavic, Turkish, Lithuanian and Latvian, Welsh, Hungarian, Romanian, Indonesian, Vietnamese
  ...[
    'odp',
    'odg',
    'ynt',
    'cvp',
    'ats',
    'atb',
    'vá',
    'va\u0301',
    'VÁ',
    'válasz',
    'VÁLASZ',
    'răsp',
    'RĂSP',
    'bls',
    'tl',
    'trả lời',
  ],
  // Greek, Russian, Ukrainian, Bulgarian, Serbian
  ...[
    'απ',
    'ΑΠ',
    'отв',
    'Отв',
    'ОТВ',
    'ответ',
    'Ответ',
    'ОТВЕТ',
    'відп',
    'Відп',
    'ВІДП',
    'відповідь',
    'Відповідь',
    'отг',
    'Отг',
    'ОТГ',
    'одг',
    'Одг',
    'ОДГ',
  ],
  // Chinese, Japanese, Korean, Thai, Arabic, Persian, Hebrew
  ...[
    '回复',
    '回覆',
    '答复',
    '答覆',
    '返信',
    '回信',
    '회신',
    '답장',
    'ตอบ',
    'ตอบกลับ',
    'رد',
    'پاسخ',
    'תשובה',
    'השב',
  ],
];

/** The same for forwarded messages. */
const FORWARD = [
  ...[
    'fw',
    'fwd',
    'wg',
    'tr',
    'enc',
    'i',
    'vb',
    'vl',
    'doorst',
    'pd',
    'ilt',
    'trs',
    'yml',
    'tov',
    'ct',
    'πρθ',
    'ΠΡΘ',
  ],
  ...['пересл', 'Пересл', 'ПЕРЕСЛ', 'переслано', 'Переслано', 'прп', 'Прп'],
  ...['转发', '轉寄', '轉發', '転送', '전달', 'إعادة توجيه', 'הועבר'],
];

/** The end of a prefix: `:`, also of full width, after an optional counter such as `[2]`, `(2)`, `^2` or `*2`. */
const END = '[\\s\\u00a0]*([[(^*]?\\d{1,3}[])]?)?[\\s\\u00a0]*[:\\uff1a]';
/** A tag in brackets, such as `[EXT]`. One with a digit can be the number of a matter, so it is a part of the subject. */
const TAG = '\\[[^][0-9]{1,40}\\]';
const SPACE = '[\\s\\u00a0]*';

/**
 * A message is the same as another one if its `Message-ID` and its content are. `content_digest` is null in messages of previous versions.
 *
 * `mail_reply_key` and `mail_is_reply` replace `mail_subject_key`, which gateways of the previous version still call.
 */
export class MailIdentity extends Migration {
  override up(): void {
    this.addSql('alter table mail_messages add column content_digest text collate "C"');
    this.addSql(`
      -- The subject without prefixes and tags, so that a mail and all its replies have the same key.
      -- Truncated, because the size of an index entry is limited.
      create function mail_reply_key(subject text) returns text language sql immutable strict parallel safe
        return left(lower(btrim(regexp_replace(subject,
          '^(${SPACE}((${[...REPLY, ...FORWARD].join('|')})${END}|${TAG}))+${SPACE}', '', 'i'))), 200);
      -- Whether a subject begins like that of a reply. A forwarded message is none.
      create function mail_is_reply(subject text) returns boolean language sql immutable strict parallel safe
        return subject ~* '^(${SPACE}${TAG})*${SPACE}(${REPLY.join('|')})${END}';
    `);
  }
}
