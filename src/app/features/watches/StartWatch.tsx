import { useMemo, useState } from 'react'
import { Dialog } from '../../components/Dialog'
import { useCluster } from '../../state/cluster'
import { idOf, type ServedResource, useDiscovery } from '../../state/discovery'
import { useView } from '../../state/view'
import { useWatches, watchPath } from './state'
import { START } from './texts'

const FIRST = {
  namespace: '',
  labelSelector: '',
  fieldSelector: '',
  resourceVersion: '',
  bookmarks: false,
}
const USUAL = 'apps/v1/deployments'

type TextField = 'labelSelector' | 'fieldSelector' | 'resourceVersion'

const TEXTS: { name: TextField; title: string; example: string }[] = [
  { name: 'labelSelector', title: START.labelSelector, example: 'app=web,tier!=cache' },
  { name: 'fieldSelector', title: START.fieldSelector, example: 'metadata.name=web' },
  {
    name: 'resourceVersion',
    title: START.from,
    example: START.fromPlaceholder,
  },
]

export function StartWatch({ onClose }: { onClose: () => void }) {
  const served = useDiscovery((state) => state.resources)
  const resources = useMemo(() => served.filter(({ verbs }) => verbs.includes('watch')), [served])
  const selected = useView((state) => state.selected)
  const [id, setId] = useState(selected ? idOf(selected.resource) : USUAL)
  const [form, setForm] = useState(FIRST)
  const resource = resources.find((entry) => idOf(entry) === id) ?? resources[0]
  if (resource === undefined) {
    return (
      <Dialog label={START.title} onClose={onClose}>
        <p>{START.incomplete}</p>
      </Dialog>
    )
  }
  const options = { resource, ...form, namespace: resource.namespaced ? form.namespace : '' }
  const start = () => {
    useWatches.getState().start(options)
    useView.getState().set({ dialog: undefined, activity: 'watches', pane: 'activity' })
  }
  return (
    <Dialog label={START.title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          start()
        }}
      >
        <div className="form-grid">
          <label htmlFor="watch-resource">{START.resource}</label>
          <Resources resources={resources} chosen={resource} onChoose={setId} />
          <label htmlFor="watch-namespace">{START.namespace}</label>
          <Namespaces
            resource={resource}
            chosen={options.namespace}
            onChoose={(namespace) => setForm({ ...form, namespace })}
          />
          {TEXTS.map(({ name, title, example }) => (
            <div key={name} className="form-row">
              <label htmlFor={`watch-${name}`}>{title}</label>
              <input
                id={`watch-${name}`}
                className="field mono"
                placeholder={example}
                value={form[name]}
                spellCheck={false}
                autoCapitalize="off"
                onChange={(event) => setForm({ ...form, [name]: event.target.value })}
              />
            </div>
          ))}
          <span />
          <label className="check">
            <input
              type="checkbox"
              checked={form.bookmarks}
              onChange={(event) => setForm({ ...form, bookmarks: event.target.checked })}
            />
            <span>
              {START.bookmarks}
              <small>{START.bookmarksAbout}</small>
            </span>
          </label>
        </div>
        <p className="snippet">
          <code>{START.request(watchPath(options))}</code>
        </p>
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            {START.cancel}
          </button>
          <button type="submit" className="button primary">
            {START.start}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

function Resources({
  resources,
  chosen,
  onChoose,
}: {
  resources: ServedResource[]
  chosen: ServedResource
  onChoose(id: string): void
}) {
  const groups = [
    ...new Set(
      resources.map(({ group, version }) => (group === '' ? version : `${group}/${version}`)),
    ),
  ]
  const versionOf = ({ group, version }: ServedResource) =>
    group === '' ? version : `${group}/${version}`
  return (
    <select
      id="watch-resource"
      className="field"
      data-autofocus
      value={idOf(chosen)}
      onChange={(event) => onChoose(event.target.value)}
    >
      {groups.map((apiVersion) => (
        <optgroup key={apiVersion} label={apiVersion}>
          {resources
            .filter((entry) => versionOf(entry) === apiVersion)
            .map((entry) => (
              <option key={idOf(entry)} value={idOf(entry)}>
                {entry.resource}
              </option>
            ))}
        </optgroup>
      ))}
    </select>
  )
}

function Namespaces({
  resource,
  chosen,
  onChoose,
}: {
  resource: ServedResource
  chosen: string
  onChoose(namespace: string): void
}) {
  const kinds = useCluster((state) => state.kinds)
  const names = [...(kinds.get('/namespaces')?.objects.values() ?? [])]
    .map(({ name }) => name)
    .sort()
  return (
    <select
      id="watch-namespace"
      className="field"
      disabled={!resource.namespaced}
      value={chosen}
      onChange={(event) => onChoose(event.target.value)}
    >
      <option value="">{resource.namespaced ? START.allNamespaces : START.clusterScoped}</option>
      {names.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  )
}
