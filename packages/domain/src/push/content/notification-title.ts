/** The title of the notification `n`: with the name that the account has now, if it begins with one. */
export const NOTIFICATION_TITLE = `coalesce((select p.name from users p where p.id = n.person_id) || ' ', '') || n.title`;
