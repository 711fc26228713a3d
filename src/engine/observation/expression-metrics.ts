/** How long the rules of custom resources take, by the names of the real server (public documentation, "Kubernetes metrics reference"). */
import type { ExpressionTimes } from '../webhooks/metrics'
import { type Histogram, histogram, type Instrument } from './instruments'

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export class ExpressionInstruments implements ExpressionTimes, Instrument {
  private readonly seconds: Record<'compilation' | 'evaluation', Histogram> = {
    compilation: histogram('apiserver_cel_compilation_duration_seconds', 'CEL compilation time in seconds.', SECONDS, 'BETA'),
    evaluation: histogram('apiserver_cel_evaluation_duration_seconds', 'CEL evaluation time in seconds.', SECONDS, 'BETA'),
  }

  /** @param stopwatch milliseconds from any start */
  constructor(private readonly stopwatch: () => number) {}

  time<Result>(what: 'compilation' | 'evaluation', run: () => Result): Result {
    const started = this.stopwatch()
    try {
      return run()
    } finally {
      this.seconds[what].at({}).observe((this.stopwatch() - started) / 1000)
    }
  }

  write(lines: string[]): void {
    this.seconds.compilation.write(lines)
    this.seconds.evaluation.write(lines)
  }
}
