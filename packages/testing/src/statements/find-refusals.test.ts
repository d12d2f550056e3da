import { loadModule } from 'libpg-query';
import { beforeAll, expect, test } from 'vitest';
import { findRefusals } from './find-refusals.ts';

beforeAll(loadModule);

test.each([
  'select (select count(*) from tokens t where t.user_id = u.id) from users u',
  'select from tickets t where t.workspace_id = $1 and exists (select from users u where u.id = t.trader_id)',
  'select from notifications n join tokens t on t.user_id = n.user_id join devices d on d.token_id = t.id where n.workspace_id = $1',
  'select from tickets where workspace_id = $1 and exists (select from tokens where id = $2)',
  'select from tickets where workspace_id = $1 and (true and assignee_id in (select user_id from tokens))',
  'insert into push_outbox (token_id) select t.id from tokens t join notifications n on n.user_id = t.user_id where n.workspace_id = $1',
  'with tokens as (select 1 as id) select (select count(*) from tokens) from tickets where workspace_id = $1',
  `update tickets set subject = 'Re: ' || subject where workspace_id = $1`,
  'update tickets set subject = concat($1::text, $2::text) where workspace_id = $3',
  `update users set name = concat_ws(' ', name, $1::text)`,
  `update assistant_usage set days = days || jsonb_build_object($1::text, coalesce(days->>$2, '0')) where workspace_id = $3`,
  `select concat_ws(' ', subject, id) from tickets where workspace_id = $1`,
])('accepts %s', (text) => {
  expect(findRefusals(text)).toEqual([]);
});

test.each([
  [
    'select exists (select from tokens where user_id = assignee_id) from tickets where workspace_id = $1',
    'connects tokens with',
  ],
  [
    'select from tickets where workspace_id = $1 and (is_by_mail or exists (select from tokens where user_id = assignee_id))',
    'connects tokens with',
  ],
  [
    'select (select count(*) from devices d where d.token_id = t.id), (select count(*) from teams where workspace_id = $1) from tokens t',
    'connects devices, tokens with',
  ],
  [
    `update tickets set subject = concat_ws(' ', $1::text, subject) where workspace_id = $2`,
    'with concat_ws',
  ],
  [
    'with gone as (update events set removed_dates = jsonb_build_array(local_start) where workspace_id = $1) select 1',
    'with jsonb_build_array',
  ],
])('refuses %s', (text, why) => {
  expect(findRefusals(text)).toEqual([expect.stringContaining(why)]);
});
