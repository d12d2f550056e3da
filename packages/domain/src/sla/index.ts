/** What other features may use of this one. */

export { meterBusinessTime, openIntervals } from './business-hours.ts';
export { readBusinessHours, refreshDueTimesJob } from './policy.ts';
export { slaRouter } from './router.ts';
export * from './ticket-clock.ts';
