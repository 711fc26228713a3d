/** Render it once per page. */
import { lazy, Suspense } from 'react'
import { useExplain } from './state'

const Explanation = lazy(() => import('./Explanation'))

export function Explained() {
  const target = useExplain((state) => state.target)
  if (target === undefined) return null
  return (
    <Suspense>
      <Explanation target={target} />
    </Suspense>
  )
}
