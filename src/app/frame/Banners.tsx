/** What a person must know before anything else. */
import { useConnection } from '../state/connection'
import { useDiscovery } from '../state/discovery'
import { useUpdate } from '../state/update'
import { IMPOSSIBLE_WORKSPACE, titleOf, WORKSPACE } from '../state/workspace'

export function Banners() {
  const { connection, failure } = useConnection()
  const undiscovered = useDiscovery((state) => state.failure)
  const { newer } = useUpdate()
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
          The address names the workspace “{IMPOSSIBLE_WORKSPACE.slice(0, 60)}”, which no workspace
          can be called: names are of small letters, digits and inner “-”, 40 at most. This is{' '}
          {titleOf(WORKSPACE)}.
        </p>
      )}
      {failure && (
        <p className="note bad" role="alert">
          The API server could not start: {failure}. Reload the page; if that does not help, reset
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
