/** The answers of guests, in words. */
export const responses: Readonly<Record<string, string>> = {
  accepted: 'Going',
  declined: 'Not going',
  tentative: 'Maybe',
  needs_action: 'No answer yet',
};
