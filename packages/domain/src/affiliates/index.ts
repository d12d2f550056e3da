/** The entry point for other features. */
export { preRegister } from './pre-register.ts';
