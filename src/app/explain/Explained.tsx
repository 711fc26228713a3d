/** Whatever is asked to be explained; once on a page. */
import { lazy, Suspense } from 'react'
import { useExplain } from './state'

const Explanation = lazy(() => import('./Explanation'))

export function Explained() {
  const asked = useExplain((state) => state.asked)
  if (asked === undefined) return null
  return (
    <Suspense>
      <Explanation asked={asked} />
    </Suspense>
  )
}
