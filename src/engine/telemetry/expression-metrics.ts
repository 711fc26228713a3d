/** Metrics of CEL expressions. kubernetes.io, "Kubernetes Metrics Reference". */
import type { ExpressionTimes } from '../webhooks/metrics'
import type { Distribution } from './instruments'
import type { MetricRegistry } from './registry'

export class ExpressionInstruments implements ExpressionTimes {
  private readonly seconds: Record<'compilation' | 'evaluation', Distribution>

  constructor(
    registry: MetricRegistry,
    private readonly stopwatch: () => number,
  ) {
    this.seconds = {
      compilation: registry.histogram('apiserver_cel_compilation_duration_seconds').at({}),
      evaluation: registry.histogram('apiserver_cel_evaluation_duration_seconds').at({}),
    }
  }

  time<Result>(what: 'compilation' | 'evaluation', run: () => Result): Result {
    const started = this.stopwatch()
    try {
      return run()
    } finally {
      this.seconds[what].observe((this.stopwatch() - started) / 1000)
    }
  }
}
