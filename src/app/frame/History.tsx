/** The slider of revisions, which other views show too while an earlier revision is shown. */
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
