/** Request attributes, also of resources that the server does not serve. */
import { useMemo } from 'react'
import type { QueryAttributes } from '../../../hosts/shared/access'
import { Segments } from '../../components/Segments'
import { useDiscovery } from '../../state/discovery'
import { NamespaceChoice } from './NamespaceChoice'
import { ATTRIBUTE_TITLES, ATTRIBUTES } from './texts'

const VERBS = [
  'get',
  'list',
  'watch',
  'create',
  'update',
  'patch',
  'delete',
  'deletecollection',
  'impersonate',
  'bind',
  'escalate',
  'approve',
  'sign',
  'use',
]
const PATH_VERBS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options']

const SORTS = [
  { value: 'resource', title: ATTRIBUTES.resource },
  { value: 'path', title: ATTRIBUTES.path },
] as const

interface AttributesFormProps {
  attributes: QueryAttributes
  onChange(attributes: QueryAttributes): void
}

export function AttributesForm({ attributes, onChange }: AttributesFormProps) {
  const change = (part: Partial<QueryAttributes>) => onChange({ ...attributes, ...part })
  const { isResource } = attributes
  return (
    <>
      <Segments
        label={ATTRIBUTES.request}
        value={isResource ? 'resource' : 'path'}
        choices={SORTS}
        onChoose={(sort) =>
          change(
            sort === 'path'
              ? { isResource: false, path: attributes.path || '/healthz' }
              : { isResource: true },
          )
        }
      />
      <Text
        title={ATTRIBUTE_TITLES.verb}
        value={attributes.verb}
        list={isResource ? VERBS : PATH_VERBS}
        onChange={(verb) => change({ verb })}
      />
      {isResource ? (
        <OnResource attributes={attributes} change={change} />
      ) : (
        <Text
          title={ATTRIBUTE_TITLES.path}
          value={attributes.path}
          onChange={(path) => change({ path })}
        />
      )}
    </>
  )
}

function OnResource({
  attributes,
  change,
}: {
  attributes: QueryAttributes
  change(part: Partial<QueryAttributes>): void
}) {
  const served = useDiscovery((state) => state.resources)
  const names = useMemo(() => [...new Set(served.map(({ resource }) => resource))].sort(), [served])
  const groups = useMemo(
    () => [...new Set(served.map(({ group }) => group))].filter(Boolean).sort(),
    [served],
  )
  const found = served.find(
    ({ resource, group }) => resource === attributes.resource && group === attributes.group,
  )
  const chooseResource = (resource: string) => {
    const known = served.find((one) => one.resource === resource)
    change({ resource, ...(known ? { group: known.group, version: known.version } : {}) })
  }
  return (
    <>
      <div className="pair">
        <Text
          title={ATTRIBUTE_TITLES.resource}
          value={attributes.resource}
          list={names}
          onChange={chooseResource}
        />
        <Text
          title={ATTRIBUTE_TITLES.subresource}
          value={attributes.subresource}
          list={found?.subresources ?? []}
          onChange={(subresource) => change({ subresource })}
        />
      </div>
      <div className="pair">
        <Text
          title={ATTRIBUTE_TITLES.group}
          value={attributes.group}
          placeholder={ATTRIBUTE_TITLES.coreGroup}
          list={groups}
          onChange={(group) => change({ group })}
        />
        <Text
          title={ATTRIBUTE_TITLES.version}
          value={attributes.version}
          onChange={(version) => change({ version })}
        />
      </div>
      <div className="pair">
        <div className="field-group">
          <span className="field-title">{ATTRIBUTE_TITLES.namespace}</span>
          <NamespaceChoice
            label={ATTRIBUTE_TITLES.namespaceOfRequest}
            value={attributes.namespace}
            onChoose={(namespace) => change({ namespace })}
          />
        </div>
        <Text
          title={ATTRIBUTE_TITLES.name}
          value={attributes.name}
          placeholder={ATTRIBUTE_TITLES.anyName}
          onChange={(name) => change({ name })}
        />
      </div>
    </>
  )
}

interface TextProps {
  title: string
  value: string
  placeholder?: string
  /** Suggestions; any value is possible. */
  list?: readonly string[]
  onChange(value: string): void
}

export function Text({ title, value, placeholder, list, onChange }: TextProps) {
  const id = `list-${title.toLowerCase().replaceAll(' ', '-')}`
  return (
    <label>
      <span className="field-title">{title}</span>
      <input
        className="field mono"
        value={value}
        placeholder={placeholder}
        list={list && list.length > 0 ? id : undefined}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        onChange={(event) => onChange(event.target.value.trim())}
      />
      {list && list.length > 0 && (
        <datalist id={id}>
          {list.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
    </label>
  )
}
