import type { KubeObject } from '../../../../engine/core/object'
import { Icon } from '../../../components/Icon'
import { Menu } from '../../../components/Menu'
import { get } from '../../../state/client'
import { useCluster } from '../../../state/cluster'
import { pathOf, resourceOfKind, useDiscovery } from '../../../state/discovery'
import { notify } from '../../../state/view'
import { activeTab, useEditors } from '../../manifests/editors'
import { parted, type TestTexts } from '../test-sets'
import { SHARED } from '../texts'
import { FIRST_SET } from '../workbench-state'

const GROUP = 'admissionregistration.k8s.io'
const ROOT = `/apis/${GROUP}/v1`

export function PolicyPicker({ onPick }: { onPick(texts: Partial<TestTexts>): void }) {
  const objects = useCluster(
    (state) => state.kinds.get(`${GROUP}/validatingadmissionpolicies`)?.objects,
  )
  const names = [...(objects?.values() ?? [])].map(({ name }) => name).sort()
  const take = (name: string) =>
    void fetched(name).then(
      (policies) => onPick({ policies }),
      (error: unknown) => notify(error instanceof Error ? error.message : String(error), 'bad'),
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
        { title: SHARED.example, run: () => onPick(FIRST_SET) },
        {
          title: SHARED.editorFile,
          run: () => onPick(parted(activeTab(useEditors.getState()).text)),
        },
        ...(names.length > 0 ? [{ heading: SHARED.inCluster }] : []),
        ...names.map((name) => ({ title: name, run: () => take(name) })),
      ]}
    />
  )
}

interface BindingObject extends KubeObject {
  spec: { policyName: string; paramRef?: { name?: string; namespace?: string } }
}

interface PolicyObject extends KubeObject {
  spec: { paramKind?: { apiVersion: string; kind: string } }
}

/** With its bindings and parameters, without server-set fields. @throws ApiFailure */
async function fetched(name: string): Promise<string> {
  const { yamlText } = await import('../../manifests/yaml')
  const policy = await get<PolicyObject>(
    `${ROOT}/validatingadmissionpolicies/${encodeURIComponent(name)}`,
  )
  const { items } = await get<{ items: BindingObject[] | null }>(
    `${ROOT}/validatingadmissionpolicybindings`,
  )
  const bindings = (items ?? []).filter(({ spec }) => spec.policyName === name)
  const params = await Promise.all(bindings.map((binding) => paramOf(policy, binding)))
  const own = [
    policy,
    ...bindings.map((binding) => ({
      ...binding,
      apiVersion: `${GROUP}/v1`,
      kind: 'ValidatingAdmissionPolicyBinding',
    })),
    ...params.filter((param) => param !== undefined),
  ]
  return own.map((object) => yamlText(written(object))).join('---\n')
}

async function paramOf(
  { spec: { paramKind } }: PolicyObject,
  { spec: { paramRef } }: BindingObject,
): Promise<KubeObject | undefined> {
  const resource =
    paramKind &&
    resourceOfKind(useDiscovery.getState().resources, paramKind.apiVersion, paramKind.kind)
  if (resource === undefined || !paramRef?.name) return undefined
  return get<KubeObject>(pathOf(resource, paramRef.namespace, paramRef.name)).catch(() => undefined)
}

function written(object: KubeObject): object {
  const { apiVersion, kind, metadata, ...members } = object
  const { status: _status, ...rest } = members as { status?: unknown }
  const { name, namespace, labels, annotations } = metadata
  return { apiVersion, kind, metadata: { name, namespace, labels, annotations }, ...rest }
}
