/** The entry point for other features. */
export { addTestData } from './add-test-data.ts';
