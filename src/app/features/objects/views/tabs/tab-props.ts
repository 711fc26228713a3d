import type { KubeObject } from '../../../../../engine/core/object'
import type { SelectedObject } from '../../../../state/view'

export interface TabProps {
  selected: SelectedObject
  object: KubeObject
  /** `object` is the last state of a deleted object. */
  gone: boolean
}
