/** What other features may use of this one. */

export { meterBusinessTime } from './business-hours.ts';
export { refreshDueTimesJob } from './policy.ts';
export { slaRouter } from './router.ts';
export * from './ticket-clock.ts';
