import { useConnection } from '../state/connection'
import { useDiscovery } from '../state/discovery'
import { useUpdate } from '../state/update'
import { IMPOSSIBLE_WORKSPACE, titleOf, WORKSPACE } from '../state/workspace'

export function Banners() {
  const connection = useConnection((state) => state.connection)
  const failure = useConnection((state) => state.failure)
  const undiscovered = useDiscovery((state) => state.failure)
  const newer = useUpdate((state) => state.newer)
  return (
    <div className="banners">
      {newer && (
        <p className="note" role="status">
          A new version is available. Your clusters and files are kept.{' '}
          <button type="button" className="link" onClick={() => location.reload()}>
            Update now
          </button>{' '}
          <button
            type="button"
            className="link"
            onClick={() => useUpdate.setState({ newer: false })}
          >
            Later
          </button>
        </p>
      )}
      {IMPOSSIBLE_WORKSPACE !== '' && (
        <p className="note warn" role="status">
          “{IMPOSSIBLE_WORKSPACE.slice(0, 60)}” is not a valid workspace name. Use at most 40
          lowercase letters, digits, and inner hyphens. This is {titleOf(WORKSPACE)}.
        </p>
      )}
      {failure && (
        <p className="note bad" role="alert">
          The API server could not start: {failure}. Reload the page. If that does not help, reset
          the cluster from the menu at the top right.
        </p>
      )}
      {undiscovered && (
        <p className="note bad" role="alert">
          Discovery failed: {undiscovered}
        </p>
      )}
      {connection?.mode === 'page' && (
        <p className="note warn" role="status">
          The API server runs in this page instead of a service worker ({connection.reason}). Other
          tabs do not see its changes until they are reloaded, and only scripts of this page reach
          it.
        </p>
      )}
    </div>
  )
}
