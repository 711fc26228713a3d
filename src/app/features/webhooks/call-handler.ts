/** The sandbox is loaded with the first call. */
import type { CallHandlers } from '../../../hosts/shared/handlers'

export const callHandler: CallHandlers = (call, send) => {
  let cancel = (): void => undefined
  let canceled = false
  import('./sandbox').then(
    ({ callInSandbox }) => {
      if (!canceled) cancel = callInSandbox(call, send)
    },
    (error: unknown) =>
      send({ kind: 'failed', message: error instanceof Error ? error.message : String(error) }),
  )
  return () => {
    canceled = true
    cancel()
  }
}
