/** The entry point for other features. */
export { renderTemplate } from './mail-templates.ts';
