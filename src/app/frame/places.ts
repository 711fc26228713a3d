/** Each view fills the window next to the rail, and is loaded on first use. */
import { type ComponentType, lazy } from 'react'
import type { IconName } from '../components/Icon'
import type { PlaceId } from '../state/place-ids'
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
    title: 'Workbench',
    about: 'Manifests, objects, requests and watches',
    icon: 'layers',
    Body: Workbench,
  },
  {
    id: 'access',
    title: 'Access',
    about: 'Who can do what, and why',
    icon: 'key',
    Body: lazy(() => import('../features/access/Access')),
  },
  {
    id: 'cluster',
    title: 'Cluster',
    about: 'Live cluster: pods, nodes, time controls, failures',
    icon: 'pulse',
    Body: lazy(() => import('../features/cluster/views/ClusterPlace')),
  },
  {
    id: 'lessons',
    title: 'Lessons',
    about: 'Hands-on lessons, and incidents to solve, each in its own cluster',
    icon: 'learn',
    Body: lazy(() => import('../features/lessons/views/Lessons')),
  },
  {
    id: 'policy',
    title: 'Policy',
    about: 'CEL, admission policies and CRDs',
    icon: 'scales',
    Body: lazy(() => import('../features/policy/views/Policy')),
  },
  {
    id: 'handlers',
    title: 'Webhooks',
    about: 'Write webhooks and aggregated API servers in JavaScript',
    icon: 'plug',
    Body: lazy(() => import('../features/webhooks/views/Handlers')),
  },
  {
    id: 'releases',
    title: 'Releases',
    about: 'Test manifests against other Kubernetes versions',
    icon: 'branch',
    Body: lazy(() => import('../features/releases/views/Releases')),
  },
]
