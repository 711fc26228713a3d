import { type ComponentType, lazy } from 'react'
import type { KubeObject } from '../../../../../engine/core/object'
import type { ObjectTab } from '../../../../state/view'
import * as texts from '../../shell-texts'
import type { TabProps } from './tab-props'

export interface ObjectView {
  tab: ObjectTab
  title: string
  /** Absent for the live YAML. */
  Body?: ComponentType<TabProps>
  /** Defaults to every object. */
  shows?(object: KubeObject, gone: boolean): boolean
}

const VIEWS: readonly ObjectView[] = [
  { tab: 'now', title: texts.yaml },
  {
    tab: 'status',
    title: texts.status,
    Body: lazy(() => import('./StatusTab')),
    shows: (object) => 'status' in object,
  },
  { tab: 'events', title: texts.events, Body: lazy(() => import('./EventsTab')) },
  {
    tab: 'logs',
    title: texts.logs,
    Body: lazy(() => import('./LogsTab')),
    shows: ({ apiVersion, kind }, gone) => kind === 'Pod' && apiVersion === 'v1' && !gone,
  },
  { tab: 'related', title: texts.related, Body: lazy(() => import('./RelatedTab')) },
  { tab: 'manifest', title: texts.manifest, Body: lazy(() => import('./ManifestTab')) },
  {
    tab: 'ownership',
    title: texts.ownership,
    Body: lazy(() => import('../../../ownership/views/Ownership')),
  },
  { tab: 'history', title: texts.history, Body: lazy(() => import('./HistoryTab')) },
  {
    tab: 'wire',
    title: texts.wire,
    Body: lazy(() => import('./WireTab')),
    shows: (_object, gone) => !gone,
  },
]

export const viewsOf = (object: KubeObject, gone: boolean): ObjectView[] =>
  VIEWS.filter(({ shows }) => shows?.(object, gone) ?? true)
