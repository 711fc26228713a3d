import { Empty } from '../components/Empty'
import { useLayout } from '../state/layout'

export function NothingShown() {
  return (
    <Empty icon="columns" title="All panels are hidden">
      <button type="button" className="button" onClick={() => useLayout.getState().reset()}>
        Reset layout
      </button>
    </Empty>
  )
}
