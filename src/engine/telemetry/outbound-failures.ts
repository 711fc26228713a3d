/**
 * Exceptions in the host's code for outbound requests. Each is a failure of that call, so that the
 * failure policy of its caller decides.
 */
import type { Log } from '../core/environment'
import { type Outbound, OutboundError } from '../core/outbound'
import type { BodyStream } from '../http/messages'
import { hostOf } from './outbound-metrics'

type OnCancel = (run: () => void) => void

/** @returns an Outbound that logs exceptions, and throws only OutboundError */
export function withLoggedFailures(outbound: Outbound, log: Log): Outbound {
  const { get, pass, upgrade } = outbound

  function guarded<Request extends { url: string }, Result>(
    method: (request: Request) => string,
    send: (request: Request, onCancel: OnCancel) => Promise<Result>,
  ) {
    return async (request: Request, onCancel: OnCancel): Promise<Result> => {
      const report = (error: unknown) =>
        log.error(`${method(request)} ${hostOf(request.url)} failed inside the host`, error)
      try {
        return guardedBody(
          await send(request, (run) => onCancel(() => attempt(run, report))),
          report,
        )
      } catch (error) {
        if (error instanceof OutboundError) throw error
        report(error)
        throw new OutboundError(error instanceof Error ? error.message : String(error))
      }
    }
  }

  const post = guarded(() => 'POST', outbound.post.bind(outbound))
  return {
    post,
    ...(get && { get: guarded(() => 'GET', get.bind(outbound)) }),
    ...(pass && { pass: guarded(({ method }) => method, pass.bind(outbound)) }),
    ...(upgrade && { upgrade: guarded(({ method }) => method, upgrade.bind(outbound)) }),
  }
}

function attempt(run: () => void, report: (error: unknown) => void): void {
  try {
    run()
  } catch (error) {
    report(error)
  }
}

/** A stream that fails to start is interrupted. */
function guardedBody<Result>(result: Result, report: (error: unknown) => void): Result {
  const { body } = result as { body?: string | BodyStream }
  if (typeof body !== 'object') return result
  const start: BodyStream['start'] = (sink) => {
    try {
      return body.start(sink)
    } catch (error) {
      report(error)
      sink.abort()
      return () => undefined
    }
  }
  return { ...result, body: { start } }
}
