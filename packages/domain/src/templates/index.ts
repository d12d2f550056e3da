/** The entry point for other features. */
export { renderOwnTemplate, renderTemplate } from './mail-templates.ts';
