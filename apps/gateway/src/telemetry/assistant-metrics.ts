import type { Services } from '@firmdesk/domain';
import { Counter, Histogram, type Registry } from 'prom-client';

/** Adds the metrics of the assistant's replies that this process writes. */
export function measureAssistant({ assistantMetrics }: Services, registry: Registry): void {
  const registers = [registry];
  const replies = new Counter({
    name: 'assistant_replies_total',
    help: 'Attempts to write a reply: done, failed, superseded by another run, or interrupted and written again.',
    labelNames: ['outcome'],
    registers,
  });
  for (const outcome of ['done', 'failed', 'superseded', 'interrupted']) replies.inc({ outcome }, 0);
  const durations = new Histogram({
    name: 'assistant_reply_seconds',
    help: 'Duration of an attempt to write a reply.',
    buckets: [0.5, 1, 2.5, 5, 10, 20, 45, 90],
    registers,
  });
  const firstTokens = new Histogram({
    name: 'assistant_first_token_seconds',
    help: 'Time from the request to the model to the first piece of its reply.',
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  const tokens = new Counter({
    name: 'assistant_tokens_total',
    help: 'Tokens that the model counted.',
    labelNames: ['direction'],
    registers,
  });
  assistantMetrics.onReply = (outcome, seconds) => {
    replies.inc({ outcome });
    durations.observe(seconds);
  };
  assistantMetrics.onFirstToken = (seconds) => firstTokens.observe(seconds);
  assistantMetrics.onUsage = ({ input, output }) => {
    tokens.inc({ direction: 'input' }, input);
    tokens.inc({ direction: 'output' }, output);
  };
}
