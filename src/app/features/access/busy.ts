import { useState } from 'react'

export interface Busy {
  busy: boolean
  failure: string | undefined
  run(what: () => Promise<void>): void
}

export function useBusy(): Busy {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  return {
    busy,
    failure,
    run(what) {
      setBusy(true)
      setFailure(undefined)
      what()
        .catch((error: unknown) =>
          setFailure(error instanceof Error ? error.message : String(error)),
        )
        .finally(() => setBusy(false))
    },
  }
}
