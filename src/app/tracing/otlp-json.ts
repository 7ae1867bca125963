import type { RefreshSpan, RefreshTrace, SpanFields } from '../../crawler/traced-refresh.ts'

/** Numbers of a trace and its spans, which nobody else has. */
export type RandomHex = (bytes: number) => string

/** Who sends them. */
export interface TraceOrigin {
  readonly version: string
  readonly instance: string
}

/** Kinds and codes of opentelemetry-proto (trace.proto). */
const INTERNAL = 1
const CLIENT = 3
const STATUS_ERROR = 2

/** Traces as an ExportTraceServiceRequest of OTLP 1, in JSON. */
export function otlpJson(traces: readonly RefreshTrace[], { version, instance }: TraceOrigin, hex: RandomHex): object {
  const resource = { 'service.name': 'headwater', 'service.version': version, 'service.instance.id': instance }
  return {
    resourceSpans: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeSpans: [{ scope: { name: 'headwater', version }, spans: traces.flatMap((trace) => spansOf(trace, hex)) }],
      },
    ],
  }
}

function spansOf(trace: RefreshTrace, hex: RandomHex): readonly object[] {
  const traceId = hex(16)
  const root = hex(8)
  return [
    { traceId, spanId: root, ...spanOf('refresh', INTERNAL, trace) },
    ...trace.spans.map((span) => ({
      traceId,
      spanId: hex(8),
      parentSpanId: root,
      ...spanOf(span.name, span.name === 'fetch' ? CLIENT : INTERNAL, span),
    })),
  ]
}

function spanOf(name: string, kind: number, span: Omit<RefreshSpan, 'name'>): object {
  const { beganAt, tookMs, fields, error } = span
  return {
    name,
    kind,
    startTimeUnixNano: nanos(beganAt),
    endTimeUnixNano: nanos(beganAt + tookMs),
    attributes: attributesOf(error === null ? fields : { ...fields, 'error.type': error }),
    status: error === null ? {} : { code: STATUS_ERROR, message: error },
  }
}

/** Of milliseconds with parts: as a text, because no double holds it. */
function nanos(ms: number): string {
  const whole = Math.floor(ms)
  return `${whole}${String(Math.round((ms - whole) * 1e6)).padStart(6, '0')}`
}

function attributesOf(fields: SpanFields): readonly object[] {
  return Object.entries(fields).map(([key, value]) => ({ key, value: anyValue(value) }))
}

function anyValue(value: string | number | boolean): object {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
