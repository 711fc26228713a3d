/** What runs here and how it is, in one line; and what it is not. */
import { runCommand } from '../../commands'
import { useCluster } from '../../state/cluster'
import { useConnection } from '../../state/connection'
import { useRelease } from '../../state/settings'

export function StatusBar() {
  const { connection, failure, bridged } = useConnection()
  const { revision, streams, complete } = useCluster()
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
              : 'running in a service worker'
            : 'starting …'}
      </span>
      {revision > 0 && <span className="mono">revision {revision}</span>}
      {streams > 0 && (
        <span className="desktop-only" title="Streams by which the explorer keeps up to date">
          {streams} streams
        </span>
      )}
      {bridged && (
        <span className="desktop-only" title="The server that this page came from printed the file to set KUBECONFIG to">
          kubectl reaches this tab
        </span>
      )}
      <span className="grow" />
      <button type="button" className="link" onClick={() => runCommand('about')}>
        Simulated: the API server of Kubernetes {release}
        <span className="desktop-only"> with its controllers and scheduler, on simulated nodes</span>
      </button>
    </footer>
  )
}
