import { useEffect, useState } from 'react'
import type { KubeObject } from '../../../engine/core/object'
import type { SelectedObject } from '../../state/view'
import { type Tried, tryApply } from './dry-runs'
import { onLine } from './texts'

const QUIET_MILLISECONDS = 350

/** undefined: not tried yet. */
export type Try = Tried | { failure: string } | undefined

export function useTried(
  selected: SelectedObject,
  object: KubeObject,
  text: string | undefined,
  manager: string,
): Try {
  const [tried, setTried] = useState<Try>()
  const version = object.metadata.resourceVersion
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is a reason to try again
  useEffect(() => {
    if (text === undefined || manager === '') return
    let current = true
    const timer = setTimeout(async () => {
      const { parseManifest } = await import('../manifests/documents')
      const { documents, problems } = parseManifest(text)
      const [problem] = problems
      const result = problem
        ? { failure: onLine(problem.startLine, problem.message) }
        : await tryApply(selected, text, documents[0]?.value, manager).catch((error: unknown) => ({
            failure: error instanceof Error ? error.message : String(error),
          }))
      if (current) setTried(result)
    }, QUIET_MILLISECONDS)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [selected, version, text, manager])
  return tried
}
