import { useMemo, useState } from 'react'
import { Icon } from '../../../../components/Icon'
import { YamlView } from '../../../editor/YamlView'
import { appliedManifests } from '../../applied'
import { MANIFEST } from '../../texts'
import { openText } from '../manifest'
import type { TabProps } from './tab-props'

export default function ManifestTab({ object }: TabProps) {
  const manifests = useMemo(() => appliedManifests(object), [object])
  const [chosen, setChosen] = useState('')
  const shown = manifests.find(({ id }) => id === chosen) ?? manifests[0]
  const text = shown?.text ?? ''
  const lines = useMemo(
    () =>
      text
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => ({ text: line })),
    [text],
  )
  if (shown === undefined) return null
  const { id, title, about } = shown
  return (
    <div className="object-manifest">
      <div className="bar sub">
        <select
          className="field grow-field"
          aria-label={MANIFEST.source}
          value={id}
          onChange={({ target }) => setChosen(target.value)}
        >
          {manifests.map((manifest) => (
            <option key={manifest.id} value={manifest.id}>
              {manifest.title}
            </option>
          ))}
        </select>
        <span className="grow" />
        <button
          type="button"
          className="button small"
          onClick={() => openText(`${object.metadata.name}.yaml`, text)}
        >
          <Icon name="edit" size={14} /> {MANIFEST.open}
        </button>
      </div>
      <p className="soft small made-by">{about}</p>
      <YamlView key={id} lines={lines} version={id} label={title} onFold={nothing} />
    </div>
  )
}

const nothing = (): void => undefined
