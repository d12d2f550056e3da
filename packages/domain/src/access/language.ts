import { z } from 'zod';

/** A language tag, such as `en` or `pt-BR`. */
export const Language = z
  .string()
  .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'must be a language tag, such as "en" or "pt-BR"');
