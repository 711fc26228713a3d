/** A link that carries the cluster's objects and the editors; a file where it grows too long. */
import { useEffect, useState } from 'react'
import type { KubeObject } from '../../engine/object'
import { copyText } from '../components/copy'
import { Dialog } from '../components/Dialog'
import { download, exportObjects, hasSecrets, withoutBootstrap, withoutSecretValues } from '../share/cluster-file'
import { COMFORTABLE_LENGTH, encodeScenario } from '../share/link'
import { useEditors } from '../state/editors'

export function Share({ onClose }: { onClose: () => void }) {
  const tabs = useEditors((state) => state.tabs)
  const [objects, setObjects] = useState<KubeObject[]>()
  const [failure, setFailure] = useState<string>()
  const [secrets, setSecrets] = useState(false)
  useEffect(() => {
    exportObjects().then(
      (all) => setObjects(withoutBootstrap(all)),
      (error: unknown) => setFailure(error instanceof Error ? error.message : String(error)),
    )
  }, [])
  if (objects === undefined) {
    return (
      <Dialog label="Share" onClose={onClose}>
        <div className="dialog-body">{failure ? `The cluster could not be read: ${failure}` : 'Reading the cluster …'}</div>
      </Dialog>
    )
  }
  const shared = secrets ? objects : withoutSecretValues(objects)
  const scenario = { objects: shared, tabs: tabs.map(({ title, language, text }) => ({ title, language, text })) }
  const hash = encodeScenario(scenario)
  const link = `${location.origin}${location.pathname}#${hash}`
  const long = link.length > COMFORTABLE_LENGTH
  return (
    <Dialog label="Share" onClose={onClose}>
      <div className="dialog-body">
        <h2>Share what you have here</h2>
        <p className="soft">
          The link holds {objects.length} object{objects.length === 1 ? '' : 's'} and {tabs.length} file{tabs.length === 1 ? '' : 's'},
          compressed, in the part of the address that no server sees. Scripts in it never run by themselves.
        </p>
        {hasSecrets(objects) && (
          <label style={{ display: 'flex', gap: 8 }}>
            <input type="checkbox" checked={secrets} onChange={(event) => setSecrets(event.target.checked)} />
            Include the values of Secrets: whoever has the link can read them
          </label>
        )}
        <input className="field mono" readOnly aria-label="Link" value={link} onFocus={(event) => event.target.select()} />
        {long && (
          <p style={{ color: 'var(--warn)' }}>
            The link is {link.length.toLocaleString()} characters long; some programs cut links beyond {COMFORTABLE_LENGTH.toLocaleString()}
            . The file always works.
          </p>
        )}
        <div className="dialog-actions">
          <button type="button" className="button" onClick={() => download('scenario.kubetab', hash, 'text/plain')}>
            Save as a file
          </button>
          <button type="button" className="button primary" data-autofocus onClick={() => void copyText(link, 'The link')}>
            Copy the link
          </button>
        </div>
      </div>
    </Dialog>
  )
}
