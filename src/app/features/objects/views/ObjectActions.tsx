/** Edit, copy, delete. */
import type { KubeObject } from '../../../../engine/core/object'
import { copyText } from '../../../components/copy'
import { Icon } from '../../../components/Icon'
import { Menu } from '../../../components/Menu'
import { sendRequest } from '../../../state/client'
import { pathOf } from '../../../state/discovery'
import { useMoment } from '../../../state/moment'
import { notify, type SelectedObject, useView } from '../../../state/view'
import { asCurl, asFetch, asKubectl, type KubectlRequest } from '../../copy-as/equivalents'
import { failureOf } from '../../manifests/failure'
import { openAsManifest } from './manifest'

export function ObjectActions({
  selected,
  object,
  gone,
}: {
  selected: SelectedObject
  object: KubeObject
  gone: boolean
}) {
  const past = useMoment(({ revision }) => revision !== undefined)
  const request: KubectlRequest = {
    method: 'GET',
    path: pathOf(selected.resource, selected.namespace, selected.name),
    headers: { Accept: 'application/yaml', Authorization: 'Bearer' },
  }
  return (
    <>
      <button
        type="button"
        className="button small"
        onClick={() => void openAsManifest(object)}
        title="Edit as manifest"
      >
        <Icon name="edit" size={14} /> Edit
      </button>
      <Menu
        label="Copy this object"
        className="button quiet icon-only"
        face={<Icon name="copy" />}
        items={[
          {
            title: 'Copy as YAML',
            hint: past ? 'as it was then' : 'as it is now',
            run: () => void copyYaml(object),
          },
          {
            title: 'Copy as a manifest',
            hint: 'without server-set fields',
            run: () => void copyManifest(object),
          },
          'line',
          {
            title: 'Copy as kubectl',
            run: () => void copyText(asKubectl(request), 'The kubectl command'),
          },
          { title: 'Copy as curl', run: () => void copyText(asCurl(request), 'The curl command') },
          { title: 'Copy as fetch', run: () => void copyText(asFetch(request), 'The fetch call') },
        ]}
      />
      <button
        type="button"
        className="button quiet icon-only"
        aria-label="Delete this object"
        title={past ? "You're viewing the past. Return to now to make changes." : 'Delete'}
        disabled={gone || past}
        onClick={() => remove(selected)}
      >
        <Icon name="trash" />
      </button>
    </>
  )
}

const lines = () => import('../../editor/object-lines')

async function copyYaml(object: KubeObject): Promise<void> {
  await copyText((await lines()).objectText(object), 'The YAML')
}

async function copyManifest(object: KubeObject): Promise<void> {
  await copyText((await lines()).asManifest(object), 'The manifest')
}

function remove({ resource, namespace, name }: SelectedObject): void {
  const path = pathOf(resource, namespace, name)
  const run = async () => {
    const response = await sendRequest({
      method: 'DELETE',
      path,
      body: JSON.stringify({ propagationPolicy: 'Background' }),
    })
    if (response.ok) notify(`${resource.kind} ${name} deleted`)
    else notify(failureOf(response).message, 'bad')
  }
  useView.getState().set({
    question: {
      title: `Delete ${resource.kind} ${name}?`,
      text: 'It is deleted once its finalizers are done and, for Pods, the grace period is over.',
      choices: [{ title: 'Delete', danger: true, run: () => void run() }],
    },
  })
}
