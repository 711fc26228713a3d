import { lazy, Suspense } from 'react'
import { Empty } from '../../../components/Empty'
import { useView } from '../../../state/view'
import * as texts from '../shell-texts'

const ChosenObject = lazy(() => import('./ChosenObject'))

export function ObjectView() {
  const selected = useView((state) => state.selected)
  return (
    <aside className="panel object" aria-label={texts.object} data-pane="object">
      {selected ? (
        <Suspense fallback={<Empty>{texts.loading}</Empty>}>
          <ChosenObject
            key={`${selected.resource.group}/${selected.resource.resource}/${selected.namespace}/${selected.name}`}
            selected={selected}
          />
        </Suspense>
      ) : (
        <Empty icon="object" title={texts.noObject}>
          {texts.choose}
        </Empty>
      )}
    </aside>
  )
}
