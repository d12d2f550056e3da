/** What other features may use of this one. */
export { countMacroUse } from './count-macro-use.ts';
export { readMacro } from './list-macros.ts';
