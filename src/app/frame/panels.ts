import type { Arrangement } from '../state/layout'
import type { Pane } from '../state/view'

const shownIn =
  (hidden: readonly Pane[]) =>
  (panel: Pane): boolean =>
    !hidden.includes(panel)

export interface WidePanels {
  explorer: boolean
  /** Next to the explorer, above the activity. */
  upper: ('editor' | 'object')[]
  activity: boolean
}

export function widePanels({ hidden, objectFirst }: Arrangement): WidePanels {
  const isShown = shownIn(hidden)
  const upper = objectFirst ? (['object', 'editor'] as const) : (['editor', 'object'] as const)
  return {
    explorer: isShown('explorer'),
    upper: upper.filter(isShown),
    activity: isShown('activity'),
  }
}

export interface MediumPanels {
  left: ('explorer' | 'object')[]
  right: ('editor' | 'activity')[]
}

/** From top to bottom. */
export function mediumPanels({ hidden, objectFirst }: Arrangement): MediumPanels {
  const isShown = shownIn(hidden)
  const left = objectFirst ? (['object', 'explorer'] as const) : (['explorer', 'object'] as const)
  return {
    left: left.filter(isShown),
    right: (['editor', 'activity'] as const).filter(isShown),
  }
}
