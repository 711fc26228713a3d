import { runCommand } from '../commands/registry'
import { Icon } from '../components/Icon'
import { useCluster } from '../state/cluster'
import { useConnection } from '../state/connection'
import { useLayout } from '../state/layout'
import { useRelease } from '../state/settings'
import { useView, WORKBENCH } from '../state/view'
import { LastRequest } from './LastRequest'

export function StatusBar() {
  const connection = useConnection((state) => state.connection)
  const failure = useConnection((state) => state.failure)
  const bridged = useConnection((state) => state.bridged)
  const revision = useCluster((state) => state.revision)
  const streams = useCluster((state) => state.streams)
  const complete = useCluster((state) => state.complete)
  const release = useRelease()
  const state = failure ? 'bad' : complete ? 'good' : 'warn'
  return (
    <footer className="statusbar">
      <span className={`dot ${state}`} />
      <span>
        {failure
          ? 'not running'
          : complete
            ? connection?.mode === 'page'
              ? 'running in this page'
              : 'Server: service worker'
            : 'starting …'}
      </span>
      {revision > 0 && <span className="mono">revision {revision}</span>}
      {streams > 0 && (
        <span className="desktop-only" title="Watches that keep the explorer up to date">
          {streams} watches
        </span>
      )}
      {bridged && (
        <span className="desktop-only" title="npm start printed the KUBECONFIG path">
          kubectl can connect to this tab
        </span>
      )}
      <LastRequest />
      <span className="grow" />
      <PanelToggles />
      <button type="button" className="link" onClick={() => runCommand('about')}>
        Simulated: the API server of Kubernetes {release}
        <span className="desktop-only">
          {' '}
          with its controllers and scheduler, on simulated nodes
        </span>
      </button>
    </footer>
  )
}

const TOGGLES = [
  { panel: 'explorer', title: 'Explorer', icon: 'tree' },
  { panel: 'editor', title: 'Editor', icon: 'edit' },
  { panel: 'object', title: 'Object', icon: 'object' },
  { panel: 'activity', title: 'Activity', icon: 'pulse' },
] as const

function PanelToggles() {
  const place = useView((state) => state.place)
  const { hidden } = useLayout(({ arrangements, sharing }) => arrangements[sharing])
  if (place !== WORKBENCH) return null
  const { toggle } = useLayout.getState()
  return (
    <fieldset className="panel-toggles" aria-label="Panels">
      {TOGGLES.map(({ panel, title, icon }) => {
        const shown = !hidden.includes(panel)
        return (
          <button
            key={panel}
            type="button"
            aria-pressed={shown}
            aria-label={title}
            title={`${shown ? 'Hide' : 'Show'}: ${title}`}
            onClick={() => toggle(panel)}
          >
            <Icon name={icon} size={14} />
          </button>
        )
      })}
    </fieldset>
  )
}
