import Wire from '../Wire'
import type { TabProps } from './tab-props'

export default function WireTab({ selected, object }: TabProps) {
  return <Wire selected={selected} version={object.metadata.resourceVersion ?? ''} />
}
