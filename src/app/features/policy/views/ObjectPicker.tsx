import { useMemo, useState } from 'react'
import type { KubeObject } from '../../../../engine/core/object'
import { Icon } from '../../../components/Icon'
import { Popover } from '../../../components/Popover'
import { get } from '../../../state/client'
import { useCluster } from '../../../state/cluster'
import { pathOf, type ServedResource } from '../../../state/discovery'
import { notify } from '../../../state/view'
import { inNamespace, OBJECT_SEARCH } from '../texts'

export interface PickedObject {
  name: string
  text: string
  /** undefined for cluster-scoped objects. */
  namespaceText: string | undefined
}

interface Candidate {
  id: string
  resource: ServedResource
  namespace: string
  name: string
}

const SHOWN = 50

interface ObjectPickerProps {
  label: string
  onPick(picked: PickedObject): void
}

export function ObjectPicker({ label, onPick }: ObjectPickerProps) {
  return (
    <Popover
      kind="dialog"
      label={label}
      className="button quiet small"
      face={
        <>
          <Icon name="object" size={14} /> {OBJECT_SEARCH.cluster}
        </>
      }
    >
      {(close) => (
        <Search
          onChoose={(chosen) => {
            close()
            void fetched(chosen).then(onPick, (error: unknown) =>
              notify(error instanceof Error ? error.message : String(error), 'bad'),
            )
          }}
        />
      )}
    </Popover>
  )
}

function Search({ onChoose }: { onChoose(chosen: Candidate): void }) {
  const [query, setQuery] = useState('')
  const found = useCandidates(query)
  return (
    <div className="object-search">
      <input
        className="field"
        data-autofocus
        type="search"
        aria-label={OBJECT_SEARCH.label}
        placeholder={OBJECT_SEARCH.hint}
        value={query}
        onChange={(event) => setQuery(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && found[0]) onChoose(found[0])
        }}
      />
      <ul>
        {found.map((candidate) => (
          <li key={candidate.id}>
            <button type="button" className="menu-item" onClick={() => onChoose(candidate)}>
              <span className="cut">{candidate.name}</span>
              <span className="menu-hint">
                {candidate.resource.kind}
                {candidate.namespace && ` ${inNamespace(candidate.namespace)}`}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="soft small">{OBJECT_SEARCH.none}</p>}
    </div>
  )
}

function useCandidates(query: string): Candidate[] {
  const kinds = useCluster((state) => state.kinds)
  return useMemo(() => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean)
    const found: Candidate[] = []
    for (const { resource, objects } of kinds.values()) {
      for (const { name, namespace, uid } of objects.values()) {
        const text = `${name} ${resource.kind} ${resource.resource} ${namespace}`.toLowerCase()
        if (words.every((word) => text.includes(word)))
          found.push({ id: uid, resource, namespace, name })
        if (found.length >= SHOWN) return found
      }
    }
    return found
  }, [kinds, query])
}

/** Omits managedFields. @throws ApiFailure */
async function fetched({ resource, namespace, name }: Candidate): Promise<PickedObject> {
  const { yamlText } = await import('../../manifests/yaml')
  const read = async (path: string): Promise<string> => {
    const { metadata, ...rest } = await get<KubeObject>(path)
    const { managedFields: _managedFields, ...shown } = metadata
    const { apiVersion, kind, ...members } = rest
    return yamlText({ apiVersion, kind, metadata: shown, ...members })
  }
  const text = await read(pathOf(resource, namespace, name))
  if (namespace === '') return { name, text, namespaceText: undefined }
  return {
    name,
    text,
    namespaceText: await read(`/api/v1/namespaces/${encodeURIComponent(namespace)}`).catch(
      () => '',
    ),
  }
}
