/** Enlarges or hides a panel; hidden in the one-pane layout. */
import { EMBEDDED } from '../state/embed-parameters'
import { useLayout } from '../state/layout'
import type { Pane } from '../state/view'
import { Icon } from './Icon'
import * as texts from './texts'

export function PanelButtons({ panel, title }: { panel: Pane; title: string }) {
  const enlarged = useLayout((state) => state.enlarged === panel)
  if (EMBEDDED) return null
  const { enlarge, toggle } = useLayout.getState()
  return (
    <span className="panel-buttons wide-only">
      <button
        type="button"
        className="button quiet icon-only small"
        aria-label={enlarged ? texts.restorePanel(title) : texts.enlargePanel(title)}
        title={enlarged ? texts.restore : texts.enlarge}
        onClick={() => enlarge(panel)}
      >
        <Icon name={enlarged ? 'smaller' : 'larger'} size={14} />
      </button>
      <button
        type="button"
        className="button quiet icon-only small"
        aria-label={texts.hidePanel(title)}
        title={texts.hide}
        onClick={() => toggle(panel)}
      >
        <Icon name="hide" size={14} />
      </button>
    </span>
  )
}
