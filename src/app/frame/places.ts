/** Each view fills the window next to the rail, and is loaded on first use. */
import { type ComponentType, lazy } from 'react'
import type { IconName } from '../components/Icon'
import type { PlaceId } from '../state/place-ids'
import { places } from './texts'
import { Workbench } from './Workbench'

export interface Place {
  id: PlaceId
  title: string
  about: string
  icon: IconName
  Body: ComponentType
}

/** In the order of the rail. */
export const PLACES: readonly Place[] = [
  {
    id: 'workbench',
    ...places.workbench,
    icon: 'layers',
    Body: Workbench,
  },
  {
    id: 'access',
    ...places.access,
    icon: 'key',
    Body: lazy(() => import('../features/access/Access')),
  },
  {
    id: 'cluster',
    ...places.cluster,
    icon: 'pulse',
    Body: lazy(() => import('../features/cluster/views/ClusterPlace')),
  },
  {
    id: 'lessons',
    ...places.lessons,
    icon: 'learn',
    Body: lazy(() => import('../features/lessons/views/Lessons')),
  },
  {
    id: 'policy',
    ...places.policy,
    icon: 'scales',
    Body: lazy(() => import('../features/policy/views/Policy')),
  },
  {
    id: 'handlers',
    ...places.handlers,
    icon: 'plug',
    Body: lazy(() => import('../features/webhooks/views/Handlers')),
  },
  {
    id: 'releases',
    ...places.releases,
    icon: 'branch',
    Body: lazy(() => import('../features/releases/views/Releases')),
  },
]
