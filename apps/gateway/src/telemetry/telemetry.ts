import { enableTracing } from '@firmdesk/domain';
import { context, logs, ROOT_CONTEXT, type SeverityNumber, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Telemetry } from './logger.ts';

/*
 * Loaded only when OTEL_EXPORTER_OTLP_ENDPOINT is set. OpenTelemetry's SDK reads the other OTEL_ variables itself: headers,
 * resource attributes, sampling, and the limits of its queues.
 */

/** Sends spans and log lines to an OTLP/HTTP endpoint. A slow or missing endpoint loses them and delays nothing. */
export function startTelemetry(role: string): Telemetry {
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': `firmdesk-${role}` }))
    .merge(detectResources({ detectors: [envDetector] }));
  const spans = new TracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  const lines = new LoggerProvider({
    resource,
    processors: [new BatchLogRecordProcessor({ exporter: new OTLPLogExporter() })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  trace.setGlobalTracerProvider(spans);
  logs.setGlobalLoggerProvider(lines);
  enableTracing();
  const logger = lines.getLogger('firmdesk');
  return {
    currentIds() {
      const span = trace.getSpanContext(context.active());
      return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
    },
    emit(line) {
      const { level, time, msg, trace_id: traceId, span_id: spanId, ...attributes } = JSON.parse(line);
      logger.emit({
        severityNumber: severityOf(level),
        body: msg,
        timestamp: Date.parse(time),
        attributes: flat(attributes),
        // A request's line is written after its span has ended.
        context: traceId
          ? trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId: spanId ?? NO_SPAN, traceFlags: 1 })
          : ROOT_CONTEXT,
      });
    },
    async close() {
      await Promise.allSettled([spans.shutdown(), lines.shutdown()]);
    },
  };
}

const NO_SPAN = '0'.repeat(16);

/** Converts pino's level (30 is info) to OpenTelemetry's (9 is info). */
function severityOf(level: number): SeverityNumber {
  return Math.max(1, Math.floor((level / 10 - 1) * 4 + 1)) as SeverityNumber;
}

/** Attributes are flat in most backends; an error becomes JSON. */
function flat(fields: Record<string, unknown>): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? value
        : JSON.stringify(value),
    ]),
  );
}
