/** How long the rules of custom resources take, by the names of the real server (public documentation, "Kubernetes metrics reference"). */
import type { ExpressionTimes } from '../webhooks/metrics'
import type { Distribution } from './instruments'
import type { MetricRegistry } from './registry'

export class ExpressionInstruments implements ExpressionTimes {
  private readonly seconds: Record<'compilation' | 'evaluation', Distribution>

  /** @param stopwatch milliseconds from any start */
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
