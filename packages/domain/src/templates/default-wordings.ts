import type { MailTemplateKind } from '@firmdesk/contract';

/** The wording of a mail. `text` is Markdown with variables. */
export interface Wording {
  subject: string;
  text: string;
}

/** The language of {@link defaultWordings}. */
export const DEFAULT_LANGUAGE = 'en';

/** What a mail says in a firm that has not written it. A line of which a variable has no value is left out. */
export const defaultWordings: Readonly<Record<MailTemplateKind, Wording>> = {
  pre_registration: {
    subject: '{{firm_name}} has reserved a referral code for you',
    text: `Hello,

{{firm_name}} has reserved the referral code **{{referral_code}}** for you. Your link:

[{{referral_url}}]({{referral_url}})

The reservation ends on {{expires_at}}.`,
  },
  ticket_reply: {
    subject: 'Re: {{ticket_subject}} [{{ticket_number}}]',
    text: `{{message}}

{{author}}, {{firm_name}}`,
  },
  reminder: {
    subject: 'Reminder: {{title}}, {{starts_at}}',
    text: `**{{title}}** begins at {{starts_at}}.

Place: {{location}}

[{{conference_url}}]({{conference_url}})`,
  },
  password_reset: {
    subject: 'Choose a new password',
    text: `Hello {{name}},

somebody asked for a new password of your account at {{firm_name}}. Choose it here:

[{{reset_url}}]({{reset_url}})

The link works once, until {{expires_at}}. If it was not you, ignore this mail: your password stays as it is.`,
  },
  member_invite: {
    subject: '{{invited_by}} invites you to {{firm_name}}',
    text: `Hello,

{{invited_by}} invites you to the team of **{{firm_name}}**. To join, open:

[{{link}}]({{link}})

The link is for you alone, and works until {{expires_at}}.`,
  },
  invitation: {
    subject: 'Invitation: {{title}}, {{starts_at}}',
    text: `{{organizer}} invites you to **{{title}}** at {{starts_at}}.

Place: {{location}}

[{{conference_url}}]({{conference_url}})`,
  },
  satisfaction: {
    subject: 'How satisfied were you? {{ticket_subject}} [{{ticket_number}}]',
    text: `Hello,

we have resolved your ticket **{{ticket_subject}}**. How satisfied were you with our answers?

[Rate our answers]({{rating_url}})

{{firm_name}}`,
  },
  weekly_report: {
    subject: '{{firm_name}}: support from {{from}} to {{until}}',
    text: `Hello {{name}},

these are the figures of **{{firm_name}}** from {{from}} to {{until}}, with those of the week before in brackets:

- Created tickets: {{created}}
- Resolved tickets: {{resolved}}
- Replies of the team: {{replies}}
- First response, median: {{first_response}}
- Resolution, median: {{resolution}}
- Answered by the assistant alone: {{by_assistant}}
- Satisfaction, of 5: {{satisfaction}}

[Open the report]({{report_url}})

[Stop this mail]({{unsubscribe_url}})`,
  },
};

/** The values of a preview. */
export const exampleValues: Readonly<Record<string, string>> = {
  name: 'Kim Sørensen',
  reset_url: 'https://desk.example/reset-password#example',
  firm_name: 'Northbay Trading',
  email: 'kim@example.com',
  referral_code: 'KIM2026',
  referral_url: 'https://firm.example/?ref=KIM2026',
  expires_at: '2026-12-31 23:59 UTC',
  ticket_number: '#A1B2C3',
  ticket_subject: 'Where is my payout?',
  author: 'Maya Lindqvist',
  message: 'Hello Kim,\n\nyour payout has left us today.',
  title: 'Weekly review',
  starts_at: 'Monday, 7 December, 10:00',
  location: 'Room 4',
  conference_url: 'https://meet.example/weekly',
  organizer: 'Maya Lindqvist',
  invited_by: 'Maya Lindqvist',
  link: 'https://firm.example/join/northbay',
  rating_url: 'https://desk.example/rate/example',
  from: '2026-11-23',
  until: '2026-11-29',
  created: '84 (79)',
  resolved: '80 (81)',
  replies: '131 (120)',
  first_response: '25 min (32 min)',
  resolution: '6 h 10 min (5 h)',
  by_assistant: '31 % (28 %)',
  satisfaction: '4.4 (4.1)',
  report_url: 'https://desk.example/firms/northbay/reports',
  unsubscribe_url: 'https://desk.example/unsubscribe/example',
};
