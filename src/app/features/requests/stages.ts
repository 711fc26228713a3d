import type { RequestTrace } from '../../../hosts/shared/channel'

type Span = RequestTrace['spans'][number]

/** In request order. */
export const STAGES: readonly Span['stage'][] = [
  'authentication',
  'authorization',
  'routing',
  'decoding',
  'ownership',
  'mutating admission',
  'strategy',
  'validation',
  'validating admission',
  'storage',
  'encoding',
]

/** A rejected request stopped in its last stage. */
export function stopOf({ spans, status }: RequestTrace): Span | undefined {
  return status >= 400 ? spans.at(-1) : undefined
}
