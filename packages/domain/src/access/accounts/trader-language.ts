/** The language of a trader without a region, such as `de`: that of the profile `p`, or of the account `u`. Empty if it is unknown. */
export const TRADER_LANGUAGE = `split_part(lower(coalesce(p.language, u.language, '')), '-', 1)`;
