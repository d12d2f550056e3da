import {
  type Attributes,
  context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

/*
 * Spans by OpenTelemetry's API. Until the process enables tracing, nothing here creates a span, reads a header or starts an
 * asynchronous context.
 */

let isEnabled = false;
const tracer = trace.getTracer('firmdesk');

/** Starts tracing. The process has registered a provider and a context manager with OpenTelemetry's API before. */
export function enableTracing(): void {
  isEnabled = true;
}

export const spanKinds = {
  server: SpanKind.SERVER,
  consumer: SpanKind.CONSUMER,
  client: SpanKind.CLIENT,
} as const;

export interface SpanDescription {
  name: string;
  kind: keyof typeof spanKinds;
  /** Never contain secrets, texts or addresses of persons. */
  attributes?: Attributes;
  /** The `traceparent` of the work that this continues, from another process. By default the current span is the parent. */
  parent?: string | null | undefined;
}

/** The ids of a span, as log lines name them. */
export interface SpanIds {
  trace_id: string;
  span_id: string;
}

/** A span that runs. */
export interface RunningSpan {
  ids: SpanIds;
  setAttributes(attributes: Attributes): void;
}

/** Runs work as a span, which fails with the work. Passes null if tracing is off. */
export function withSpan<T>(
  span: SpanDescription,
  work: (span: RunningSpan | null) => Promise<T>,
): Promise<T> {
  return isEnabled ? runAsSpan(span, work) : work(null);
}

async function runAsSpan<T>(
  { name, kind, attributes = {}, parent }: SpanDescription,
  work: (span: RunningSpan) => Promise<T>,
): Promise<T> {
  const continued = parent === undefined ? context.active() : contextOf(parent);
  const span = tracer.startSpan(name, { kind: spanKinds[kind], attributes }, continued);
  try {
    return await context.with(trace.setSpan(continued, span), () => work(runningSpan(span)));
  } catch (error) {
    // The message is left out: it can quote a value.
    span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' });
    throw error;
  } finally {
    span.end();
  }
}

function runningSpan(span: Span): RunningSpan {
  const { traceId, spanId } = span.spanContext();
  return {
    ids: { trace_id: traceId, span_id: spanId },
    setAttributes: (attributes) => void span.setAttributes(attributes),
  };
}

/** Version, trace id, parent id and flags (https://www.w3.org/TR/trace-context/#traceparent-header), of version 00. */
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

function contextOf(traceparent: string | null) {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  const parent = {
    traceId: traceId!,
    spanId: spanId!,
    traceFlags: Number.parseInt(flags!, 16),
    isRemote: true,
  };
  // An invalid value starts a new trace, as the specification demands.
  return traceId && isSpanContextValid(parent) ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
}

/** Returns the `traceparent` of the current span, to continue its trace elsewhere; null outside of a span. */
export function currentTraceparent(): string | null {
  if (!isEnabled) return null;
  const span = trace.getSpan(context.active())?.spanContext();
  if (!span || !isSpanContextValid(span)) return null;
  return `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, '0')}`;
}
