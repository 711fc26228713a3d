import './owner-map.css'
import './effects.css'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { KubeObject } from '../../../../engine/core/object'
import type { StructType } from '../../../../engine/schema/model'
import { Segments } from '../../../components/Segments'
import { useDiscovery } from '../../../state/discovery'
import { useMoment } from '../../../state/moment'
import type { SelectedObject } from '../../../state/view'
import { typeOfKind } from '../../objects/types'
import { VIEW } from '../texts'
import { OwnerMap } from './OwnerMap'
import { TryApply } from './TryApply'

const HandOver = lazy(() => import('./HandOver'))

const VIEWS = [
  { value: 'map', title: VIEW.map },
  { value: 'try', title: VIEW.try },
  { value: 'hand-over', title: VIEW.handOver },
] as const
type View = (typeof VIEWS)[number]['value']

interface OwnershipProps {
  selected: SelectedObject
  object: KubeObject
  gone: boolean
}

export default function Ownership({ selected, object, gone }: OwnershipProps) {
  const [view, setView] = useState<View>('map')
  const type = useType(selected, object)
  // Deleted objects and past versions are read-only.
  const fixed = useMoment(({ revision }) => revision !== undefined) || gone
  return (
    <section className="ownership" aria-label={VIEW.region}>
      {!fixed && (
        <div className="bar sub">
          <Segments label={VIEW.show} value={view} choices={VIEWS} onChoose={setView} />
        </div>
      )}
      {view === 'map' || fixed ? (
        <OwnerMap object={object} type={type} />
      ) : view === 'try' ? (
        <TryApply selected={selected} object={object} />
      ) : (
        <Suspense>
          <HandOver selected={selected} object={object} />
        </Suspense>
      )}
    </section>
  )
}

/** The type declares what is atomic; fetched again when definitions change. */
function useType({ resource }: SelectedObject, object: KubeObject): StructType | undefined {
  const [type, setType] = useState<StructType>()
  const { apiVersion } = object
  const { kind } = resource
  const served = useDiscovery((state) => state.resources)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again when the definitions change
  useEffect(() => {
    let current = true
    void typeOfKind(apiVersion, kind).then((found) => current && setType(found))
    return () => {
      current = false
    }
  }, [apiVersion, kind, served])
  return type
}
