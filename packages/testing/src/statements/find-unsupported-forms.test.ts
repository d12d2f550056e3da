import { loadModule } from 'libpg-query';
import { beforeAll, expect, test } from 'vitest';
import { findUnsupportedForms } from './find-unsupported-forms.ts';

beforeAll(loadModule);

test.each([
  'select 1',
  'create table workers (id uuid primary key, user_id text references users)',
  `create table tags (workspace_id integer not null, id text, color text check (color <> ''), primary key (workspace_id, id))`,
  `alter table tags add column a text not null default '', add column b integer`,
  'alter table tags add constraint tags_a check (a is not null) not valid',
  'alter table tags add constraint tags_user foreign key (user_id) references users on delete set null',
  'alter table tags drop constraint tags_a, drop column b',
  'alter table tags rename to labels',
  'alter table tags rename column a to b',
  'do $$ begin perform 1; perform 2; end $$',
])('accepts %s', (text) => {
  expect(findUnsupportedForms(text)).toEqual([]);
});

test.each([
  ['alter table tags add column a text; create index tags_a on tags (workspace_id, a)', 'several statements'],
  ['create table tags (workspace_id integer references workspaces, id text)', 'is created with a reference'],
  [
    'create table tags (workspace_id integer, team_id integer, foreign key (workspace_id, team_id) references teams)',
    'is created with a reference',
  ],
  [`alter table tokens add column a text check (a in ('b'))`, 'is added with a constraint'],
  ['alter table tags add column user_id text references users', 'is added with a constraint'],
  ['alter table tags add column a text unique', 'is added with a constraint'],
  ['alter table tags add column n bigint generated always as identity', 'is added with a constraint'],
  ['alter table tags drop constraint a, add constraint a check (true)', 'together with another change'],
  [
    'alter table tags add constraint a foreign key (workspace_id, t) references teams on delete set null (t)',
    'empties some of its columns',
  ],
  ['alter table tags rename constraint a to b', 'is renamed'],
])('refuses %s', (text, fault) => {
  expect(findUnsupportedForms(text)).toEqual([expect.stringContaining(fault)]);
});
