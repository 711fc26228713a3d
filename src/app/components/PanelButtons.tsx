/** Enlarges or hides a panel; hidden in the one-pane layout. */
import { EMBEDDED } from '../state/embed-parameters'
import { useLayout } from '../state/layout'
import type { Pane } from '../state/view'
import { Icon } from './Icon'

export function PanelButtons({ panel, title }: { panel: Pane; title: string }) {
  const enlarged = useLayout((state) => state.enlarged === panel)
  if (EMBEDDED) return null
  const { enlarge, toggle } = useLayout.getState()
  return (
    <span className="panel-buttons wide-only">
      <button
        type="button"
        className="button quiet icon-only small"
        aria-label={enlarged ? `Restore the ${title}` : `Enlarge the ${title}`}
        title={enlarged ? 'Restore' : 'Enlarge'}
        onClick={() => enlarge(panel)}
      >
        <Icon name={enlarged ? 'smaller' : 'larger'} size={14} />
      </button>
      <button
        type="button"
        className="button quiet icon-only small"
        aria-label={`Hide the ${title}`}
        title="Hide (bring it back with the icons in the status bar)"
        onClick={() => toggle(panel)}
      >
        <Icon name="hide" size={14} />
      </button>
    </span>
  )
}
