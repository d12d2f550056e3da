import { expect, test } from 'vitest';
import { smallSeed } from '../../testing/small-seed.ts';
import type { RoundTrip } from './round-trip.ts';

/** Tests the tickets of an import, and what agents work on them with. */
export function testTickets(trip: RoundTrip): void {
  const { rows, ago, now } = trip;
  test('imports tags', async () => {
    const found = await rows(`
    select t.id, w.slug, t.name, t.color, t.deleted_at from tags t join workspaces w on w.id = t.workspace_id
    order by t.color desc`);
    expect(found).toEqual([
      { id: trip.imported.ids.tags['vip'], slug: 'north', name: 'VIP', color: '#c2410c', deleted_at: null },
      { id: 900, slug: 'north', name: 'vip', color: '#000000', deleted_at: now() },
    ]);
  });

  test('imports teams', async () => {
    const found = await rows(`
    select t.id, w.slug, t.name, (
        select count(*)::integer from team_members m where m.workspace_id = t.workspace_id and m.team_id = t.id) as members
    from teams t join workspaces w on w.id = t.workspace_id`);
    expect(found).toEqual([{ id: trip.imported.ids.teams['risk'], slug: 'north', name: 'Risk', members: 2 }]);
  });

  test('imports macros, in the order of the file', async () => {
    const found = await rows(`
    select id, position, name, name_key, team_id, texts, tag_ids, status, priority, assigns_author, assignee_id, used, last_used_at
    from macros order by position`);
    expect(found).toEqual([
      {
        id: 'mac_imported1',
        position: 1,
        name: 'Payout sent',
        name_key: 'payout sent',
        team_id: trip.imported.ids.teams['risk'],
        texts: smallSeed.macros[0]!.texts,
        tag_ids: [trip.imported.ids.tags['vip']],
        status: 'resolved',
        priority: 'low',
        assigns_author: false,
        assignee_id: trip.imported.ids.users['anna'],
        used: 3,
        last_used_at: ago(24),
      },
      {
        id: trip.imported.ids.macros['mine'],
        position: 2,
        name: 'Another look',
        name_key: 'another look',
        team_id: null,
        texts: smallSeed.macros[1]!.texts,
        tag_ids: [],
        status: null,
        priority: null,
        assigns_author: true,
        assignee_id: null,
        used: 0,
        last_used_at: null,
      },
    ]);
  });

  test('imports tickets and derives their state from their messages', async () => {
    const found = await rows(`
    select t.*, w.slug, (
        select array_agg(tag_id order by tag_id) from ticket_tags x where x.workspace_id = t.workspace_id and x.ticket_id = t.id) as tags
    from tickets t join workspaces w on w.id = t.workspace_id order by t.created_at desc`);
    const { anna, ben, gone } = trip.imported.ids.users;
    expect(found).toMatchObject([
      {
        id: trip.imported.ids.tickets['payout'],
        slug: 'north',
        trader_id: ben,
        subject: 'Où est mon payout?',
        status: 'awaiting_admin',
        priority: 'high',
        ai_enabled: false,
        ai_blocked: true,
        assignee_id: anna,
        team_id: trip.imported.ids.teams['risk'],
        tags: [trip.imported.ids.tags['vip'], 900].sort((a, b) => a! - b!),
        // The assistant's reply and the trader's second message; the internal note has no effect.
        unread: 2,
        last_from: 'trader',
        last_message_at: ago(3),
        trader_wrote_at: ago(3),
        created_at: ago(5),
        closed_at: null,
        search_text: 'ou est mon payout? ben orn ben@example.net',
      },
      {
        id: trip.imported.ids.tickets['silent'],
        slug: 'south',
        unread: 0,
        last_from: null,
        last_message_at: ago(72),
        trader_wrote_at: ago(72),
        closed_at: ago(72),
        tags: null,
      },
      {
        id: 'tkt_imported1',
        trader_id: gone,
        unread: 0,
        last_from: 'admin',
        last_message_at: ago(8 * 24),
        trader_wrote_at: ago(9 * 24),
        closed_at: ago(8 * 24),
      },
    ]);
  });

  test('imports ticket messages with the name of their author', async () => {
    const found = await rows(
      `
    select id, from_kind, author_id, author, body, body_html, internal, event, via_email, image_url, image_name, read_at, created_at,
      search_text, streaming
    from ticket_messages where ticket_id = $1 order by created_at, id`,
      trip.imported.ids.tickets['payout'],
    );
    const { anna, ben } = trip.imported.ids.users;
    const plain = {
      body_html: null,
      internal: false,
      event: null,
      via_email: false,
      image_url: null,
      image_name: null,
      read_at: null,
      streaming: false,
    };
    expect(found).toEqual([
      {
        ...plain,
        id: trip.imported.ids.ticket_messages['first'],
        from_kind: 'trader',
        author_id: ben,
        author: 'Ben Ørn',
        body: 'Où?',
        read_at: ago(4),
        created_at: ago(5),
        search_text: 'ou?',
      },
      {
        ...plain,
        id: expect.stringMatching(/^tmsg_/),
        from_kind: 'ai',
        author_id: null,
        author: 'Assistant',
        body: 'Soon.',
        body_html: '<p><strong>Soon</strong>.</p>',
        created_at: ago(4),
        search_text: 'soon.',
      },
      {
        ...plain,
        id: 'tmsg_imported1',
        from_kind: 'trader',
        author_id: ben,
        author: 'Ben Ørn',
        body: 'When?',
        via_email: true,
        image_url: 'https://files.example/1.png',
        image_name: '1.png',
        created_at: ago(3),
        search_text: 'when?',
      },
      {
        ...plain,
        id: expect.stringMatching(/^tmsg_/),
        from_kind: 'admin',
        author_id: anna,
        author: 'Anna Ek',
        body: '/ai Be kind',
        internal: true,
        event: 'ai_command',
        created_at: ago(2),
        search_text: '/ai be kind',
      },
    ]);
  });
}
