import type { KubeObject } from '../../../../engine/core/object'
import { Icon } from '../../../components/Icon'
import { Menu } from '../../../components/Menu'
import { get } from '../../../state/client'
import { useCluster } from '../../../state/cluster'
import { notify } from '../../../state/view'
import { DEFINITIONS } from '../design'
import { FIRST_DESIGN } from '../design-state'
import { SHARED } from '../texts'

const KIND = 'apiextensions.k8s.io/customresourcedefinitions'

export function DefinitionPicker({ onPick }: { onPick(text: string): void }) {
  const objects = useCluster((state) => state.kinds.get(KIND)?.objects)
  const names = [...(objects?.values() ?? [])].map(({ name }) => name).sort()
  const take = (name: string) =>
    void fetched(name).then(onPick, (error: unknown) =>
      notify(error instanceof Error ? error.message : String(error), 'bad'),
    )
  return (
    <Menu
      label={SHARED.load}
      className="button quiet small"
      face={
        <>
          {SHARED.load} <Icon name="down" size={14} />
        </>
      }
      items={[
        { title: SHARED.example, run: () => onPick(FIRST_DESIGN.definition) },
        ...(names.length > 0 ? [{ heading: SHARED.inCluster }] : []),
        ...names.map((name) => ({ title: name, run: () => take(name) })),
      ]}
    />
  )
}

/** The fields a user set, by managedFields. */
async function fetched(name: string): Promise<string> {
  const { yamlText } = await import('../../manifests/yaml')
  const { apiVersion, kind, metadata, spec } = await get<KubeObject & { spec: unknown }>(
    `${DEFINITIONS}/${encodeURIComponent(name)}`,
  )
  const { name: given, labels, annotations } = metadata
  return yamlText({ apiVersion, kind, metadata: { name: given, labels, annotations }, spec })
}
