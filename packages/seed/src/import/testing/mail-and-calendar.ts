import { expect, test } from 'vitest';
import type { RoundTrip } from './round-trip.ts';

/** Tests the mail and the calendars of an import. */
export function testMailAndCalendars(trip: RoundTrip): void {
  const { rows, ago, now } = trip;
  test('imports mailboxes with their members', async () => {
    const found = await rows(`
    select b.id, w.slug, b.email, b.name,
      (select json_agg(json_build_array(m.user_id, m.can_write, m.notify) order by m.can_write desc)
        from mailbox_members m where m.workspace_id = b.workspace_id and m.mailbox_id = b.id) as members
    from mailboxes b join workspaces w on w.id = b.workspace_id order by b.name desc`);
    const { support, payouts } = trip.imported.ids.mailboxes;
    const { anna, iris } = trip.imported.ids.users;
    expect(found).toEqual([
      {
        id: support,
        slug: 'north',
        email: 'Support@north.example',
        name: 'Support',
        members: [
          [anna, true, true],
          [iris, false, false],
        ],
      },
      { id: payouts, slug: 'north', email: 'payouts@north.example', name: 'Payouts', members: null },
    ]);
    expect(support).toBe(700);
  });

  test('imports the rules of mailboxes, in the order of the file', async () => {
    const found = (await rows(`select rules from mailboxes where id = 700`)) as { rules: unknown }[];
    const rule = { to: '', mark_read: false, star: false, user_id: trip.imported.ids.users['anna'] };
    const id = expect.any(String);
    expect(found[0]!.rules).toEqual([
      {
        ...rule,
        id,
        from: 'bank',
        subject: '',
        has_attachment: false,
        add_tags: [trip.imported.ids.tags['vip']],
        folder: 'archive',
        forward_to: null,
      },
      {
        ...rule,
        id,
        from: '',
        subject: 'invoice',
        has_attachment: true,
        add_tags: [],
        folder: null,
        forward_to: 'payouts@north.example',
      },
    ]);
  });

  test('imports mail with its threads', async () => {
    const found = (await rows(`select * from mail_messages order by message_at`)) as Record<
      string,
      unknown
    >[];
    expect(found).toMatchObject([
      {
        id: 'msg_imported1',
        mailbox_id: 700,
        folder: 'archive',
        previous_folder: 'inbox',
        from_email: 'ben@example.net',
        from_name: 'Ben Ørn',
        to_recipients: [{ email: 'support@north.example', name: null }],
        cc_recipients: [{ email: 'cc@example.net', name: 'Cc' }],
        bcc_recipients: [],
        subject: 'Payout',
        body: '<style>p{}</style><p>Where is <b>my</b> payout?</p>',
        snippet: 'Where is my payout?',
        is_read: false,
        message_at: '2026-03-01T08:30:00.123456Z',
      },
      {
        id: trip.imported.ids.messages['answer'],
        folder: 'sent',
        previous_folder: null,
        from_name: null,
        snippet: '',
        is_read: true,
      },
      {
        id: trip.imported.ids.messages['other'],
        mailbox_id: trip.imported.ids.mailboxes['payouts'],
        subject: 'Statement',
        message_at: ago(1),
      },
    ]);
    // Thread names are unique within their mailbox.
    const [ask, answer, other] = found.map(({ thread_id }) => thread_id);
    expect(answer).toBe(ask);
    expect(other).not.toBe(ask);
  });

  test('imports calendars with their shares', async () => {
    const found = await rows(`
    select c.id, w.slug, c.name, c.owner_id, (select json_object_agg(s.user_id, s.level) from calendar_shares s) as shares
    from calendars c join workspaces w on w.id = c.workspace_id`);
    const { anna, iris, jon } = trip.imported.ids.users;
    expect(found).toEqual([
      {
        id: trip.imported.ids.calendars['team'],
        slug: 'north',
        name: 'Team',
        owner_id: anna,
        shares: { [iris!]: 'busy', [jon!]: 'write' },
      },
    ]);
  });

  test('imports events with overrides, tags and reminders', async () => {
    const { standup } = trip.imported.ids.events;
    const found = await rows(`select * from events where source <> 'import' order by local_start`);
    expect(found).toMatchObject([
      {
        id: standup,
        calendar_id: trip.imported.ids.calendars['team'],
        title: 'Standup',
        description: null,
        location: 'Room 1',
        local_start: '2026-03-02T09:30:00',
        local_end: '2026-03-02T09:45:00',
        all_day: false,
        timezone: 'Europe/London',
        status: 'confirmed',
        source: 'manual',
        recurrence_rule: 'FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR',
        removed_dates: ['2026-03-04T09:30:00'],
        conference: { provider: 'zoom', url: 'https://meet.example/1', meeting_id: null, passcode: null },
        organizer_email: 'anna@north.example',
        attendees: [
          {
            email: 'ben@example.net',
            response: 'accepted',
            name: null,
            is_organizer: false,
            is_optional: false,
          },
        ],
        span_start: '2026-03-02T09:30:00.000Z',
        span_end: null,
      },
      {
        id: 4000,
        title: 'Fair',
        local_start: '2026-06-01',
        local_end: '2026-06-03',
        all_day: true,
        status: 'pending',
        source: 'mail',
        recurrence_rule: null,
      },
    ]);
    expect(
      await rows(`select occurrence_start, cancelled, local_start from event_overrides order by 1`),
    ).toEqual([
      { occurrence_start: '2026-03-03T09:30:00', cancelled: false, local_start: '2026-03-03T10:00:00' },
      { occurrence_start: '2026-03-05T09:30:00', cancelled: true, local_start: null },
    ]);
    expect(await rows(`select event_id, tag_id from event_tags`)).toEqual([
      { event_id: standup, tag_id: trip.imported.ids.tags['vip'] },
    ]);
    const reminders = await rows(
      `select event_id, user_id, minutes_before, channel, due_at > $1 as is_due from event_reminders`,
      now(),
    );
    expect(reminders).toEqual([
      {
        event_id: standup,
        user_id: trip.imported.ids.users['anna'],
        minutes_before: 10,
        channel: 'push',
        is_due: true,
      },
    ]);
  });

  test('imports valid events of an iCalendar document, and reports invalid ones', async () => {
    const found = await rows(`select title, uid, local_start, all_day from events where source = 'import'`);
    expect(found).toEqual([
      { title: 'Holiday', uid: 'holiday@example.net', local_start: '2026-07-07', all_day: true },
    ]);
    expect(trip.imported.reports).toEqual([
      {
        path: 'ics[0]',
        messages: [expect.stringMatching(/^line 8, skipped event broken@example.net: .*DTSTART/)],
      },
    ]);
  });
}
