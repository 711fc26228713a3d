import { Empty } from '../components/Empty'
import { useLayout } from '../state/layout'
import * as texts from './texts'

export function NothingShown() {
  return (
    <Empty icon="columns" title={texts.allHidden}>
      <button type="button" className="button" onClick={() => useLayout.getState().reset()}>
        {texts.resetLayout}
      </button>
    </Empty>
  )
}
