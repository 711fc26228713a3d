/** The places of the page: each fills the window beside the rail. A place is a value; what it shows is loaded when it is first visited. */
import { type ComponentType, lazy } from 'react'
import type { IconName } from './components/Icon'
import { Workbench } from './panels/frame/Workbench'

export interface Place {
  id: string
  /** As the rail and the palette name it. */
  title: string
  /** What one finds there, in a few words. */
  about: string
  icon: IconName
  Body: ComponentType
}

/** From the top of the rail to its end. Bodies other than the workbench are lazy: `lazy(() => import('./panels/access/Access'))`. */
export const PLACES: readonly Place[] = [
  { id: 'workbench', title: 'Workbench', about: 'Manifests, objects, requests and watches', icon: 'layers', Body: Workbench },
  { id: 'access', title: 'Access', about: 'Who may do what, and why', icon: 'key', Body: lazy(() => import('./panels/access/Access')) },
  {
    id: 'cluster',
    title: 'Cluster',
    about: 'What runs, as it happens: pods on nodes, time, things to break',
    icon: 'pulse',
    Body: lazy(() => import('./panels/cluster/ClusterPlace')),
  },
  {
    id: 'lessons',
    title: 'Lessons',
    about: 'Lessons, each with a cluster of its own',
    icon: 'learn',
    Body: lazy(() => import('./panels/lessons/Lessons')),
  },
  {
    id: 'policy',
    title: 'Policy',
    about: 'Expressions, admission policies and custom resources, tried out',
    icon: 'scales',
    Body: lazy(() => import('./panels/policy/Policy')),
  },
  {
    id: 'handlers',
    title: 'Webhooks',
    about: 'Webhooks and API servers in JavaScript, run in a sandbox of this page',
    icon: 'plug',
    Body: lazy(() => import('./panels/handlers/Handlers')),
  },
  {
    id: 'releases',
    title: 'Releases',
    about: 'What an upgrade does to manifests, and the cluster in another release',
    icon: 'branch',
    Body: lazy(() => import('./panels/releases/Releases')),
  },
]
