/** One object as it is now. */
import { useEffect, useMemo, useState } from 'react'
import { stringify } from 'yaml'
import type { KubeObject } from '../../engine/object'
import { ApiFailure, ask, get } from '../client'
import { copyText } from '../components/copy'
import { Menu } from '../components/Menu'
import { YamlView } from '../editor/YamlView'
import { asCurl, asFetch, asKubectl } from '../kubectl/equivalents'
import { useCluster } from '../state/cluster'
import { pathOf } from '../state/discovery'
import { useEditors } from '../state/editors'
import { notify, type SelectedObject, useView } from '../state/view'

export function ObjectView() {
  const selected = useView((state) => state.selected)
  if (selected === undefined) {
    return (
      <aside className="panel" aria-label="Object">
        <div className="bar">
          <h2>Object</h2>
        </div>
        <div className="empty">
          <strong>No object chosen</strong>
          Choose one in the explorer to see it here as it changes.
        </div>
      </aside>
    )
  }
  return <Chosen key={`${selected.resource.resource}/${selected.namespace}/${selected.name}`} selected={selected} />
}

/** The object's newest version, fetched again whenever the tree hears of a change. */
function useLive(selected: SelectedObject): { object: KubeObject | undefined; gone: boolean; failure: string | undefined } {
  const { resource, namespace, name } = selected
  const version = useCluster(
    (state) => state.kinds.get(`${resource.group}/${resource.resource}`)?.objects.get(`${namespace}/${name}`)?.resourceVersion,
  )
  const [state, setState] = useState<{ object: KubeObject | undefined; gone: boolean; failure: string | undefined }>({
    object: undefined,
    gone: false,
    failure: undefined,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version is the reason to fetch again
  useEffect(() => {
    let current = true
    get<KubeObject>(pathOf(resource, namespace, name)).then(
      (object) => current && setState({ object, gone: false, failure: undefined }),
      (error: unknown) => {
        if (!current) return
        if (error instanceof ApiFailure && error.answer.status === 404) setState((before) => ({ ...before, gone: true }))
        else setState((before) => ({ ...before, failure: error instanceof Error ? error.message : String(error) }))
      },
    )
    return () => {
      current = false
    }
  }, [resource, namespace, name, version])
  return state
}

function Chosen({ selected }: { selected: SelectedObject }) {
  const { object, gone, failure } = useLive(selected)
  const [managed, setManaged] = useState(false)
  const text = useMemo(
    () => (object ? stringify(managed ? object : withoutManagedFields(object), { lineWidth: 0 }) : ''),
    [object, managed],
  )
  const { resource, namespace, name } = selected
  const path = pathOf(resource, namespace, name)
  const request = {
    id: 0,
    at: 0,
    method: 'GET',
    path,
    who: '',
    origin: 'action' as const,
    headers: { Accept: 'application/yaml', Authorization: '' },
  }
  const remove = () =>
    useView.getState().set({
      question: {
        title: `Delete ${resource.kind.toLowerCase()} ${name}?`,
        text: 'The server removes it, or marks it while finalizers hold it.',
        confirm: 'Delete',
        danger: true,
        onConfirm: () =>
          void ask({ method: 'DELETE', path }).then(({ ok, json }) => (ok ? notify(`${name} deleted`) : notify(messageOf(json), 'bad'))),
      },
    })
  return (
    <aside className="panel" aria-label="Object">
      <div className="bar">
        <h2 className="cut" title={`${resource.kind} ${name}`}>
          {name} <span className="soft">{resource.kind}</span>
        </h2>
        <span className="grow" />
        {gone ? <span className="chip bad">deleted</span> : <span className="chip good">live</span>}
        <Menu
          label="What to do with this object"
          className="button quiet icon"
          items={[
            { title: 'Edit in a manifest', run: () => edit(name, object) },
            { title: 'Delete', run: remove },
            'line',
            { title: 'Copy as YAML', run: () => void copyText(text, 'The YAML') },
            { title: 'Copy as kubectl', run: () => void copyText(asKubectl(request), 'The kubectl command') },
            { title: 'Copy as curl', run: () => void copyText(asCurl(request), 'The curl command') },
            { title: 'Copy as fetch', run: () => void copyText(asFetch(request), 'The fetch call') },
          ]}
        >
          ⋯
        </Menu>
      </div>
      <div className="bar soft" style={{ minHeight: 34, fontSize: 12 }}>
        <span className="cut mono" title={path}>
          {path}
        </span>
        <span className="grow" />
        <label style={{ display: 'flex', gap: 5, alignItems: 'center', whiteSpace: 'nowrap' }}>
          <input type="checkbox" checked={managed} onChange={(event) => setManaged(event.target.checked)} /> managedFields
        </label>
      </div>
      {failure && <div className="banner bad">{failure}</div>}
      {object ? (
        <YamlView text={text} label={`${resource.kind} ${name} as YAML`} />
      ) : (
        <div className="empty">{gone ? 'This object is gone.' : 'Reading …'}</div>
      )}
    </aside>
  )
}

function messageOf(json: unknown): string {
  return (json as { message?: string } | undefined)?.message ?? 'the server refused'
}

function withoutManagedFields(object: KubeObject): KubeObject {
  const { managedFields: _managedFields, ...metadata } = object.metadata
  return { ...object, metadata }
}

/** As a person would write it: without what the server keeps for itself. */
function edit(name: string, object: KubeObject | undefined): void {
  if (object === undefined) return
  const { status: _status, ...rest } = object
  const {
    managedFields: _fields,
    uid: _uid,
    resourceVersion: _version,
    creationTimestamp: _created,
    generation: _generation,
    ...metadata
  } = object.metadata
  useEditors.getState().open({ title: `${name}.yaml`, language: 'yaml', text: stringify({ ...rest, metadata }, { lineWidth: 0 }) })
  useView.getState().set({ pane: 'editor' })
}
