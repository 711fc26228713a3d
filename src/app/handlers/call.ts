/** Calls of servers that were written in this page: what runs them is loaded with the first call. */
import type { CallHandlers } from '../../hosts/shared/handlers'

export const callHandler: CallHandlers = (call, tell) => {
  let cancel = (): void => undefined
  let cancelled = false
  import('./sandbox').then(
    ({ callInSandbox }) => {
      if (!cancelled) cancel = callInSandbox(call, tell)
    },
    (error: unknown) =>
      tell({ kind: 'failed', message: error instanceof Error ? error.message : String(error) }),
  )
  return () => {
    cancelled = true
    cancel()
  }
}
