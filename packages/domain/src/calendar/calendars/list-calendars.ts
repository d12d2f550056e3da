import type { Calendar, CalendarColor } from '@firmdesk/contract';
import type { AccountContext } from '../../procedures/call-context.ts';
import { ACCESSIBLE_CALENDARS, type AccessLevel } from './access-level.ts';

const LIST_CALENDARS = {
  name: 'calendars',
  text: `
    select r.id, r.name, r.color, r.level, u.id as owner_id, u.name as owner_name
    from (${ACCESSIBLE_CALENDARS}) r join users u on u.id = r.owner_id
    order by r.level <> 'owner', lower(r.name), r.id
    limit 1000`,
};

interface Row {
  id: number;
  name: string;
  color: CalendarColor | null;
  level: AccessLevel;
  owner_id: string;
  owner_name: string;
}

/** Returns the calendars that the caller can access, owned ones first; at most 1,000. */
export async function listCalendars({ services, identity, workspace }: AccountContext): Promise<Calendar[]> {
  const { rows } = await services.pool.query<Row>({
    ...LIST_CALENDARS,
    values: [identity.user.id, workspace.id],
  });
  return rows.map(({ owner_id, owner_name, ...row }) => ({
    object: 'calendar',
    ...row,
    owner: { id: owner_id, name: owner_name },
  }));
}
