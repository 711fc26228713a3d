/** What to watch, and from where. */
import { useState } from 'react'
import { Dialog } from '../components/Dialog'
import { useCluster } from '../state/cluster'
import { idOf, useDiscovery } from '../state/discovery'
import { useView } from '../state/view'
import { useWatches, watchPath } from '../state/watches'

export function StartWatch({ onClose }: { onClose: () => void }) {
  const resources = useDiscovery((state) => state.resources).filter(({ verbs }) => verbs.includes('watch'))
  const kinds = useCluster((state) => state.kinds)
  const set = useView((state) => state.set)
  const [id, setId] = useState('apps/v1/deployments')
  const [form, setForm] = useState({ namespace: '', labelSelector: '', fieldSelector: '', resourceVersion: '', bookmarks: false })
  const resource = resources.find((entry) => idOf(entry) === id) ?? resources[0]
  const namespaces = [...(kinds.get('/namespaces')?.objects.keys() ?? [])].map((key) => key.slice(1)).sort()
  if (resource === undefined) {
    return (
      <Dialog label="Start a watch" onClose={onClose}>
        <div className="dialog-body">The server has not said yet what it serves. Try again in a moment.</div>
      </Dialog>
    )
  }
  const options = { resource, ...form, namespace: resource.namespaced ? form.namespace : '' }
  const text = (name: 'labelSelector' | 'fieldSelector' | 'resourceVersion', label: string, placeholder: string) => (
    <>
      <label htmlFor={`watch-${name}`}>{label}</label>
      <input
        id={`watch-${name}`}
        className="field mono"
        placeholder={placeholder}
        value={form[name]}
        onChange={(event) => setForm({ ...form, [name]: event.target.value })}
      />
    </>
  )
  return (
    <Dialog label="Start a watch" onClose={onClose}>
      <form
        className="dialog-body"
        onSubmit={(event) => {
          event.preventDefault()
          useWatches.getState().start(options)
          set({ dialog: undefined, activity: 'watches', pane: 'activity' })
        }}
      >
        <h2>Start a watch</h2>
        <div className="form-grid">
          <label htmlFor="watch-resource">Resource</label>
          <select id="watch-resource" className="field" value={idOf(resource)} onChange={(event) => setId(event.target.value)}>
            {resources.map((entry) => (
              <option key={idOf(entry)} value={idOf(entry)}>
                {entry.resource}
                {entry.group ? ` (${entry.group}/${entry.version})` : ''}
              </option>
            ))}
          </select>
          <label htmlFor="watch-namespace">Namespace</label>
          <select
            id="watch-namespace"
            className="field"
            disabled={!resource.namespaced}
            value={options.namespace}
            onChange={(event) => setForm({ ...form, namespace: event.target.value })}
          >
            <option value="">{resource.namespaced ? 'All namespaces' : 'Cluster-wide'}</option>
            {namespaces.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
          {text('labelSelector', 'Labels', 'app=web,tier!=cache')}
          {text('fieldSelector', 'Fields', 'metadata.name=web')}
          {text('resourceVersion', 'From version', 'empty: what is there, then changes')}
          <span />
          <label style={{ display: 'flex', gap: 6, alignItems: 'center' }}>
            <input type="checkbox" checked={form.bookmarks} onChange={(event) => setForm({ ...form, bookmarks: event.target.checked })} />{' '}
            ask for bookmarks
          </label>
        </div>
        <p className="mono soft" style={{ overflowWrap: 'anywhere' }}>
          GET {watchPath(options)}
        </p>
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button primary">
            Start
          </button>
        </div>
      </form>
    </Dialog>
  )
}
