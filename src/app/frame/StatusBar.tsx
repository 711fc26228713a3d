import { runCommand } from '../commands/registry'
import { Icon } from '../components/Icon'
import { useCluster } from '../state/cluster'
import { useConnection } from '../state/connection'
import { useLayout } from '../state/layout'
import { useRelease } from '../state/settings'
import { useView, WORKBENCH } from '../state/view'
import { LastRequest } from './LastRequest'
import * as texts from './texts'

export function StatusBar() {
  const connection = useConnection((state) => state.connection)
  const failure = useConnection((state) => state.failure)
  const bridged = useConnection((state) => state.bridged)
  const revision = useCluster((state) => state.revision)
  const streams = useCluster((state) => state.streams)
  const complete = useCluster((state) => state.complete)
  const release = useRelease()
  const state = failure ? 'bad' : complete ? 'good' : 'warn'
  const stateText = (): string => {
    if (failure) return texts.notRunning
    if (!complete) return texts.starting
    return connection?.mode === 'page' ? texts.inPage : texts.inWorker
  }
  return (
    <footer className="statusbar">
      <span className={`dot ${state}`} />
      <span>{stateText()}</span>
      {revision > 0 && <span className="mono">{texts.revision(revision)}</span>}
      {streams > 0 && (
        <span className="desktop-only" title={texts.watchesAbout}>
          {texts.watches(streams)}
        </span>
      )}
      {bridged && (
        <span className="desktop-only" title={texts.bridgedAbout}>
          {texts.bridged}
        </span>
      )}
      <LastRequest />
      <span className="grow" />
      <PanelToggles />
      <button type="button" className="link" onClick={() => runCommand('about')}>
        {texts.simulatedRelease(release)}
        <span className="desktop-only">{texts.simulatedNodes}</span>
      </button>
    </footer>
  )
}

const TOGGLES = [
  { panel: 'explorer', icon: 'tree' },
  { panel: 'editor', icon: 'edit' },
  { panel: 'object', icon: 'object' },
  { panel: 'activity', icon: 'pulse' },
] as const

function PanelToggles() {
  const place = useView((state) => state.place)
  const { hidden } = useLayout(({ arrangements, sharing }) => arrangements[sharing])
  if (place !== WORKBENCH) return null
  const { toggle } = useLayout.getState()
  return (
    <fieldset className="panel-toggles" aria-label={texts.panels}>
      {TOGGLES.map(({ panel, icon }) => {
        const shown = !hidden.includes(panel)
        const title = texts.paneTitles[panel]
        return (
          <button
            key={panel}
            type="button"
            aria-pressed={shown}
            aria-label={title}
            title={shown ? texts.hidePanel(title) : texts.showPanel(title)}
            onClick={() => toggle(panel)}
          >
            <Icon name={icon} size={14} />
          </button>
        )
      })}
    </fieldset>
  )
}
