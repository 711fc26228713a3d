/** The scrubber over the cluster's history: in the place that shows it, and everywhere while a moment is shown that has passed. */
import { lazy, Suspense } from 'react'
import { useMoment } from '../state/moment'
import { useView } from '../state/view'

const Scrubber = lazy(() =>
  import('../features/cluster/views/Scrubber').then((module) => ({ default: module.Scrubber })),
)

export function History() {
  const place = useView((state) => state.place)
  const past = useMoment(({ revision }) => revision !== undefined)
  if (place !== 'cluster' && !past) return null
  return (
    <Suspense fallback={null}>
      <Scrubber />
    </Suspense>
  )
}
