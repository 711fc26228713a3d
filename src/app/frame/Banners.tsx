import { useConnection } from '../state/connection'
import { useDiscovery } from '../state/discovery'
import { useUpdate } from '../state/update'
import { IMPOSSIBLE_WORKSPACE, titleOf, WORKSPACE } from '../state/workspace'
import * as texts from './texts'

export function Banners() {
  const connection = useConnection((state) => state.connection)
  const failure = useConnection((state) => state.failure)
  const undiscovered = useDiscovery((state) => state.failure)
  const newer = useUpdate((state) => state.newer)
  return (
    <div className="banners">
      {newer && (
        <p className="note" role="status">
          {texts.newVersion}{' '}
          <button type="button" className="link" onClick={() => location.reload()}>
            {texts.updateNow}
          </button>{' '}
          <button
            type="button"
            className="link"
            onClick={() => useUpdate.setState({ newer: false })}
          >
            {texts.later}
          </button>
        </p>
      )}
      {IMPOSSIBLE_WORKSPACE !== '' && (
        <p className="note warn" role="status">
          {texts.invalidWorkspace(IMPOSSIBLE_WORKSPACE.slice(0, 60), titleOf(WORKSPACE))}
        </p>
      )}
      {failure && (
        <p className="note bad" role="alert">
          {texts.notStarted(failure)}
        </p>
      )}
      {undiscovered && (
        <p className="note bad" role="alert">
          {texts.noDiscovery(undiscovered)}
        </p>
      )}
      {connection?.mode === 'page' && (
        <p className="note warn" role="status">
          {texts.noWorker(connection.reason ?? '')}
        </p>
      )}
    </div>
  )
}
