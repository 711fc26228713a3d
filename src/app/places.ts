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
  {
    id: 'lessons',
    title: 'Lessons',
    about: 'Fifteen lessons, each with a cluster of its own',
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
]
