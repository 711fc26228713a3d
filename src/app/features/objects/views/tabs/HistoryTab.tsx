import History from '../History'
import type { TabProps } from './tab-props'

export default function HistoryTab({ selected, object, gone }: TabProps) {
  return <History selected={selected} version={`${object.metadata.resourceVersion} ${gone}`} />
}
