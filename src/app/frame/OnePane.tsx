import type { ComponentType } from 'react'
import { Icon, type IconName } from '../components/Icon'
import { Explorer } from '../features/explorer/Explorer'
import { Editors } from '../features/manifests/views/Editors'
import { ObjectView } from '../features/objects/views/ObjectView'
import { type Pane, useView } from '../state/view'
import { Activity } from './Activity'
import * as texts from './texts'

export const PANES: { pane: Pane; icon: IconName; Body: ComponentType }[] = [
  { pane: 'explorer', icon: 'tree', Body: Explorer },
  { pane: 'editor', icon: 'edit', Body: Editors },
  { pane: 'object', icon: 'object', Body: ObjectView },
  { pane: 'activity', icon: 'pulse', Body: Activity },
]

export function OnePane() {
  const pane = useView((state) => state.pane)
  const set = useView((state) => state.set)
  const { Body } =
    PANES.find((entry) => entry.pane === pane) ?? (PANES[1] as (typeof PANES)[number])
  return (
    <>
      <div className="one-pane">
        <Body />
      </div>
      <nav className="panes" aria-label={texts.panes}>
        {PANES.map((entry) => (
          <button
            key={entry.pane}
            type="button"
            aria-current={pane === entry.pane ? 'page' : undefined}
            onClick={() => set({ pane: entry.pane })}
          >
            <Icon name={entry.icon} size={20} />
            {texts.paneTitles[entry.pane]}
          </button>
        ))}
      </nav>
    </>
  )
}
