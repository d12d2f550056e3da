import { bench } from '../../packages/recurrence/bench/bench.ts';
import { type BenchReport, say } from './report.ts';

/** Compares expanded series per second with rrule-temporal, rrule and ical.js. */
export async function run(): Promise<BenchReport> {
  return bench(say);
}
